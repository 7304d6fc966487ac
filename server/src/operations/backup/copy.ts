import { createHash, type Hash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import path from 'node:path';
import { PassThrough, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type BundleTable, DamagedBundle } from './manifest.ts';
import { quote, type TableInfo } from './schema.ts';

/** Passes data through and adds it to a digest. */
function measuring(): { stream: Transform; hash: Hash; bytes(): number } {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    highWaterMark: 1_048_576,
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { stream, hash, bytes: () => bytes };
}

const columnList = (columns: readonly string[]): string => columns.map(quote).join(', ');

const partName = (table: string): string => `database/${table}.copy.zst`;
const digestOfNothing = createHash('sha256').digest('hex');

/** How a table without rows is recorded: without a file, because most tables of a small catalog have none. */
export const emptyTable = ({ name, columns }: TableInfo): BundleTable => ({
  name: partName(name),
  bytes: 0,
  sha256: digestOfNothing,
  table: name,
  columns,
  rows: 0,
  rows_sha256: digestOfNothing,
});

/** Writes one table to `database/<table>.copy.zst` of the bundle. */
export async function writeTable(client: pg.ClientBase, folder: string, table: TableInfo, signal: AbortSignal): Promise<BundleTable> {
  const name = partName(table.name);
  const rows = measuring();
  const stored = measuring();
  const source = client.query(copyTo(`copy public.${quote(table.name)} (${columnList(table.columns)}) to stdout`));
  await pipeline(
    source,
    rows.stream,
    createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 3 }, chunkSize: 262_144 }),
    stored.stream,
    createWriteStream(path.join(folder, name), { mode: 0o600, flags: 'wx' }),
    { signal },
  );
  return {
    name,
    bytes: stored.bytes(),
    sha256: stored.hash.digest('hex'),
    table: table.name,
    columns: table.columns,
    rows: source.rowCount,
    rows_sha256: rows.hash.digest('hex'),
  };
}

/**
 * Appends the rows of a part to its table, which must have been truncated in the same transaction: rows are then written as they stay, and
 * need no second pass later. Throws DamagedBundle when the part is not what was written.
 */
export async function loadTable(client: pg.ClientBase, folder: string, part: BundleTable, signal: AbortSignal): Promise<void> {
  const stored = measuring();
  const rows = measuring();
  const sink = client.query(copyFrom(`copy public.${quote(part.table)} (${columnList(part.columns)}) from stdin with (freeze)`));
  try {
    await pipeline(createReadStream(path.join(folder, part.name)), stored.stream, createZstdDecompress(), rows.stream, sink, { signal });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (typeof code === 'string' && (code.startsWith('ZSTD_') || code === 'ENOENT'))
      throw new DamagedBundle(`${part.name} is damaged or missing (${code}).`);
    throw error;
  }
  if (stored.hash.digest('hex') !== part.sha256 || rows.hash.digest('hex') !== part.rows_sha256)
    throw new DamagedBundle(`${part.name} is damaged: its checksum does not match.`);
  if (sink.rowCount !== part.rows) throw new DamagedBundle(`${part.name} has ${sink.rowCount} rows instead of ${part.rows}.`);
}

/** The digest that `writeTable` records, of the rows that are in the table now. */
export async function digestTable(client: pg.ClientBase, part: BundleTable, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done();
    },
  });
  const source = client.query(copyTo(`copy public.${quote(part.table)} (${columnList(part.columns)}) to stdout`));
  await pipeline(source, new PassThrough(), sink, { signal });
  return hash.digest('hex');
}
