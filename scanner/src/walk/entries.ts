// biome-ignore-all lint/style/noNonNullAssertion: every index is below `rows.length`, which is a multiple of entryFieldCount.
import { getSystemErrorName } from 'node:util';
import { type AclAttributes, noAclAttributes } from '../permissions/attributes.ts';
import type { FileOwnership } from '../permissions/file-acl.ts';

/**
 * The entries of a folder in packed form: one name and `entryFieldCount` 32-bit numbers per entry. Packed rows are transferred between
 * threads without copying and are hashed as they are, so an unchanged folder never becomes objects.
 */
export const entryFieldCount = 14;
export const entryKinds = { other: 0, file: 1, folder: 2, symlink: 3, unreadable: 4 } as const;
export type EntryKind = (typeof entryKinds)[keyof typeof entryKinds];

/** Offsets within a row; the kind is at offset 0. The low half of the size of an unreadable entry is its error number. */
export const entryFieldOffset = {
  sizeLow: 1,
  sizeHigh: 2,
  secondsLow: 3,
  secondsHigh: 4,
  nanoseconds: 5,
  inodeLow: 6,
  inodeHigh: 7,
  links: 8,
  // Low half only, because the inode change time is compared and never shown.
  changeSeconds: 9,
  changeNanoseconds: 10,
  // Zero unless the walk reads permissions.
  mode: 11,
  uid: 12,
  gid: 13,
} as const;

/** A growing list of entries, reused from folder to folder. */
export interface EntryList {
  names: string[];
  rows: Uint32Array;
  /** Device of the folder's files; 0 when it has none. */
  device: number;
  /** Inode of the folder itself as decimal text; '0' when it is not known. */
  folderInode: string;
  /** Owner, group and mode of the folder itself; null unless permissions are read. */
  folderOwnership: FileOwnership | null;
  /** Access control lists of the folder itself. */
  folderLists: AclAttributes;
  /** Identifies the lists of the entries where nothing else tells that one has changed; otherwise ''. */
  entryLists: string;
  /** Bytes on disk of large files that take up less space than their size, by name. Most folders have none, so rows have no field for it. */
  allocated: Map<string, number>;
}

export function createEntryList(): EntryList {
  return {
    names: [],
    rows: new Uint32Array(entryFieldCount * 256),
    device: 0,
    folderInode: '0',
    folderOwnership: null,
    folderLists: noAclAttributes,
    entryLists: '',
    allocated: new Map(),
  };
}

/** Smaller files may be stored inside their inode, so that the blocks of a file tell nothing about them. */
const minSparseBytes = 65_536;

/** Notes a file whose blocks hold less than its size: a sparse or compressed file, or the placeholder of a file that is kept elsewhere. */
export function addAllocated(list: EntryList, name: string, size: number, allocated: number): void {
  if (allocated < size && size >= minSparseBytes) list.allocated.set(name, allocated);
}

/** Appends an entry with zeroed fields and returns the index of its row. */
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
  // A plain loop is faster than fill() for so few numbers.
  for (let field = 1; field < entryFieldCount; field += 1) rows[start + field] = 0;
  return start;
}

export interface EntryFacts {
  kind: EntryKind;
  /** At most 2^53 - 1: a sparse file may claim up to 2^63 - 1, which numbers and sums of sizes cannot hold. */
  size: number;
  /** Nanoseconds since 1970 as decimal text, because they exceed 2^53. Limited to 64 bits: the years 1677 to 2262. */
  mtimeNs: string;
  /** True when the date on disk is outside those years and `mtimeNs` holds the nearest one. */
  dateLimited: boolean;
  inode: string;
  links: number;
  /** Inode change time, for comparison only; null where the file system does not keep it. */
  ctimeNs: string | null;
}

/** The system error code of an unreadable entry. */
export function entryErrorAt(rows: Uint32Array, index: number): string {
  const errno = rows[index * entryFieldCount + entryFieldOffset.sizeLow]!;
  return errno === 0 ? 'EACCES' : getSystemErrorName(-errno);
}

/** Owner, group and mode of an entry; meaningful only when the walk read permissions. */
export function ownershipAt(rows: Uint32Array, index: number): FileOwnership {
  const start = index * entryFieldCount;
  const at = entryFieldOffset;
  return { mode: rows[start + at.mode]!, uid: rows[start + at.uid]!, gid: rows[start + at.gid]! };
}

/** Exact below 2^53. */
const joinHalves = (low: number, high: number): number => high * 0x1_0000_0000 + low;
export const formatInt64 = (low: number, high: number): string =>
  high < 0x20_0000 ? String(joinHalves(low, high)) : String(BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)));

/** The nearest size that a number holds exactly. */
export const limitSize = (bytes: number): number => Math.min(bytes, Number.MAX_SAFE_INTEGER);

const maxInt64 = 2n ** 63n - 1n;
const minInt64 = -(2n ** 63n);

/** The nearest time that a 64-bit count of nanoseconds can hold. */
export function limitNs(nanoseconds: bigint): bigint {
  return nanoseconds > maxInt64 ? maxInt64 : nanoseconds < minInt64 ? minInt64 : nanoseconds;
}

function mtimeOf(secondsLow: number, secondsHigh: number, nanoseconds: number): { mtimeNs: string; dateLimited: boolean } {
  if (secondsHigh === 0 && secondsLow > 0) return { mtimeNs: secondsLow + String(nanoseconds).padStart(9, '0'), dateLimited: false };
  const seconds = BigInt.asIntN(64, (BigInt(secondsHigh) << 32n) | BigInt(secondsLow));
  const onDisk = seconds * 1_000_000_000n + BigInt(nanoseconds);
  const limited = limitNs(onDisk);
  return { mtimeNs: String(limited), dateLimited: limited !== onDisk };
}

const formatCtime = (seconds: number, nanoseconds: number): string | null =>
  seconds === 0 && nanoseconds === 0 ? null : String(BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds));

export function entryKindAt(rows: Uint32Array, index: number): EntryKind {
  return rows[index * entryFieldCount] as EntryKind;
}

export function entryFactsAt(rows: Uint32Array, index: number): EntryFacts {
  const start = index * entryFieldCount;
  const at = entryFieldOffset;
  return {
    kind: rows[start] as EntryKind,
    size: limitSize(joinHalves(rows[start + at.sizeLow]!, rows[start + at.sizeHigh]!)),
    ...mtimeOf(rows[start + at.secondsLow]!, rows[start + at.secondsHigh]!, rows[start + at.nanoseconds]!),
    inode: formatInt64(rows[start + at.inodeLow]!, rows[start + at.inodeHigh]!),
    links: rows[start + at.links]!,
    ctimeNs: formatCtime(rows[start + at.changeSeconds]!, rows[start + at.changeNanoseconds]!),
  };
}
