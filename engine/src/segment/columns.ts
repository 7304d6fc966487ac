// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table

import type { Schema } from '../types.ts';
import { openDiskStrings, readFully } from './disk-strings.ts';
import type { SegmentTable } from './segment-file.ts';
import type { KeywordColumn, OrderedColumn, Segment, StringColumn, VectorColumn } from './types.ts';
import { denseThreshold } from './write-columns.ts';
import { quantisedBytes } from './write-vectors.ts';

type Locate = (name: string) => number;

export function openColumns(
  segment: Segment,
  table: SegmentTable,
  schema: Schema,
  at: Locate,
  reserve: (bytes: number) => number,
  build: boolean,
): void {
  const length = (name: string) => table.sections[name]![1];
  const strings = (name: string) =>
    openDiskStrings(segment.fd, at(`${name}.offsets`), length(`${name}.offsets`) / 4 - 1, at(`${name}.strings`), length(`${name}.strings`));
  const ordered = (name: string, hasOrder: boolean): OrderedColumn => ({
    ordinals: at(`${name}.ordinals`),
    width: table.facts.widths[`${name}.ordinals`]!,
    order: hasOrder ? at(`${name}.order`) : 0,
    present: hasOrder ? length(`${name}.order`) / 4 : 0,
    values: 0,
    distinct: 0,
  });
  const stringColumn = (name: string, hasOrder: boolean): StringColumn => {
    const own = strings(name);
    return { ...ordered(name, hasOrder), distinct: own.size, strings: own };
  };

  segment.ids = strings('ids');
  segment.fingerprints = strings('prints');
  segment.numbers = schema.number.map((_, index) => ({
    ...ordered(`number.${index}`, true),
    values: at(`number.${index}.values`),
    distinct: length(`number.${index}.values`) / 8,
  }));
  segment.sortables = schema.sortable.map((_, index) => stringColumn(`sortable.${index}`, true));
  segment.scope = schema.scope === undefined ? null : stringColumn('scope', false);
  segment.geo =
    schema.geo === undefined
      ? null
      : { documents: at('geo.documents'), lat: at('geo.lat'), lng: at('geo.lng'), count: length('geo.documents') / 4 };
  segment.vectors = openVectors(schema, table, at, length);
  segment.keywords = schema.keyword.map((field, index) => {
    const name = `keyword.${index}`;
    const own = strings(name);
    const column: KeywordColumn = {
      multi: field.multi === true,
      values: own.size,
      codes: at(`${name}.codes`),
      width: table.facts.widths[`${name}.codes`]!,
      starts: field.multi === true ? at(`${name}.starts`) : 0,
      frequency: at(`${name}.frequency`),
      lists: at(`${name}.lists`),
      listOffsets: at(`${name}.listOffsets`),
      dense: new Uint32Array(0),
      bitmaps: 0,
      strings: own,
    };
    allocateBitmaps(segment, column, reserve, build);
    return column;
  });
}

function openVectors(schema: Schema, { sections }: SegmentTable, at: Locate, length: (name: string) => number): VectorColumn | null {
  if (!schema.vector) return null;
  const { dimension, quantise } = schema.vector;
  return {
    documents: at('vector.documents'),
    count: length('vector.documents') / 4,
    dimension,
    codes: quantise === true ? { at: at('vector.codes'), strengths: at('vector.strengths'), bytes: quantisedBytes(dimension) } : null,
    lists: sections['vector.lists']
      ? {
          starts: at('vector.lists'),
          count: length('vector.lists') / 4 - 1,
          centres: at('vector.centres'),
          rowsByDocument: at('vector.rowsByDocument'),
        }
      : null,
    floats: at('vector.floats'),
  };
}

/** Frequent values are counted and filtered by bitmaps. The first thread builds these from the column; they are not stored on disk. */
function allocateBitmaps(segment: Segment, column: KeywordColumn, reserve: (bytes: number) => number, build: boolean): void {
  const frequency = segment.u32.subarray(column.frequency >>> 2, (column.frequency >>> 2) + column.values + 1);
  const dense: number[] = [];
  frequency.forEach((count, code) => {
    if (code > 0 && count * denseThreshold > segment.documents) dense.push(code);
  });
  column.dense = Uint32Array.from(dense);
  if (dense.length === 0) return;
  column.bitmaps = reserve(dense.length * segment.bitmapBytes);
  if (build) fillBitmaps(segment, column, dense);
}

function fillBitmaps(segment: Segment, column: KeywordColumn, dense: readonly number[]): void {
  const slot = new Int32Array(column.values + 1).fill(-1);
  dense.forEach((code, index) => {
    slot[code] = (column.bitmaps + index * segment.bitmapBytes) >>> 2;
    segment.kernels.clear(column.bitmaps + index * segment.bitmapBytes, segment.blocks);
  });
  const { u32 } = segment;
  const set = (code: number, doc: number) => {
    const at = slot[code]!;
    if (at >= 0) u32[at + (doc >>> 5)]! |= 1 << (doc & 31);
  };
  if (column.multi) {
    const starts = column.starts >>> 2;
    const codes = codesView(segment, column.codes, column.width);
    for (let doc = 0; doc < segment.documents; doc++)
      for (let at = u32[starts + doc]!; at < u32[starts + doc + 1]!; at++) set(codes[at]!, doc);
  } else {
    const codes = codesView(segment, column.codes, column.width);
    for (let doc = 0; doc < segment.documents; doc++) set(codes[doc]!, doc);
  }
}

/** Returns a view of the codes or ordinals at an address. The view extends to the end of memory. */
export function codesView(segment: Segment, at: number, width: number): Uint8Array | Uint16Array | Uint32Array {
  const { buffer } = segment.u8;
  if (width === 1) return new Uint8Array(buffer, at);
  return width === 2 ? new Uint16Array(buffer, at) : new Uint32Array(buffer, at);
}

/** Returns the floats of one row: from memory, or read from disk into the given array when memory holds only 1-bit codes. */
export function vectorRow(source: Segment, row: number, into?: Float32Array): Float32Array {
  const { vectors } = source;
  const { dimension, floats, codes } = vectors!;
  if (!codes) return source.f32.subarray((floats >>> 2) + row * dimension, (floats >>> 2) + (row + 1) * dimension);
  const vector = into ?? new Float32Array(dimension);
  readFully(source.fd, new Uint8Array(vector.buffer), floats + row * dimension * 4);
  return vector;
}

/** Returns the row of a document in the vectors of its segment, or -1. */
export function rowOfDocument({ documents: all, vectors, u32 }: Segment, doc: number): number {
  if (!vectors) return -1;
  const documents = vectors.documents >>> 2;
  const byDocument = vectors.lists ? vectors.lists.rowsByDocument >>> 2 : null;
  const rowAt = (at: number) => (byDocument === null ? at : u32[byDocument + at]!);
  // Only documents without a vector can be missing before this one, so that the search is short in most segments.
  let low = Math.max(0, doc - (all - vectors.count));
  let high = Math.min(doc + 1, vectors.count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (u32[documents + rowAt(middle)]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < vectors.count && u32[documents + rowAt(low)] === doc ? rowAt(low) : -1;
}
