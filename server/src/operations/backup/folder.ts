import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '../../settings/index.ts';
import { type BundlePart, bundleNamePattern, DamagedBundle, type Manifest, manifestName, parseManifest, partsOf } from './manifest.ts';

/**
 * A bundle is a folder `<name>` below {config}/backups. While it is written it is called `<name>.partial`; the rename makes it a backup.
 */
export interface Bundle {
  name: string;
  folder: string;
  manifest: Manifest;
}

export interface Verification {
  verified_at: string;
  ok: boolean;
  /** What was wrong, or null. */
  error: string | null;
  seconds: number;
}

const namePattern = new RegExp(bundleNamePattern);
const verificationName = 'verification.json';
const partialMaxAgeMs = 3_600_000;

export function backupsFolder({ configDir }: Pick<Settings, 'configDir'>): string {
  return path.join(configDir, 'backups');
}

export function bundleName(now: Date): string {
  return `catalog-${now.toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

/** The names of the finished bundles in a folder, newest first. */
export function bundleNames(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => namePattern.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
}

/** Null when the name is malformed or unknown. */
export function findBundleFolder(settings: Pick<Settings, 'configDir'>, name: string): string | null {
  const folder = path.join(backupsFolder(settings), name);
  return namePattern.test(name) && existsSync(path.join(folder, manifestName)) ? folder : null;
}

export function openBundle(folder: string): Bundle {
  const file = path.join(folder, manifestName);
  if (!existsSync(file)) throw new DamagedBundle(`${manifestName} is missing, so the folder is not a backup.`);
  const manifest = parseManifest(readFileSync(file, 'utf8'));
  return { name: manifest.name, folder, manifest };
}

/** Compares size and checksum of every part; throws DamagedBundle with the name of the first that differs. */
export async function checkParts({ folder, manifest }: Bundle, signal?: AbortSignal): Promise<void> {
  for (const part of partsOf(manifest)) await checkPart(folder, part, signal);
}

async function checkPart(folder: string, part: BundlePart, signal?: AbortSignal): Promise<void> {
  const file = path.join(folder, part.name);
  if (!existsSync(file)) throw new DamagedBundle(`${part.name} is missing.`);
  const { size } = statSync(file);
  if (size !== part.bytes) throw new DamagedBundle(`${part.name} is damaged: it has ${size} bytes instead of ${part.bytes}.`);
  if ((await digestFile(file, signal)) !== part.sha256) throw new DamagedBundle(`${part.name} is damaged: its checksum does not match.`);
}

export async function digestFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done();
    },
  });
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), sink, ...(signal ? [{ signal }] : []));
  return hash.digest('hex');
}

/** Creates `<name>.partial`, with a number appended to the name when it is taken. */
export function createPartial(folder: string, wanted: string): { name: string; folder: string } {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    const partial = path.join(folder, `${name}.partial`);
    if (existsSync(path.join(folder, name)) || existsSync(partial)) continue;
    mkdirSync(path.join(partial, 'database'), { recursive: true, mode: 0o700 });
    return { name, folder: partial };
  }
}

/** Makes everything durable, then renames. After a power failure the bundle is either whole or still called partial. */
export async function finishPartial(partial: string): Promise<string> {
  const entries = readdirSync(partial, { recursive: true, withFileTypes: true });
  await Promise.all(entries.map((entry) => sync(path.join(entry.parentPath, entry.name))));
  await sync(partial);
  const folder = partial.slice(0, -'.partial'.length);
  renameSync(partial, folder);
  await sync(path.dirname(folder));
  return folder;
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function removeBundle(folder: string): void {
  // A folder without its manifest is not a backup, so an interrupted removal never leaves a bundle that looks whole.
  rmSync(path.join(folder, manifestName), { force: true });
  rmSync(folder, { recursive: true, force: true });
}

/** Removes what interrupted runs left behind. */
export function removeOldPartials(folder: string, now: Date): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    const unfinished = name.endsWith('.partial') && now.getTime() - statSync(file).mtimeMs > partialMaxAgeMs;
    const halfRemoved = namePattern.test(name) && !existsSync(path.join(file, manifestName));
    if (unfinished || halfRemoved) rmSync(file, { recursive: true, force: true });
  }
}

/** Keeps the bundle just made and the newest others, `keep` in all. Names are times: if the clock was ahead before, older bundles have later names. */
export function applyRetention(folder: string, keep: number, made: string): string[] {
  const surplus = bundleNames(folder)
    .filter((name) => name !== made)
    .slice(keep - 1);
  for (const name of surplus) removeBundle(path.join(folder, name));
  return surplus;
}

export function readVerification(folder: string): Verification | null {
  const file = path.join(folder, verificationName);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Verification) : null;
}

export function writeVerification(folder: string, result: Verification): void {
  const file = path.join(folder, verificationName);
  writeFileSync(`${file}.partial`, `${JSON.stringify(result)}\n`);
  renameSync(`${file}.partial`, file);
}
