import { asciiPieces, isAscii, longestTerm, tokenizeInto } from './tokenize.ts';

/**
 * Distinct terms numbered from 1 in order of appearance. A token of plain text is looked up by the code units it stands on: nothing is
 * cut out, folded or hashed by the language for a term that is known, which is what nearly every token of a corpus is.
 */
export interface TermTable {
  /** Term n stands at n - 1. */
  values: string[];
  /** Open addressing, two numbers a slot: the hash, and where the term's record starts plus one (0 where free). */
  slots: Int32Array;
  /** Records end to end: the term's number (low half, high half), its length, its code units. One look finds them all. */
  records: Uint16Array;
  used: number;
}

export type NumberSink = (term: number, position: number, extra: boolean) => void;

export function createTermTable(): TermTable {
  return { values: [], slots: new Int32Array(1 << 13), records: new Uint16Array(1 << 14), used: 0 };
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
  const { slots, records } = table;
  const mask = slots.length - 2;
  const length = end - start;
  for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
    const record = slots[slot + 1]! - 1;
    if (record === -1) return add(table, text, start, end, hash, slot);
    if (slots[slot] !== hash || records[record + 2] !== length) continue;
    let at = 0;
    while (at < length && records[record + 3 + at] === fold(text.charCodeAt(start + at))) at++;
    if (at === length) return records[record]! | (records[record + 1]! << 16);
  }
}

function add(table: TermTable, text: string, start: number, end: number, hash: number, slot: number): number {
  const length = end - start;
  const number = table.values.length + 1;
  const record = table.used;
  if (record + 3 + length > table.records.length) {
    const larger = new Uint16Array(table.records.length * 2);
    larger.set(table.records);
    table.records = larger;
  }
  const { records } = table;
  records[record] = number;
  records[record + 1] = number >>> 16;
  records[record + 2] = length;
  for (let at = 0; at < length; at++) records[record + 3 + at] = fold(text.charCodeAt(start + at));
  table.used = record + 3 + length;
  // Through code units, so that the term does not keep the whole text alive.
  table.values.push(Reflect.apply(String.fromCharCode, null, records.subarray(record + 3, table.used)));
  table.slots[slot] = hash;
  table.slots[slot + 1] = record + 1;
  if (number * 4 > table.slots.length) spread(table);
  return number;
}

/** Twice the slots, every term put in its new one. */
function spread(table: TermTable): void {
  const old = table.slots;
  const slots = new Int32Array(old.length * 2);
  const mask = slots.length - 2;
  for (let from = 0; from < old.length; from += 2) {
    if (old[from + 1] === 0) continue;
    let slot = (old[from]! << 1) & mask;
    while (slots[slot + 1] !== 0) slot = (slot + 2) & mask;
    slots[slot] = old[from]!;
    slots[slot + 1] = old[from + 1]!;
  }
  table.slots = slots;
}
