import type { Document, Schema } from '../types.ts';
import { GrowingF64, GrowingU16, GrowingU32 } from './growing-arrays.ts';

/**
 * Documents as they cross to the writer's thread: a few plain arrays instead of thousands of objects, which costs the caller's thread a
 * third of copying them and the writer's no strings at all.
 *
 *   units    the UTF-16 units of all strings, end to end
 *   lengths  per document: of its id, of its fingerprint; per string field the count of values and the length of each; with vectors 1 or 0
 *   numbers  per document: the number fields, NaN where missing; latitude and longitude
 *   floats   the vectors that are there
 */
export interface Parcel {
  documents: number;
  units: Uint16Array<ArrayBuffer>;
  lengths: Uint32Array<ArrayBuffer>;
  numbers: Float64Array<ArrayBuffer>;
  floats: Float32Array<ArrayBuffer>;
}

/** A string field by what it is in the schema: places in its lists, -1 where it is not. */
export interface StringField {
  name: string;
  text: number;
  keyword: number;
  sortable: number;
  scope: boolean;
}

/** Every string field once, text fields first and in their order. */
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

/** What changes hands with a parcel. */
export const buffersOf = ({ units, lengths, numbers, floats }: Parcel): ArrayBuffer[] =>
  [units, lengths, numbers, floats].map((each) => each.buffer);

/** Puts documents that the schema's check has accepted together until a parcel is taken. */
export interface Packer {
  /** Units packed since the last parcel was taken. */
  units(): number;
  add(document: Document): void;
  take(): Parcel;
}

/** Longer strings are copied in one call, shorter ones unit by unit: a call costs as much as some hundred units. */
const longString = 128;
const largestRoom = 1 << 22;

export function createPacker(schema: Schema): Packer {
  const fields = stringFields(schema).map(({ name }) => name);
  // The room is used again and again; parcels are copies of what is in it.
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
        // Adding zero turns −0 into 0, so that one number has one ordinal.
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
      const parcel = {
        documents,
        units: units.items.slice(0, units.length),
        lengths: lengths.items.slice(0, lengths.length),
        numbers: numbers.items.slice(0, numbers.length),
        floats: inOne(vectors),
      };
      for (const each of [units, lengths, numbers]) each.length = 0;
      // One giant document must not hold its room for good.
      if (units.items.length > largestRoom) units.items = new Uint16Array(1 << 16);
      vectors = [];
      documents = 0;
      return parcel;
    },
  };
}

function inOne(vectors: Float32Array[]): Float32Array<ArrayBuffer> {
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
