import type { Document, Schema } from '../types.ts';

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

/** Packs documents that the schema's check has accepted. */
export function parcelPacker(schema: Schema): (documents: readonly Document[], from: number, to: number) => Parcel {
  const fields = stringFields(schema).map(({ name }) => name);
  return (documents, from, to) => {
    const strings: string[] = [];
    const lengths: number[] = [];
    const vectors: Float32Array[] = [];
    const numbers = new Float64Array((to - from) * (schema.number.length + (schema.geo === undefined ? 0 : 2)));
    let numbered = 0;
    const put = (text: string) => {
      strings.push(text);
      lengths.push(text.length);
    };
    for (let at = from; at < to; at++) {
      const document = documents[at]!;
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
        numbers[numbered++] = value === undefined || value === null ? Number.NaN : value + 0;
      }
      if (schema.geo !== undefined) {
        const point = document[schema.geo] as { lat: number; lng: number } | null | undefined;
        numbers[numbered++] = point?.lat ?? Number.NaN;
        numbers[numbered++] = point?.lng ?? Number.NaN;
      }
      if (schema.vector !== undefined) {
        const vector = document[schema.vector.name] as Float32Array | null | undefined;
        lengths.push(vector ? 1 : 0);
        if (vector) vectors.push(vector);
      }
    }
    return { documents: to - from, units: unitsOfAll(strings), lengths: Uint32Array.from(lengths), numbers, floats: inOne(vectors) };
  };
}

function unitsOfAll(strings: string[]): Uint16Array<ArrayBuffer> {
  const text = strings.join('');
  const units = new Uint16Array(text.length);
  Buffer.from(units.buffer).write(text, 'utf16le');
  return units;
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
