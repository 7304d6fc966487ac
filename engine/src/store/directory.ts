import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../errors.ts';
import { checkSchema, normalizeSchema } from '../schema.ts';
import type { Schema } from '../types.ts';
import { type Manifest, manifestFile, readManifestSync, writeManifest } from './manifest.ts';

/**
 * The lock that allows one writer per index. It is an open exclusive transaction on an empty SQLite database: the operating system releases
 * it when the process ends, so a crash leaves no stale lock.
 */
interface Lock {
  release(): void;
}

const lockFiles = ['lock', 'lock-journal'];

export function acquireLock(directory: string): Lock {
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new EngineError('locked', 'Another writer has this index open. Close it first.');
  }
  return { release: () => database.close() };
}

const ours = /^s-[0-9a-z]+-[0-9a-f]+(\.seg|\.seg\.tmp|\.[0-9a-z]+\.del|\.[0-9a-z]+\.del\.tmp)$/;

/** Creates an empty index in a missing or empty directory. */
export function createIndexDirectory(directory: string, schema: Schema): void {
  checkSchema(schema);
  mkdirSync(directory, { recursive: true });
  const foreignFiles = readdirSync(directory).filter(
    (name) => !ours.test(name) && !lockFiles.includes(name) && name !== `${manifestFile}.tmp`,
  );
  if (foreignFiles.includes(manifestFile)) throw new EngineError('foreign_format', `There already is an index in ${directory}.`);
  if (foreignFiles.length > 0)
    throw new EngineError('foreign_format', `The directory ${directory} contains other files; an index needs an empty directory.`);
  removeLeftovers(directory, null);
  writeManifest(directory, { generation: 1, schema: normalizeSchema(schema), segments: [] });
}

/** Removes engine files that the manifest does not list, left by a crash or a finished merge. */
export function removeLeftovers(directory: string, manifest: Manifest | null): void {
  const named = new Set(manifest?.segments.flatMap((entry) => (entry.deletes ? [entry.file, entry.deletes.file] : [entry.file])));
  for (const name of readdirSync(directory)) {
    if (ours.test(name) && !named.has(name)) unlinkSync(join(directory, name));
  }
}

/**
 * A shadow is an index built beside the live one. A swap links its segments into the live directory and then replaces the manifest there
 * with one rename. After a crash before the rename, the next writer removes the unlisted links; after a crash behind it, the shadow
 * directory remains and is listed by `listShadows`.
 */
const mark = '.shadow-';

export function shadowPath(directory: string): string {
  return `${resolve(directory)}${mark}${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
}

/** Blocks on disk access, so it must run in its own thread. */
export function swapDirectories(directory: string, shadow: string): void {
  const shadowLock = lockIndex(shadow);
  try {
    const lock = lockIndex(directory);
    try {
      const current = readManifestSync(directory);
      const built = readManifestSync(shadow);
      removeLeftovers(directory, current);
      for (const entry of built.segments)
        for (const file of [entry.file, entry.deletes?.file]) if (file !== undefined) linkSync(join(shadow, file), join(directory, file));
      const next = { ...built, generation: Math.max(current.generation, built.generation) + 1 };
      writeManifest(directory, next);
      removeLeftovers(directory, next);
    } finally {
      lock.release();
    }
  } finally {
    shadowLock.release();
  }
  rmSync(shadow, { recursive: true, force: true });
}

/** Checks that the index exists before a lock file is created beside it. */
function lockIndex(directory: string) {
  readManifestSync(directory);
  return acquireLock(directory);
}

/** Lists the shadows of a directory with the time since their last change. */
export async function listShadows(directory: string): Promise<{ path: string; ageMs: number }[]> {
  const parent = dirname(resolve(directory));
  const start = basename(resolve(directory)) + mark;
  const names = (await readdir(parent).catch(ignoreMissing)).filter((name) => name.startsWith(start));
  return Promise.all(
    names.map(async (name) => {
      const path = join(parent, name);
      const { mtimeMs } = await stat(path);
      return { path, ageMs: Math.max(0, Date.now() - mtimeMs) };
    }),
  );
}

/** Without a parent directory there are no shadows. */
function ignoreMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}

/** Removes a shadow, which must have no open writer. */
export async function removeShadow(path: string): Promise<void> {
  if (!basename(path).includes(mark)) throw new EngineError('no_index', `${path} is not a shadow.`);
  await rm(path, { recursive: true, force: true });
}
