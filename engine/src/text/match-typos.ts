import { type Dictionary, encodeTerm, endOfPrefix, prefixRange, type RangeSink } from './dictionary.ts';

/**
 * Terms near a word, by optimal string alignment (insert, delete, substitute, swap neighbours).
 *
 * The dictionary is sorted, so it is walked like a tree: the table of distances of a term is kept row by row, the next term starts
 * at the row where it parts from the last one, and when a row holds nothing within the budget every term that shares the prefix is
 * jumped over. Only the terms that begin with the word's first code point are looked at.
 */
const widest = 255;
const rows: Uint8Array[] = [];

function row(depth: number, width: number): Uint8Array {
  const existing = rows[depth];
  if (existing !== undefined && existing.length >= width) return existing;
  const fresh = new Uint8Array(Math.max(width, 80));
  rows[depth] = fresh;
  return fresh;
}

/** Reports ranges of terms at distance 1 … budget; for a prefix word the distance is that to the best prefix of the term. */
export function matchTypos(dictionary: Dictionary, word: string, budget: number, prefix: boolean, sink: RangeSink): void {
  const letters = Array.from(word, (character) => character.codePointAt(0)!);
  const width = letters.length;
  if (budget === 0 || width === 0 || width > 64) return;
  const { from, to } = prefixRange(dictionary, String.fromCodePoint(letters[0]!));
  const { bytes, offsets } = dictionary;

  const zero = row(0, width + 1);
  for (let column = 0; column <= width; column++) zero[column] = column;
  // Of the term at hand, for each depth: its code point, the byte after it, and the best whole-word distance so far.
  const path: number[] = [0];
  const ends: number[] = [0];
  const best: number[] = [width];
  let depth = 0;
  let previous: Uint8Array = new Uint8Array(0);

  let index = from;
  while (index < to) {
    const term = bytes.subarray(offsets[index]!, offsets[index + 1]!);
    let shared = 0;
    const known = Math.min(previous.length, term.length, ends[depth]!);
    while (shared < known && previous[shared] === term[shared]) shared++;
    while (ends[depth]! > shared) depth--;

    let dead = false;
    // Deeper rows cannot improve the distance to the best prefix once it is no larger than everything in the row.
    let settled = false;
    let at = ends[depth]!;
    while (at < term.length) {
      const codePoint = codePointAt(term, at);
      at += byteLength(codePoint);
      depth++;
      path[depth] = codePoint;
      ends[depth] = at;
      const least = fill(letters, width, depth, path, budget);
      best[depth] = Math.min(best[depth - 1]!, rows[depth]![width]!);
      if (prefix && best[depth]! <= least) {
        settled = true;
        break;
      }
      if (least > budget) {
        dead = true;
        break;
      }
    }
    previous = term;
    if (prefix && (settled || dead)) {
      const end = endOfPrefix(dictionary, term, at, index);
      if (best[depth]! > 0 && best[depth]! <= budget) sink(index, end, best[depth]!);
      index = end;
    } else if (dead) index = endOfPrefix(dictionary, term, at, index);
    else {
      const distance = prefix ? best[depth]! : rows[depth]![width]!;
      if (distance > 0 && distance <= budget) sink(index, index + 1, distance);
      index++;
    }
  }
}

/** Fills the row of `depth` inside the band of the budget; answers its smallest distance. */
function fill(letters: number[], width: number, depth: number, path: number[], budget: number): number {
  const current = row(depth, width + 1);
  const above = rows[depth - 1]!;
  const letter = path[depth]!;
  const first = Math.max(1, depth - budget);
  const last = Math.min(width, depth + budget);
  if (first > width) {
    current[width] = widest;
    return widest;
  }
  current[first - 1] = first === 1 ? Math.min(depth, widest) : widest;
  let least = current[first - 1]!;
  for (let column = first; column <= last; column++) {
    const same = letters[column - 1] === letter;
    let value = above[column - 1]! + (same ? 0 : 1);
    // Outside the band of the row above nothing was written for this word: the last column of the band has no upper neighbour.
    if (column < depth + budget || depth === 1) value = Math.min(value, above[column]! + 1);
    value = Math.min(value, current[column - 1]! + 1);
    if (depth > 1 && column > 1 && !same && letters[column - 2] === letter && letters[column - 1] === path[depth - 1]) {
      value = Math.min(value, rows[depth - 2]![column - 2]! + 1);
    }
    current[column] = Math.min(value, widest);
    if (value < least) least = value;
  }
  // The last column is read as the distance of the whole word, so it must not hold a leftover.
  if (last < width) current[width] = widest;
  return least;
}

function byteLength(codePoint: number): number {
  return codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
}

function codePointAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0x80) return lead;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
  return ((lead & 0x07) << 18) | ((bytes[at + 1]! & 0x3f) << 12) | ((bytes[at + 2]! & 0x3f) << 6) | (bytes[at + 3]! & 0x3f);
}

/** Reports the terms that contain the word anywhere, also at their start. Words of fewer than three code points contain too little. */
export function matchInfix(dictionary: Dictionary, word: string, sink: RangeSink): void {
  if (Array.from(word).length < 3) return;
  const { bytes, offsets, size } = dictionary;
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, offsets[size]!);
  const needle = encodeTerm(word);
  let index = 0;
  let at = haystack.indexOf(needle, 0);
  while (at !== -1) {
    index = termAt(offsets, index, size, at);
    const end = offsets[index + 1]!;
    if (at + needle.length <= end) {
      sink(index, index + 1, 3);
      at = haystack.indexOf(needle, end);
    } else at = haystack.indexOf(needle, at + 1);
  }
}

/** The term that owns the byte at `at`; no earlier than `from`. */
function termAt(offsets: Uint32Array, from: number, size: number, at: number): number {
  let low = from;
  let high = size;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}
