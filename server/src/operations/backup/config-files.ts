/** Files outside the database that nothing else can recreate: the share map, and the releases of agents that were uploaded. */
import { createHash } from 'node:crypto';
import { copyFileSync, createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import type { Settings } from '../../settings/index.ts';
import { type Bundle, digestFile } from './folder.ts';
import { type BundlePart, DamagedBundle } from './manifest.ts';

type Paths = Pick<Settings, 'shareMapPath' | 'agentReleasesDir'>;

const shareMapPart = 'files/share-map.json';
const releasesPart = 'files/agent-releases.tar';

export async function copyFiles(settings: Paths, folder: string, signal: AbortSignal): Promise<BundlePart[]> {
  return [...copyShareMap(settings, folder), ...(await packReleases(settings, folder, signal))];
}

function copyShareMap({ shareMapPath }: Paths, folder: string): BundlePart[] {
  if (!existsSync(shareMapPath)) return [];
  const target = path.join(folder, shareMapPart);
  copyFileSync(shareMapPath, target);
  const content = readFileSync(target);
  return [{ name: shareMapPart, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') }];
}

async function packReleases({ agentReleasesDir }: Paths, folder: string, signal: AbortSignal): Promise<BundlePart[]> {
  const files = existsSync(agentReleasesDir) ? readdirSync(agentReleasesDir, { recursive: true, encoding: 'utf8' }).sort() : [];
  const found = files.filter((name) => !name.endsWith('.partial') && statSync(path.join(agentReleasesDir, name)).isFile());
  if (found.length === 0) return [];
  const target = path.join(folder, releasesPart);
  const pack = tar.pack();
  const written = pipeline(pack, createWriteStream(target, { mode: 0o600 }), { signal });
  // Reported by the await below.
  written.catch(() => {});
  for (const name of found) {
    const file = path.join(agentReleasesDir, name);
    const { size, mtime } = statSync(file);
    await pipeline(createReadStream(file), pack.entry({ name, size, mtime, mode: 0o600 }), { signal });
  }
  pack.finalize();
  await written;
  return [{ name: releasesPart, bytes: statSync(target).size, sha256: await digestFile(target, signal) }];
}

/** What a restore does with the files of the bundle, one sentence each. */
export function describeFiles({ shareMapPath, agentReleasesDir }: Paths, { manifest }: Bundle): string[] {
  const has = (part: string): boolean => manifest.files.some(({ name }) => name === part);
  return [
    ...(has(shareMapPart) ? [`Write the share map to ${shareMapPath}.`] : []),
    ...(has(releasesPart) ? [`Write the releases of agents to ${agentReleasesDir}.`] : []),
  ];
}

export async function restoreFiles({ shareMapPath, agentReleasesDir }: Paths, { folder, manifest }: Bundle): Promise<void> {
  const has = (part: string): boolean => manifest.files.some(({ name }) => name === part);
  if (has(shareMapPart)) {
    if (existsSync(shareMapPath)) copyFileSync(shareMapPath, `${shareMapPath}.before-restore`);
    copyFileSync(path.join(folder, shareMapPart), shareMapPath);
  }
  if (has(releasesPart)) await unpackReleases(agentReleasesDir, path.join(folder, releasesPart));
}

async function unpackReleases(into: string, file: string): Promise<void> {
  const extract = tar.extract();
  const feeding = pipeline(createReadStream(file), extract);
  // Reported by the loop below, or by the await after it.
  feeding.catch(() => {});
  for await (const entry of extract) {
    const target = path.resolve(into, entry.header.name);
    if (!target.startsWith(path.resolve(into) + path.sep)) throw new DamagedBundle(`${releasesPart} names a file outside its folder.`);
    mkdirSync(path.dirname(target), { recursive: true });
    await pipeline(entry as unknown as NodeJS.ReadableStream, createWriteStream(target, { mode: 0o600 }));
  }
  await feeding;
}
