/**
 * What a folder holds, packed: one name and `fields` 32-bit numbers an entry. Packed rows cross threads without copying and are hashed
 * as they lie, so an unchanged folder never becomes objects.
 */
export const entryFieldCount = 9;
export const entryKinds = { other: 0, file: 1, folder: 2, symlink: 3, unreadable: 4 } as const;
export type EntryKind = (typeof entryKinds)[keyof typeof entryKinds];

const at = {
  kind: 0,
  sizeLow: 1,
  sizeHigh: 2,
  secondsLow: 3,
  secondsHigh: 4,
  nanoseconds: 5,
  inodeLow: 6,
  inodeHigh: 7,
  links: 8,
} as const;

/** A growing list of entries; reused from folder to folder. */
export interface EntryList {
  names: string[];
  rows: Uint32Array;
  /** Device of the folder's files; 0 when it has none. */
  device: number;
}

export function createEntryList(): EntryList {
  return { names: [], rows: new Uint32Array(entryFieldCount * 256), device: 0 };
}

/** Makes room for one more and answers where its numbers start. */
export function addEntry(list: EntryList, name: string, kind: EntryKind): number {
  const start = list.names.length * entryFieldCount;
  list.names.push(name);
  if (start + entryFieldCount > list.rows.length) {
    const larger = new Uint32Array(list.rows.length * 2);
    larger.set(list.rows);
    list.rows = larger;
  }
  const { rows } = list;
  rows[start] = kind;
  // Plain stores: fill() costs more than it saves on nine numbers.
  for (let field = 1; field < entryFieldCount; field += 1) rows[start + field] = 0;
  return start;
}

export interface EntryFacts {
  kind: EntryKind;
  size: number;
  /** Whole nanoseconds since 1970, as text: they exceed what a number holds. */
  mtimeNs: string;
  inode: string;
  links: number;
}

/** Plain numbers from two 32-bit halves; exact below 2^53. */
const join = (low: number, high: number): number => high * 0x1_0000_0000 + low;
const wide = (low: number, high: number): string =>
  high < 0x20_0000 ? String(join(low, high)) : String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));

export function mtimeNs(secondsLow: number, secondsHigh: number, nanoseconds: number): string {
  if (secondsHigh === 0 && secondsLow > 0) return secondsLow + String(nanoseconds).padStart(9, '0');
  const seconds = BigInt.asIntN(64, (BigInt(secondsHigh) << 32n) | BigInt(secondsLow));
  return String(seconds * 1_000_000_000n + BigInt(nanoseconds));
}

export function entryKindAt(rows: Uint32Array, index: number): EntryKind {
  return rows[index * entryFieldCount] as EntryKind;
}
export function entrySizeAt(rows: Uint32Array, index: number): number {
  const start = index * entryFieldCount;
  return join(rows[start + at.sizeLow]!, rows[start + at.sizeHigh]!);
}
export function entryFactsAt(rows: Uint32Array, index: number): EntryFacts {
  const start = index * entryFieldCount;
  return {
    kind: rows[start] as EntryKind,
    size: entrySizeAt(rows, index),
    mtimeNs: mtimeNs(rows[start + at.secondsLow]!, rows[start + at.secondsHigh]!, rows[start + at.nanoseconds]!),
    inode: wide(rows[start + at.inodeLow]!, rows[start + at.inodeHigh]!),
    links: rows[start + at.links]!,
  };
}

export { at as fieldAt };
