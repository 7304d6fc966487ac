import { mkdirSync, readdirSync, unlinkSync, linkSync, rmSync } from 'node:fs';
import { join, basename, dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { EngineError } from '../errors.ts';
import { checkSchema, plainSchema } from '../schema.ts';
import type { Schema } from '../types.ts';
import { type Manifest, manifestFile, writeManifest, readManifestSync } from './manifest.ts';

/**
 * One writer for an index. The lock is an open exclusive transaction on an empty SQLite database beside the segments: the kernel holds it
 * for the process and lets go when the process ends, however it ends, so a crash leaves nothing to clean up and no file to judge stale.
 */
export interface Lock {
  release(): void;
}

export const lockFiles = ['lock', 'lock-journal'];

export function takeLock(directory: string): Lock {
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

/** An empty index in a directory that is empty or not there yet. */
export function createDirectory(directory: string, schema: Schema): void {
  checkSchema(schema);
  mkdirSync(directory, { recursive: true });
  const strangers = readdirSync(directory).filter(
    (name) => !ours.test(name) && !lockFiles.includes(name) && name !== `${manifestFile}.tmp`,
  );
  if (strangers.includes(manifestFile)) throw new EngineError('foreign_format', `There is an index in ${directory} already.`);
  if (strangers.length > 0)
    throw new EngineError('foreign_format', `The directory ${directory} holds other files; an index needs an empty one.`);
  removeLeftovers(directory, null);
  writeManifest(directory, { generation: 1, schema: plainSchema(schema), segments: [] });
}

/** Removes our files that the manifest does not name: what a crash or a finished merge left behind. */
export function removeLeftovers(directory: string, manifest: Manifest | null, keep: ReadonlySet<string> = new Set()): void {
  const named = new Set(manifest?.segments.flatMap((entry) => (entry.deletes ? [entry.file, entry.deletes.file] : [entry.file])));
  for (const name of readdirSync(directory)) {
    if (ours.test(name) && !named.has(name) && !keep.has(name)) unlinkSync(join(directory, name));
  }
}

/**
 * A shadow is an index built beside the one in use. The swap links its segments into the directory in use and then replaces the
 * manifest there: one rename decides. A crash before it leaves links that nothing names, which the next writer removes; a crash after
 * it leaves the shadow's directory, which is listed as an orphan until it is removed.
 */
const mark = '.shadow-';

export function shadowPath(directory: string): string {
  return `${resolve(directory)}${mark}${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`;
}

/** Waits for the disk: called in a thread of its own. */
export function swapDirectories(directory: string, shadow: string): void {
  const shadowLock = takeLockOf(shadow);
  try {
    const lock = takeLockOf(directory);
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

/** An index must be there before a lock file is put beside it. */
function takeLockOf(directory: string) {
  readManifestSync(directory);
  return takeLock(directory);
}

/** Shadows of a directory and how long ago each was last written to. */
export async function listShadows(directory: string): Promise<{ path: string; ageMs: number }[]> {
  const parent = dirname(resolve(directory));
  const start = basename(resolve(directory)) + mark;
  const names = (await readdir(parent).catch(() => [])).filter((name) => name.startsWith(start));
  return Promise.all(
    names.map(async (name) => {
      const path = join(parent, name);
      const { mtimeMs } = await stat(path);
      return { path, ageMs: Math.max(0, Date.now() - mtimeMs) };
    }),
  );
}

/** Removes a shadow that nobody writes to. */
export async function removeShadow(path: string): Promise<void> {
  if (!basename(path).includes(mark)) throw new EngineError('no_index', `${path} is not a shadow.`);
  await rm(path, { recursive: true, force: true });
}
