// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length stored with the array
/** The terms of a segment as concatenated UTF-8 in byte order. Term i is bytes[offsets[i] … offsets[i + 1]). */
export interface Dictionary {
  bytes: Uint8Array;
  /** One entry more than there are terms. */
  offsets: Uint32Array;
  size: number;
}

/** Receives half-open ranges of dictionary indexes with the same level. */
export type RangeSink = (from: number, to: number, level: number) => void;

const encoder = new TextEncoder();

export function encodeTerm(term: string): Uint8Array {
  return encoder.encode(term);
}

/** Builds a dictionary from terms in any order; duplicates are removed. */
export function buildDictionary(terms: Iterable<string>): Dictionary {
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

/** Compares at most `length` bytes of term `index` with `key`: negative, zero or positive. */
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

/** Returns the first term that is ≥ `key`. */
function lowerBound(dictionary: Dictionary, key: Uint8Array): number {
  let low = 0;
  let high = dictionary.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareStart(dictionary, middle, key, key.length) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of a term, or -1. */
export function findTerm(dictionary: Dictionary, term: string): number {
  const key = encodeTerm(term);
  const at = lowerBound(dictionary, key);
  if (at === dictionary.size || compareStart(dictionary, at, key, key.length) !== 0) return -1;
  return dictionary.offsets[at + 1]! - dictionary.offsets[at]! === key.length ? at : -1;
}

/** Returns whether term `index` shares its first `length` bytes with the bytes at `start`, or sorts before them. */
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

/** Returns the end of the run of terms after `index` with the same first `length` bytes, by galloping search: most runs are short. */
function endOfSharedPrefix(dictionary: Dictionary, index: number, length: number): number {
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

/** Returns the range of terms that start with `prefix`; it may be empty. */
export function prefixRange(dictionary: Dictionary, prefix: string): { from: number; to: number } {
  const key = encodeTerm(prefix);
  const from = lowerBound(dictionary, key);
  if (from === dictionary.size || compareStart(dictionary, from, key, key.length) !== 0) return { from, to: from };
  return { from, to: endOfSharedPrefix(dictionary, from, key.length) };
}
