import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Settings } from '../../settings/index.ts';

/** The files of exports: {config}/exports/<id>. Nothing that a person entered is part of a path. */
export function exportFolder({ configDir }: Pick<Settings, 'configDir'>): string {
  return path.join(configDir, 'exports');
}

export const exportFile = (folder: string, id: string): string => path.join(folder, id);
const partialFile = (folder: string, id: string): string => path.join(folder, `${id}.partial`);

/**
 * Writes a stream to the file of an export. The file appears under its name only when it is complete and on disk; whatever an earlier run
 * left is replaced.
 */
export async function writeExport(
  folder: string,
  id: string,
  bytes: Readable,
  { signal, onBytes }: { signal: AbortSignal; onBytes(total: number): void },
): Promise<{ bytes: number; sha256: string }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let total = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      total += chunk.length;
      onBytes(total);
      done(null, chunk);
    },
  });
  const partial = partialFile(folder, id);
  try {
    await pipeline(bytes, measure, createWriteStream(partial, { mode: 0o600 }), { signal });
    const file = await open(partial, 'r+');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, exportFile(folder, id));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { bytes: total, sha256: hash.digest('hex') };
}

export async function removeExport(folder: string, id: string): Promise<void> {
  await rm(partialFile(folder, id), { force: true });
  await rm(exportFile(folder, id), { force: true });
}

/** The size of an export's file; null when it is gone. */
export async function exportSize(folder: string, id: string): Promise<number | null> {
  try {
    return (await stat(exportFile(folder, id))).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Ids of all exports that have a file, complete or not. */
export async function listExportFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return [...new Set(names.map((name) => name.replace(/\.partial$/, '')))].filter((name) => /^[0-9a-f-]{36}$/.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
