import { createTermTable, numberTokens, type TermTable } from '../text/index.ts';
import type { Document, Schema } from '../types.ts';
import { GrowingF64, GrowingU32 } from './growing-arrays.ts';

/**
 * Documents on their way into a segment: already cut into tokens and codes, in the order they came. Values are numbered in the order
 * they were first seen, from 1; 0 is a missing value. The writer of segments sorts and renumbers them.
 *
 * The token stream holds, per document and filled text field, the field's number, the count of entries that follow, and the entries:
 *   term + 2           a token at the next position
 *   0, term + 2, back  the extra token of a chunk, `back` positions before the next one
 *   1                  a gap of eight positions between two values
 */
export const extraMark = 0;
export const gapMark = 1;
export const firstCode = 2;
export const valueGap = 8;

/** Distinct strings numbered from 1 in order of appearance. */
export interface ValueTable {
  values: string[];
  places: Map<string, number> | null;
  /** Whether `values` already stand in their final order (a merge produces them so). */
  sorted: boolean;
}

export interface KeywordDraft extends ValueTable {
  codes: GrowingU32;
  starts: GrowingU32;
}

export interface StringDraft extends ValueTable {
  codes: GrowingU32;
}

export interface VectorDraft {
  documents: GrowingU32;
  floats: Float32Array;
  length: number;
}

export interface Draft {
  schema: Schema;
  count: number;
  ids: string[];
  prints: string[];
  terms: TermTable & ValueTable;
  stream: GrowingU32;
  streamStarts: GrowingU32;
  keywords: KeywordDraft[];
  numbers: GrowingF64[];
  sortables: StringDraft[];
  scope: StringDraft | null;
  geo: { documents: GrowingU32; lat: GrowingF64; lng: GrowingF64 } | null;
  vectors: VectorDraft | null;
}

export function createValueTable(): ValueTable {
  return { values: [], places: new Map(), sorted: false };
}

export function createDraft(schema: Schema): Draft {
  const strings = (): StringDraft => ({ ...createValueTable(), codes: new GrowingU32() });
  return {
    schema,
    count: 0,
    ids: [],
    prints: [],
    terms: { ...createTermTable(), places: null, sorted: false },
    stream: new GrowingU32(1 << 16),
    streamStarts: new GrowingU32(),
    keywords: schema.keyword.map(() => ({ ...createValueTable(), codes: new GrowingU32(), starts: new GrowingU32() })),
    numbers: schema.number.map(() => new GrowingF64()),
    sortables: schema.sortable.map(strings),
    scope: schema.scope === undefined ? null : strings(),
    geo: schema.geo === undefined ? null : { documents: new GrowingU32(), lat: new GrowingF64(), lng: new GrowingF64() },
    vectors: schema.vector === undefined ? null : { documents: new GrowingU32(), floats: new Float32Array(0), length: 0 },
  };
}

/** The number of a value, giving it one when it is new. */
function numberOf(table: ValueTable, value: string): number {
  const known = table.places!.get(value);
  if (known !== undefined) return known;
  const number = table.values.push(value);
  table.places!.set(value, number);
  return number;
}

/** Takes in a document that `checkDocument` has accepted; answers its number in the draft. */
export function addDocument(draft: Draft, document: Document): number {
  const { schema } = draft;
  const place = draft.count++;
  draft.ids.push(document.id);
  draft.prints.push(document.fingerprint ?? '');
  draft.streamStarts.push(draft.stream.length);
  schema.text.forEach((field, index) => {
    const value = document[field.name];
    if (value !== undefined && value !== null) addText(draft, index, value as string | readonly string[]);
  });
  for (const [index, field] of schema.keyword.entries())
    addKeyword(draft.keywords[index]!, document[field.name] as string | readonly string[] | null | undefined);
  schema.number.forEach((name, index) => {
    const value = document[name] as number | null | undefined;
    // Adding zero turns −0 into 0, so that one number has one ordinal.
    draft.numbers[index]!.push(value === undefined || value === null ? Number.NaN : value + 0);
  });
  for (const [index, name] of schema.sortable.entries()) addString(draft.sortables[index]!, document[name] as string | null | undefined);
  if (draft.scope) addString(draft.scope, document[schema.scope!] as string | null | undefined);
  if (draft.geo) addPoint(draft.geo, place, document[schema.geo!] as { lat: number; lng: number } | null | undefined);
  if (draft.vectors) {
    const vector = document[schema.vector!.name] as Float32Array | null | undefined;
    if (vector) addVector(draft.vectors, place, vector, 1 / vectorLength(vector));
  }
  return place;
}

function addText(draft: Draft, field: number, value: string | readonly string[]): void {
  const { stream, terms } = draft;
  const head = stream.length;
  stream.push(field);
  stream.push(0);
  let position = 0;
  const take = (term: number, at: number, extra: boolean) => {
    if (extra) {
      stream.push(extraMark);
      stream.push(term - 1 + firstCode);
      stream.push(position - at);
    } else {
      stream.push(term - 1 + firstCode);
      position = at + 1;
    }
  };
  for (const text of typeof value === 'string' ? [value] : value) {
    if (stream.length > head + 2) {
      stream.push(gapMark);
      position += valueGap;
    }
    numberTokens(text, terms, take, position);
  }
  // A gap at the very end separates nothing.
  while (stream.length > head + 2 && stream.items[stream.length - 1] === gapMark) stream.length--;
  const entries = stream.length - head - 2;
  if (entries === 0) stream.length = head;
  else stream.items[head + 1] = entries;
}

function addKeyword(draft: KeywordDraft, value: string | readonly string[] | null | undefined): void {
  draft.starts.push(draft.codes.length);
  if (value === undefined || value === null) return;
  if (typeof value === 'string') draft.codes.push(numberOf(draft, value.toWellFormed()));
  else for (const each of new Set(value)) draft.codes.push(numberOf(draft, each.toWellFormed()));
}

function addString(draft: StringDraft, value: string | null | undefined): void {
  draft.codes.push(value === undefined || value === null ? 0 : numberOf(draft, value.toWellFormed()));
}

function addPoint(geo: NonNullable<Draft['geo']>, place: number, point: { lat: number; lng: number } | null | undefined): void {
  if (!point) return;
  geo.documents.push(place);
  geo.lat.push(point.lat);
  geo.lng.push(point.lng);
}

function vectorLength(vector: Float32Array): number {
  let squares = 0;
  for (const each of vector) squares += each * each;
  return Math.sqrt(squares);
}

/** Vectors are kept at length one, so that the cosine is a plain product; a merge hands them on unscaled. */
export function addVector(draft: VectorDraft, place: number, vector: Float32Array, scale: number): void {
  if (draft.length + vector.length > draft.floats.length) {
    const larger = new Float32Array(Math.max(draft.floats.length * 2, draft.length + vector.length * 16));
    larger.set(draft.floats.subarray(0, draft.length));
    draft.floats = larger;
  }
  for (const each of vector) draft.floats[draft.length++] = each * scale;
  draft.documents.push(place);
}
