import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Cell, RowSource } from '../../reports/index.ts';
import { type FormatName, type FormatOptions, formatNames, type TextFormat } from './contract.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { encodeXlsx, xlsxMediaType } from './xlsx.ts';
import { xml } from './xml.ts';

export { type FormatName, formatNames };

const textFormats: Record<Exclude<FormatName, 'xlsx'>, TextFormat> = { csv, ndjson, xml };

export function describeFormat(format: FormatName, gzip: boolean): { mediaType: string; extension: string } {
  const { mediaType, extension } = format === 'xlsx' ? { mediaType: xlsxMediaType, extension: 'xlsx' } : textFormats[format];
  return gzip ? { mediaType: 'application/gzip', extension: `${extension}.gz` } : { mediaType, extension };
}

interface EncodeOptions extends FormatOptions {
  gzip: boolean;
  signal?: AbortSignal | undefined;
  /** Called with the number of rows after each batch. */
  onRows?: (rows: number) => void;
}

/** The bytes of an export. Memory holds a batch of rows at a time, whatever the number of rows. */
export function encodeSource(source: RowSource, format: FormatName, options: EncodeOptions): Readable {
  const batches = counted(source.batches(options.signal ? { signal: options.signal } : {}), options.onRows);
  const bytes = format === 'xlsx' ? encodeXlsx(source, batches) : encodeText(textFormats[format], source, batches, options);
  const stream = Readable.from(bytes, { objectMode: false, highWaterMark: 256 * 1024 });
  if (!options.gzip) return stream;
  const gzip = createGzip({ level: 6 });
  stream.on('error', (error) => gzip.destroy(error));
  gzip.on('close', () => stream.destroy());
  return stream.pipe(gzip);
}

async function* counted(batches: AsyncIterable<Cell[][]>, onRows: ((rows: number) => void) | undefined): AsyncGenerator<Cell[][]> {
  let rows = 0;
  for await (const batch of batches) {
    yield batch;
    rows += batch.length;
    onRows?.(rows);
  }
}

async function* encodeText(
  format: TextFormat,
  source: RowSource,
  batches: AsyncIterable<Cell[][]>,
  options: FormatOptions,
): AsyncGenerator<Buffer> {
  const { head, rows, tail } = format.open(source, options);
  if (head !== '') yield Buffer.from(head);
  for await (const batch of batches) yield Buffer.from(rows(batch));
  if (tail !== '') yield Buffer.from(tail);
}
