/** The terms of a segment: UTF-8, end to end, in byte order. Term i is bytes[offsets[i] .. offsets[i + 1]). */
export interface Dictionary {
  bytes: Uint8Array;
  /** One more than there are terms. */
  offsets: Uint32Array;
  size: number;
}

/** Terms are named by their place in the dictionary; a match is the half-open range of places that share a level. */
export type RangeSink = (from: number, to: number, level: number) => void;

const encoder = new TextEncoder();

export function encodeTerm(term: string): Uint8Array {
  return encoder.encode(term);
}

/** Builds a dictionary of terms in any order; doubles are kept once. */
export function dictionaryOf(terms: Iterable<string>): Dictionary {
  const encoded = [...new Set(terms)].map(encodeTerm).sort(Buffer.compare);
  const offsets = new Uint32Array(encoded.length + 1);
  encoded.forEach((term, index) => {
    offsets[index + 1] = offsets[index]! + term.length;
  });
  const bytes = new Uint8Array(offsets[encoded.length]!);
  encoded.forEach((term, index) => {
    bytes.set(term, offsets[index]);
  });
  return { bytes, offsets, size: encoded.length };
}

/** Compares term `index` with `key`, looking at no more than `length` bytes of each: below, at or above zero. */
function compareStart(dictionary: Dictionary, index: number, key: Uint8Array, length: number): number {
  const { bytes, offsets } = dictionary;
  const start = offsets[index]!;
  const available = offsets[index + 1]! - start;
  const shared = Math.min(available, length);
  for (let at = 0; at < shared; at++) {
    const difference = bytes[start + at]! - key[at]!;
    if (difference !== 0) return difference;
  }
  return available < length ? -1 : 0;
}

/** The first term that does not come before `key`. */
export function lowerBound(dictionary: Dictionary, key: Uint8Array, from = 0): number {
  let low = from;
  let high = dictionary.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareStart(dictionary, middle, key, key.length) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a term, or -1. */
export function findTerm(dictionary: Dictionary, term: string): number {
  const key = encodeTerm(term);
  const at = lowerBound(dictionary, key);
  if (at === dictionary.size || compareStart(dictionary, at, key, key.length) !== 0) return -1;
  return dictionary.offsets[at + 1]! - dictionary.offsets[at]! === key.length ? at : -1;
}

/** True when term `index` shares its first `length` bytes with the bytes at `start`, or comes before them. */
function notAbove(dictionary: Dictionary, index: number, start: number, length: number): boolean {
  const { bytes, offsets } = dictionary;
  const own = offsets[index]!;
  const shared = Math.min(offsets[index + 1]! - own, length);
  for (let at = 0; at < shared; at++) {
    const difference = bytes[own + at]! - bytes[start + at]!;
    if (difference !== 0) return difference < 0;
  }
  return true;
}

/** First place after `index` whose term does not share that term's first `length` bytes; gallops, since most runs are short. */
export function endOfShared(dictionary: Dictionary, index: number, length: number): number {
  const start = dictionary.offsets[index]!;
  let low = index;
  let step = 1;
  while (low + step < dictionary.size && notAbove(dictionary, low + step, start, length)) {
    low += step;
    step <<= 1;
  }
  let high = Math.min(low + step, dictionary.size);
  low++;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (notAbove(dictionary, middle, start, length)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The range of terms that start with `prefix`; empty when both ends are equal. */
export function prefixRange(dictionary: Dictionary, prefix: string): { from: number; to: number } {
  const key = encodeTerm(prefix);
  const from = lowerBound(dictionary, key);
  if (from === dictionary.size || compareStart(dictionary, from, key, key.length) !== 0) return { from, to: from };
  return { from, to: endOfShared(dictionary, from, key.length) };
}
