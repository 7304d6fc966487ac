import { randomBytes } from 'node:crypto';
import { linkSync, rmSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError } from '../errors.ts';
import { removeLeftovers } from './directory.ts';
import { takeLock } from './lock.ts';
import { readManifestSync, writeManifest } from './manifest.ts';

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
