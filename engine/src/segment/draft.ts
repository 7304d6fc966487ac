import type { Schema } from '../types.ts';
import { GrowingF64, GrowingU32 } from './growing-arrays.ts';
import type { Texts } from './sort-texts.ts';
import type { Values } from './values.ts';

/**
 * The token stream holds, per document and non-empty text field: the field number, the number of entries, and the entries.
 *  term + 2           a token at the next position
 *  0, term + 2, back  an extra token, `back` positions before the next one
 *  1                  a gap of eight positions between two values
 */
export const extraMark = 0;
export const gapMark = 1;
export const firstCode = 2;
export const valueGap = 8;

/** Tokenised documents for a new segment, from a document buffer or a merge. Codes number the values from 1; 0 is a missing value. */
export interface SegmentDraft {
  schema: Schema;
  ids: Texts;
  fingerprints: Texts;
  terms: Values;
  stream: GrowingU32;
  streamStarts: GrowingU32;
  keywords: KeywordDraft[];
  numbers: GrowingF64[];
  sortables: StringDraft[];
  scope: StringDraft | null;
  geo: PointDraft | null;
  vectors: VectorDraft | null;
}

export interface KeywordDraft {
  values: Values;
  codes: GrowingU32;
  starts: GrowingU32;
}

export interface StringDraft {
  values: Values;
  codes: GrowingU32;
}

interface PointDraft {
  documents: GrowingU32;
  lat: GrowingF64;
  lng: GrowingF64;
}

export interface VectorDraft {
  documents: GrowingU32;
  floats: Float32Array;
  length: number;
}

/** Creates the columns whose values need no sorting. */
export function createColumns(schema: Schema): Pick<SegmentDraft, 'stream' | 'streamStarts' | 'numbers' | 'geo' | 'vectors'> {
  return {
    stream: new GrowingU32(1 << 16),
    streamStarts: new GrowingU32(),
    numbers: schema.number.map(() => new GrowingF64()),
    geo: schema.geo === undefined ? null : { documents: new GrowingU32(), lat: new GrowingF64(), lng: new GrowingF64() },
    vectors: schema.vector === undefined ? null : { documents: new GrowingU32(), floats: new Float32Array(0), length: 0 },
  };
}

/** Vectors are stored with length one, so that the cosine is a dot product. Merges pass scale 1 for vectors stored before. */
export function addVector(draft: VectorDraft, document: number, vector: Float32Array, scale: number): void {
  if (draft.length + vector.length > draft.floats.length) {
    const larger = new Float32Array(Math.max(draft.floats.length * 2, draft.length + vector.length * 16));
    larger.set(draft.floats.subarray(0, draft.length));
    draft.floats = larger;
  }
  for (const each of vector) draft.floats[draft.length++] = each * scale;
  draft.documents.push(document);
}
