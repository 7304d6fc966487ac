/** All rows of one run of a schedule, {config}/exports/<export id>.rows: compressed lines of JSON, one array of cells each. */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { constants, createGunzip, createGzip } from 'node:zlib';
import type { Cell } from '../reports/index.ts';

const suffix = '.rows';
const rowFile = (folder: string, exportId: string): string => path.join(folder, `${exportId}${suffix}`);
const batchRows = 2000;

export interface RowFile {
  write(rows: readonly Cell[][]): Promise<void>;
  /** The file is complete. */
  finish(): Promise<void>;
  /** Frees the file; without `finish` before, what was written is of no use. */
  close(): void;
}

/** Replaces what an earlier attempt wrote. */
export async function openRowFile(folder: string, exportId: string): Promise<RowFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const file = gzip.pipe(createWriteStream(rowFile(folder, exportId), { mode: 0o600 }));
  const written = finished(file);
  // Awaited by `finish` or reported by the next write.
  written.catch((error: Error) => gzip.destroy(error));
  return {
    async write(rows) {
      const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      await new Promise<void>((resolve, reject) => gzip.write(text, (error) => (error ? reject(error) : resolve())));
    },
    async finish() {
      gzip.end();
      await written;
    },
    close() {
      gzip.destroy();
      file.destroy();
    },
  };
}

/** The rows in batches; none when the file is gone, for instance after the database was restored without it. */
export async function* readRowFile(folder: string, exportId: string): AsyncGenerator<Cell[][]> {
  const names = await rowFiles(folder);
  if (!names.includes(exportId)) return;
  const file = createReadStream(rowFile(folder, exportId));
  const gunzip = file.pipe(createGunzip());
  file.on('error', (error) => gunzip.destroy(error));
  try {
    let batch: Cell[][] = [];
    for await (const line of createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY })) {
      batch.push(JSON.parse(line) as Cell[]);
      if (batch.length < batchRows) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    file.destroy();
    gunzip.destroy();
  }
}

/** Ids of the exports that have a row file. */
export async function rowFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export async function removeRowFile(folder: string, exportId: string): Promise<void> {
  await rm(rowFile(folder, exportId), { force: true });
}
