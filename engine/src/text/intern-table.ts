// biome-ignore-all lint/style/noNonNullAssertion: every index is below a length stored with the array
/**
 * Numbers distinct texts from 1 in order of appearance. Texts are looked up by their UTF-16 code units, so a known text, as nearly every
 * token is, needs no string to be created or hashed.
 */
export interface InternTable {
  count: number;
  /** Open addressing with two numbers per slot: the hash, and the start of the record plus one (0 when free). */
  slots: Int32Array;
  /** Concatenated records: text number (low half, high half), length, code units. */
  units: Uint16Array;
  used: number;
  /** starts[n − 1] is the start of text n in `units`. */
  starts: Uint32Array;
}

export const recordHeaderLength = 3;
export const hashSeed = 0x811c9dc5 | 0;
export const hashPrime = 0x01000193;
/** The bit that turns an ASCII capital into a small letter. Tables that do not fold case pass 0 instead. */
export const caseBit = 32;

export function createInternTable(): InternTable {
  return { count: 0, slots: new Int32Array(1 << 13), units: new Uint16Array(1 << 14), used: 0, starts: new Uint32Array(1 << 10) };
}

export function hashCodeUnits(units: Uint16Array, from: number, to: number, bit: number): number {
  let hash = hashSeed;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit | bit : unit), hashPrime);
  }
  return hash;
}

/** Mixes the last code units into all bits. */
export function finalizeHash(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

/** Returns the number of the text units[from … to), or 0 when it is not in the table. `hash` is its finalized `hashCodeUnits`. */
export function findInterned(table: InternTable, units: Uint16Array, from: number, to: number, hash: number, bit: number): number {
  const slot = slotOf(table, units, from, to, hash, bit);
  return numberAt(table, slot);
}

/** Returns the number of the text, adding it when it is new. */
export function intern(table: InternTable, units: Uint16Array, from: number, to: number, hash: number, bit: number): number {
  const slot = slotOf(table, units, from, to, hash, bit);
  return table.slots[slot + 1] === 0 ? add(table, units, from, to, hash, bit, slot) : numberAt(table, slot);
}

function numberAt({ slots, units }: InternTable, slot: number): number {
  const record = slots[slot + 1]! - 1;
  return record < 0 ? 0 : units[record]! | (units[record + 1]! << 16);
}

/** Returns the slot of the text, or the free slot where it belongs. */
function slotOf(table: InternTable, text: Uint16Array, from: number, to: number, hash: number, bit: number): number {
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
      if (units[record + recordHeaderLength + at] !== (unit >= 65 && unit <= 90 ? unit | bit : unit)) break;
    }
    if (at === length) return slot;
  }
}

function add(table: InternTable, text: Uint16Array, from: number, to: number, hash: number, bit: number, slot: number): number {
  const length = to - from;
  const number = ++table.count;
  const record = table.used;
  if (record + recordHeaderLength + length > table.units.length) table.units = grown(table.units, record + recordHeaderLength + length);
  if (number > table.starts.length) {
    const larger = new Uint32Array(table.starts.length * 2);
    larger.set(table.starts);
    table.starts = larger;
  }
  const { units } = table;
  const start = record + recordHeaderLength;
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
  if (number * 4 > table.slots.length) rehash(table);
  return number;
}

function grown(units: Uint16Array, needed: number): Uint16Array {
  const larger = new Uint16Array(Math.max(needed, units.length * 2));
  larger.set(units);
  return larger;
}

/** Doubles the number of slots. */
function rehash(table: InternTable): void {
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

export function toCodeUnits(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

export function fromCodeUnits(units: Uint16Array, from: number, to: number): string {
  return Buffer.from(units.buffer, units.byteOffset + from * 2, (to - from) * 2).toString('utf16le');
}
