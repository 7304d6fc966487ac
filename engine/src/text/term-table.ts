import { asciiPieces, isAscii, longestTerm, tokenizeInto } from './tokenize.ts';

/**
 * Distinct terms numbered from 1 in order of appearance. A token of plain text is looked up by the code units it stands on: nothing is
 * cut out, folded or hashed by the language for a term that is known, which is what nearly every token of a corpus is.
 */
export interface TermTable {
  /** Term n stands at n - 1. */
  values: string[];
  /** Open addressing: numbers of terms, 0 where free. */
  slots: Int32Array;
  hashes: Int32Array;
  /** Code units of all terms, end to end; term n ends at ends[n]. */
  units: Uint16Array;
  ends: Uint32Array;
}

export type NumberSink = (term: number, position: number, extra: boolean) => void;

export function createTermTable(): TermTable {
  return {
    values: [],
    slots: new Int32Array(1 << 12),
    hashes: new Int32Array(1 << 11),
    units: new Uint16Array(1 << 14),
    ends: new Uint32Array(1 << 11),
  };
}

/** As `tokenizeInto`, with the numbers of the terms instead of the terms. */
export function numberTokens(text: string, table: TermTable, sink: NumberSink, base = 0): number {
  if (!isAscii(text))
    return tokenizeInto(text, (term, position, extra) => sink(numberOfPiece(table, term, 0, term.length), position, extra), base);
  const take = (start: number, end: number, position: number, extra: boolean) =>
    sink(numberOfPiece(table, text, start, Math.min(end, start + longestTerm)), position, extra);
  return asciiPieces(text, take, base);
}

/** Capital letters of ASCII are small ones here; everything else is as it stands. */
const fold = (unit: number) => (unit >= 65 && unit <= 90 ? unit | 32 : unit);

function numberOfPiece(table: TermTable, text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ fold(text.charCodeAt(at)), 0x01000193);
  hash ^= hash >>> 15;
  const { slots, hashes, ends, units } = table;
  const mask = slots.length - 1;
  let slot = hash & mask;
  for (;;) {
    const number = slots[slot]!;
    if (number === 0) return add(table, text, start, end, hash, slot);
    if (hashes[number] === hash) {
      const from = ends[number - 1]!;
      const length = ends[number]! - from;
      if (length === end - start) {
        let at = 0;
        while (at < length && units[from + at] === fold(text.charCodeAt(start + at))) at++;
        if (at === length) return number;
      }
    }
    slot = (slot + 1) & mask;
  }
}

function add(table: TermTable, text: string, start: number, end: number, hash: number, slot: number): number {
  const length = end - start;
  const number = table.values.length + 1;
  const from = table.ends[number - 1]!;
  if (from + length > table.units.length) table.units = grown(table.units, new Uint16Array(table.units.length * 2));
  for (let at = 0; at < length; at++) table.units[from + at] = fold(text.charCodeAt(start + at));
  // Through code units, so that the term does not keep the whole text alive.
  table.values.push(String.fromCharCode(...table.units.subarray(from, from + length)));
  if (number + 1 > table.hashes.length) {
    table.hashes = grown(table.hashes, new Int32Array(table.hashes.length * 2));
    table.ends = grown(table.ends, new Uint32Array(table.ends.length * 2));
  }
  table.hashes[number] = hash;
  table.ends[number] = from + length;
  table.slots[slot] = number;
  if (number * 2 > table.slots.length) spread(table);
  return number;
}

function grown<T extends Uint16Array | Int32Array | Uint32Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** Twice the slots, every term put in its new one. */
function spread(table: TermTable): void {
  const slots = new Int32Array(table.slots.length * 2);
  const mask = slots.length - 1;
  for (let number = 1; number <= table.values.length; number++) {
    let slot = table.hashes[number]! & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number;
  }
  table.slots = slots;
}
