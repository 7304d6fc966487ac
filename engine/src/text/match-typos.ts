import { type Dictionary, endOfShared, prefixRange, type RangeSink } from './dictionary.ts';

/**
 * Terms near a word, by optimal string alignment (insert, delete, substitute, swap neighbours).
 *
 * The dictionary is sorted, so it is walked like a tree: the table of distances of a term is kept row by row, the next term starts
 * at the row where it parts from the last one, and when a row holds nothing within the budget every term that shares the prefix is
 * jumped over. Only the terms that begin with the word's first code point are looked at.
 */
const most = 64;
const unreachable = 99;
/** Row d holds the distances between the first d code points of a term and each beginning of the word. One walk runs at a time. */
const stride = most + 2;
const table = new Uint8Array((most + 1) * stride);
/** Of the term at hand, for each depth: its code point, the byte after it, and the best distance of the whole word so far. */
const path = new Int32Array(most + 1);
const ends = new Int32Array(most + 1);
const best = new Int32Array(most + 1);
const letters = new Int32Array(most);
for (let column = 0; column < stride; column++) table[column] = column;

/** Reports ranges of terms at distance 1 … budget; for a prefix word the distance is that to the best prefix of the term. */
export function matchTypos(dictionary: Dictionary, word: string, budget: number, prefix: boolean, sink: RangeSink): void {
  let width = 0;
  for (const character of word) letters[width++] = character.codePointAt(0)!;
  if (budget === 0 || width === 0) return;
  const { from, to } = prefixRange(dictionary, String.fromCodePoint(letters[0]!));
  const { bytes, offsets } = dictionary;
  best[0] = width;
  let depth = 0;
  let previous = 0;

  let index = from;
  while (index < to) {
    const start = offsets[index]!;
    const end = offsets[index + 1]!;
    const known = Math.min(end - start, ends[depth]!);
    let shared = 0;
    while (shared < known && bytes[previous + shared] === bytes[start + shared]) shared++;
    while (ends[depth]! > shared) depth--;
    previous = start;

    let at = start + ends[depth]!;
    // Nothing deeper can match (dead), or nothing deeper can come closer to the best prefix (settled).
    let dead = false;
    let settled = false;
    while (at < end) {
      let codePoint = bytes[at]!;
      if (codePoint < 0x80) at++;
      else {
        codePoint = codePointAt(bytes, at);
        at += codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
      }
      depth++;
      path[depth] = codePoint;
      ends[depth] = at - start;
      const least = fill(width, depth, codePoint, budget);
      best[depth] = Math.min(best[depth - 1]!, table[depth * stride + width]!);
      settled = prefix && best[depth]! <= least;
      dead = least > budget;
      if (settled || dead) break;
    }
    const distance = prefix ? best[depth]! : table[depth * stride + width]!;
    const jumps = dead || settled;
    const next = jumps ? endOfShared(dictionary, index, at - start) : index + 1;
    if (distance > 0 && distance <= budget && (prefix || !dead)) sink(index, next, distance);
    index = next;
  }
}

/** Fills the row of `depth` inside the band of the budget; answers its smallest distance. */
function fill(width: number, depth: number, letter: number, budget: number): number {
  const row = depth * stride;
  const above = row - stride;
  const first = depth > budget ? depth - budget : 1;
  const last = Math.min(depth + budget, width);
  // The last column is read as the distance of the whole word, so it must not hold a leftover.
  table[row + width] = unreachable;
  if (first > width) return unreachable;
  let left = first === 1 ? depth : unreachable;
  table[row + first - 1] = left;
  let least = left;
  // Above the last column of the band nothing was written.
  if (depth > 1 && last === depth + budget) table[above + last] = unreachable;
  const before = path[depth - 1]!;
  let diagonal = table[above + first - 1]!;
  for (let column = first; column <= last; column++) {
    const up = table[above + column]!;
    let value = diagonal;
    const own = letters[column - 1]!;
    if (own !== letter) {
      if (up < value) value = up;
      if (left < value) value = left;
      value++;
      if (depth > 1 && column > 1 && own === before && letters[column - 2] === letter) {
        const swapped = table[above - stride + column - 2]! + 1;
        if (swapped < value) value = swapped;
      }
      if (value > unreachable) value = unreachable;
    }
    table[row + column] = value;
    diagonal = up;
    left = value;
    if (value < least) least = value;
  }
  return least;
}

function codePointAt(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
  return ((lead & 0x07) << 18) | ((bytes[at + 1]! & 0x3f) << 12) | ((bytes[at + 2]! & 0x3f) << 6) | (bytes[at + 3]! & 0x3f);
}
