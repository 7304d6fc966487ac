/**
 * Distinct texts numbered from 1 in order of appearance, found by the UTF-16 units they stand on: no string is made, cut out or hashed
 * by the language for a text that is known, which is what nearly every token of a corpus is.
 */
export interface UnitTable {
  count: number;
  /** Open addressing, two numbers a slot: the hash, and where the text's record starts plus one (0 where free). */
  slots: Int32Array;
  /** Records end to end: the number (low half, high half), the length, the units. One look finds them all. */
  units: Uint16Array;
  used: number;
  /** Where the units of text n start, at n - 1. */
  starts: Uint32Array;
}

export const recordHead = 3;
export const hashSeed = 0x811c9dc5 | 0;
export const hashPrime = 0x01000193;
/** The bit that makes a capital letter of ASCII a small one, for tables that fold; 0 for those that do not. */
export const foldBit = 32;

export function createUnitTable(): UnitTable {
  return { count: 0, slots: new Int32Array(1 << 13), units: new Uint16Array(1 << 14), used: 0, starts: new Uint32Array(1 << 10) };
}

export function hashUnits(units: Uint16Array, from: number, to: number, bit: number): number {
  let hash = hashSeed;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit | bit : unit), hashPrime);
  }
  return hash;
}

/** Spreads what the last units did over all bits. */
export function finishHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

/** The number of the text units[from … to), or 0 when the table does not hold it. `hash` is `hashUnits` of it, finished. */
export function findUnits(table: UnitTable, units: Uint16Array, from: number, to: number, hash: number, bit: number): number {
  const slot = slotOf(table, units, from, to, hash, bit);
  return numberAt(table, slot);
}

/** The same, giving a new text the next number. */
export function numberOfUnits(table: UnitTable, units: Uint16Array, from: number, to: number, hash: number, bit: number): number {
  const slot = slotOf(table, units, from, to, hash, bit);
  return table.slots[slot + 1] === 0 ? add(table, units, from, to, hash, bit, slot) : numberAt(table, slot);
}

function numberAt({ slots, units }: UnitTable, slot: number): number {
  const record = slots[slot + 1]! - 1;
  return record < 0 ? 0 : units[record]! | (units[record + 1]! << 16);
}

/** The slot that holds the text, or the free one where it belongs. */
function slotOf(table: UnitTable, text: Uint16Array, from: number, to: number, hash: number, bit: number): number {
  const { slots, units } = table;
  const mask = slots.length - 2;
  const length = to - from;
  for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
    const record = slots[slot + 1]! - 1;
    if (record === -1) return slot;
    if (slots[slot] !== hash || units[record + 2] !== length) continue;
    let at = 0;
    for (; at < length; at++) {
      const unit = text[from + at]!;
      if (units[record + recordHead + at] !== (unit >= 65 && unit <= 90 ? unit | bit : unit)) break;
    }
    if (at === length) return slot;
  }
}

function add(table: UnitTable, text: Uint16Array, from: number, to: number, hash: number, bit: number, slot: number): number {
  const length = to - from;
  const number = ++table.count;
  const record = table.used;
  if (record + recordHead + length > table.units.length) table.units = grown(table.units, record + recordHead + length);
  if (number > table.starts.length) {
    const larger = new Uint32Array(table.starts.length * 2);
    larger.set(table.starts);
    table.starts = larger;
  }
  const { units } = table;
  const start = record + recordHead;
  units[record] = number;
  units[record + 1] = number >>> 16;
  units[record + 2] = length;
  for (let at = 0; at < length; at++) {
    const unit = text[from + at]!;
    units[start + at] = unit >= 65 && unit <= 90 ? unit | bit : unit;
  }
  table.used = start + length;
  table.starts[number - 1] = start;
  table.slots[slot] = hash;
  table.slots[slot + 1] = record + 1;
  if (number * 4 > table.slots.length) spread(table);
  return number;
}

function grown(units: Uint16Array, needed: number): Uint16Array {
  const larger = new Uint16Array(Math.max(needed, units.length * 2));
  larger.set(units);
  return larger;
}

/** Twice the slots, every text put in its new one. */
function spread(table: UnitTable): void {
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

/** The units of a string, as a table reads them. */
export function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** The string that stands on units[from … to). */
export function textOf(units: Uint16Array, from: number, to: number): string {
  return Buffer.from(units.buffer, units.byteOffset + from * 2, (to - from) * 2).toString('utf16le');
}
