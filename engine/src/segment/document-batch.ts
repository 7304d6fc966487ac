import type { Document, Schema } from '../types.ts';
import { GrowingF64, GrowingU16, GrowingU32 } from './growing-arrays.ts';

/**
 * Documents as they are sent to the writer thread. A few typed arrays cost the calling thread a third of what cloning thousands of objects
 * costs, and the writer thread creates no strings from them.
 *
 *  units    UTF-16 code units of all strings, concatenated
 *  lengths  per document: length of id and fingerprint; per string field the number of values and the length of each; 1 or 0 for a vector
 *  numbers  per document: the number fields (NaN when missing), then latitude and longitude
 *  floats   the vectors
 */
export interface DocumentBatch {
  documents: number;
  units: Uint16Array<ArrayBuffer>;
  lengths: Uint32Array<ArrayBuffer>;
  numbers: Float64Array<ArrayBuffer>;
  floats: Float32Array<ArrayBuffer>;
}

/** A string field and its indexes in the lists of the schema, -1 where it is not listed. */
export interface StringField {
  name: string;
  text: number;
  keyword: number;
  sortable: number;
  scope: boolean;
}

/** Returns every string field once, text fields first and in schema order. */
export function stringFields(schema: Schema): StringField[] {
  const texts = schema.text.map(({ name }) => name);
  const keywords = schema.keyword.map(({ name }) => name);
  const names = new Set([...texts, ...keywords, ...schema.sortable, ...(schema.scope === undefined ? [] : [schema.scope])]);
  return [...names].map((name) => ({
    name,
    text: texts.indexOf(name),
    keyword: keywords.indexOf(name),
    sortable: schema.sortable.indexOf(name),
    scope: schema.scope === name,
  }));
}

/** The buffers that are transferred with a batch instead of being cloned. */
export const transferList = ({ units, lengths, numbers, floats }: DocumentBatch): ArrayBuffer[] =>
  [units, lengths, numbers, floats].map((each) => each.buffer);

/** Packs validated documents until a batch is taken. */
export interface BatchPacker {
  /** Code units packed since the last batch was taken. */
  units(): number;
  add(document: Document): void;
  take(): DocumentBatch;
}

/** Longer strings are copied with one call, shorter ones unit by unit, because a call costs about as much as a hundred units. */
const longString = 128;
const maxKeptUnits = 1 << 22;

export function createBatchPacker(schema: Schema): BatchPacker {
  const fields = stringFields(schema).map(({ name }) => name);
  // These arrays are reused; a batch is a copy of their contents.
  const units = new GrowingU16(1 << 16);
  const lengths = new GrowingU32(1 << 12);
  const numbers = new GrowingF64(1 << 10);
  let vectors: Float32Array[] = [];
  let documents = 0;

  const put = (text: string) => {
    const { length } = text;
    lengths.push(length);
    units.reserve(length);
    const { items } = units;
    let at = units.length;
    units.length += length;
    if (length > longString) Buffer.from(items.buffer, at * 2, length * 2).write(text, 'utf16le');
    else for (let from = 0; from < length; from++) items[at++] = text.charCodeAt(from);
  };
  return {
    units: () => units.length,
    add(document) {
      documents++;
      put(document.id);
      put(document.fingerprint ?? '');
      for (const name of fields) {
        const value = document[name] as string | readonly string[] | null | undefined;
        if (value === undefined || value === null) lengths.push(0);
        else if (typeof value === 'string') {
          lengths.push(1);
          put(value);
        } else {
          lengths.push(value.length);
          for (const each of value) put(each);
        }
      }
      for (const name of schema.number) {
        const value = document[name] as number | null | undefined;
        // Adding zero turns −0 into 0, so equal numbers have the same ordinal.
        numbers.push(value === undefined || value === null ? Number.NaN : value + 0);
      }
      if (schema.geo !== undefined) {
        const point = document[schema.geo] as { lat: number; lng: number } | null | undefined;
        numbers.push(point?.lat ?? Number.NaN);
        numbers.push(point?.lng ?? Number.NaN);
      }
      if (schema.vector !== undefined) {
        const vector = document[schema.vector.name] as Float32Array | null | undefined;
        lengths.push(vector ? 1 : 0);
        if (vector) vectors.push(vector);
      }
    },
    take() {
      const batch = {
        documents,
        units: units.items.slice(0, units.length),
        lengths: lengths.items.slice(0, lengths.length),
        numbers: numbers.items.slice(0, numbers.length),
        floats: concatenate(vectors),
      };
      for (const each of [units, lengths, numbers]) each.length = 0;
      // One giant document must not keep its memory allocated forever.
      if (units.items.length > maxKeptUnits) units.items = new Uint16Array(1 << 16);
      vectors = [];
      documents = 0;
      return batch;
    },
  };
}

function concatenate(vectors: Float32Array[]): Float32Array<ArrayBuffer> {
  let length = 0;
  for (const vector of vectors) length += vector.length;
  const floats = new Float32Array(length);
  let at = 0;
  for (const vector of vectors) {
    floats.set(vector, at);
    at += vector.length;
  }
  return floats;
}
