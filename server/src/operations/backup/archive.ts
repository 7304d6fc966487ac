import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import tar from 'tar-stream';
import type { Settings } from '../../settings/index.ts';
import { type Bundle, backupsFolder, createPartial, findBundleFolder, finishPartial, openBundle } from './folder.ts';
import {
  type BundlePart,
  bundleNamePattern,
  DamagedBundle,
  formatManifest,
  type Manifest,
  manifestName,
  parseManifest,
  partsOf,
} from './manifest.ts';

/** A whole bundle as one tar file: the manifest first, then every part. */
export function packBundle({ folder, manifest }: Bundle): Readable {
  const pack = tar.pack();
  const output = new PassThrough({ highWaterMark: 1_048_576 });
  void fill(pack, folder, manifest).catch((error: Error) => pack.destroy(error));
  // Fails when the reader goes away or `fill` failed; the output is destroyed then.
  void pipeline(pack, output).catch(() => {});
  return output;
}

async function fill(pack: tar.Pack, folder: string, manifest: Manifest): Promise<void> {
  const mtime = new Date(manifest.created_at);
  const at = (name: string): string => `${manifest.name}/${name}`;
  pack.entry({ name: at(manifestName), mtime, mode: 0o600 }, formatManifest(manifest));
  for (const { name, bytes } of partsOf(manifest)) {
    const entry = pack.entry({ name: at(name), size: bytes, mtime, mode: 0o600 });
    await pipeline(createReadStream(path.join(folder, name)), entry);
  }
  pack.finalize();
}

const maxManifestBytes = 16_777_216;

/** Unpacks a bundle into the backups folder. Every part is compared with the manifest while it is written; nothing remains of a bad one. */
export async function importBundle(settings: Settings, source: Readable): Promise<Bundle> {
  let partial: { name: string; folder: string } | undefined;
  let manifest: Manifest | undefined;
  const pending = new Map<string, BundlePart>();
  const extract = tar.extract();
  const feeding = pipeline(source, extract);
  // Reported by the loop below, or by the await after it.
  feeding.catch(() => {});
  try {
    for await (const entry of extract) {
      const name = entry.header.name.slice(entry.header.name.indexOf('/') + 1);
      if (!manifest) {
        if (name !== manifestName) throw new DamagedBundle(`The file is not a backup: it does not begin with ${manifestName}.`);
        manifest = parseManifest(await readText(entry, maxManifestBytes));
        partial = begin(settings, manifest);
        for (const part of partsOf(manifest)) pending.set(part.name, part);
        continue;
      }
      const part = pending.get(name);
      if (!part || !partial) throw new DamagedBundle(`${name} is not listed in ${manifestName}, or occurs twice.`);
      await writePart(entry as unknown as NodeJS.ReadableStream, path.join(partial.folder, name), part);
      pending.delete(name);
    }
    await feeding;
    if (!manifest || !partial) throw new DamagedBundle(`The file is not a backup: ${manifestName} is missing.`);
    const [absent] = pending.keys();
    if (absent !== undefined) throw new DamagedBundle(`${absent} is missing. The file may be cut off; download it again.`);
    return { name: manifest.name, folder: await finishPartial(partial.folder), manifest };
  } catch (error) {
    if (partial) rmSync(partial.folder, { recursive: true, force: true });
    extract.destroy();
    if (error instanceof Error && /tar header|Unexpected end of data/i.test(error.message))
      throw new DamagedBundle(`The file is damaged or cut off between two parts (${[...pending.keys()][0] ?? manifestName} comes next).`);
    throw error;
  }
}

const safePart = /^(database|files)\/[a-z0-9_.-]+$/;

function begin(settings: Settings, manifest: Manifest): { name: string; folder: string } {
  const unsafe = partsOf(manifest).find(({ name }) => !safePart.test(name));
  if (unsafe || !new RegExp(bundleNamePattern).test(manifest.name))
    throw new DamagedBundle(`${manifestName} names a file outside the backup.`);
  const present = findBundleFolder(settings, manifest.name);
  if (present) {
    const same = formatManifest(openBundle(present).manifest) === formatManifest(manifest);
    throw new BundleExists(`The backup ${manifest.name} is already here${same ? '' : ' with other content'}.`, manifest.name, same);
  }
  const partial = createPartial(backupsFolder(settings), manifest.name);
  if (partial.name !== manifest.name) {
    rmSync(partial.folder, { recursive: true, force: true });
    throw new BundleExists(`The backup ${manifest.name} is being added already.`, manifest.name, false);
  }
  mkdirSync(path.join(partial.folder, 'files'), { mode: 0o700 });
  writeFileSync(path.join(partial.folder, manifestName), formatManifest(manifest), { mode: 0o600 });
  return partial;
}

/** A backup with this name is here already; `same` tells whether it has the same manifest. */
export class BundleExists extends Error {
  readonly bundleName: string;
  readonly same: boolean;
  constructor(message: string, name: string, same: boolean) {
    super(message);
    this.bundleName = name;
    this.same = same;
  }
}

async function readText(stream: AsyncIterable<unknown>, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new DamagedBundle(`${manifestName} is too large.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function writePart(entry: NodeJS.ReadableStream, file: string, part: BundlePart): Promise<void> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(bytes > part.bytes ? new DamagedBundle(`${part.name} is longer than ${manifestName} says.`) : null, chunk);
    },
  });
  await pipeline(entry, measure, createWriteStream(file, { mode: 0o600, flags: 'wx' }));
  if (bytes !== part.bytes || hash.digest('hex') !== part.sha256)
    throw new DamagedBundle(`${part.name} is damaged: its checksum does not match.`);
}
