import { ExtractError } from '../../contract.ts';
import type { FileWindow } from '../file-window.ts';

/**
 * Reads a zip's central directory without touching the members: the end record is searched backwards from the end of the file, the
 * zip64 record replaces its numbers when present, and the entries are read in one pass. Offsets are corrected for bytes put before the
 * archive (self-extracting programs, crx headers).
 */
export interface ZipEntry {
  name: string;
  size: number;
  packedSize: number;
  method: number;
  encrypted: boolean;
  directory: boolean;
  /** Where the member's local header begins in the file. */
  offset: number;
}

export interface ZipDirectory {
  entries: ZipEntry[];
  /** Entries the archive says it has, read or not. */
  declared: number;
  comment: string;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const endLength = 22;
const maxDirectoryBytes = 128 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');

/** Names are UTF-8 when flagged so, and in practice also often when not. */
export function decodeName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}

interface EndRecord {
  count: number;
  size: number;
  /** Where the directory truly lies in the file. */
  start: number;
  /** Bytes that stand before the archive. */
  shift: number;
  comment: string;
}

function findEnd(file: FileWindow): EndRecord {
  const tailLength = Math.min(file.size, endLength + 0xffff);
  const tailStart = file.size - tailLength;
  const tail = file.read(tailStart, tailLength);
  for (let at = tail.length - endLength; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== endSignature) continue;
    const commentLength = tail.readUInt16LE(at + 20);
    if (at + endLength + commentLength > tail.length) continue;
    return readEnd(file, tail.subarray(at, at + endLength + commentLength), tailStart + at);
  }
  throw new ExtractError('corrupt', 'The zip directory is missing.');
}

function readEnd(file: FileWindow, end: Buffer, endAt: number): EndRecord {
  let count = end.readUInt16LE(10);
  let size = end.readUInt32LE(12);
  let offset = end.readUInt32LE(16);
  let directoryEnd = endAt;
  if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff) {
    const locator = endAt >= 20 ? file.read(endAt - 20, 20) : Buffer.alloc(20);
    if (locator.readUInt32LE(0) === 0x07064b50) {
      const stated = Number(locator.readBigUInt64LE(8));
      const at = zip64At(file, stated, endAt);
      const record = file.read(at, 56);
      count = Number(record.readBigUInt64LE(32));
      size = Number(record.readBigUInt64LE(40));
      offset = Number(record.readBigUInt64LE(48));
      directoryEnd = at;
    }
  }
  const start = directoryEnd - size;
  if (start < 0 || offset > start) throw new ExtractError('corrupt', 'The zip directory points outside the file.');
  return { count, size, start, shift: start - offset, comment: decodeName(end.subarray(endLength)).slice(0, 1000) };
}

/** The record stands where the locator says, or just before the locator when bytes were put before the archive. */
function zip64At(file: FileWindow, stated: number, endAt: number): number {
  for (const at of [stated, endAt - 20 - 56]) {
    if (at >= 0 && at + 56 <= file.size && file.read(at, 4).readUInt32LE(0) === 0x06064b50) return at;
  }
  throw new ExtractError('corrupt', 'The zip64 record is missing.');
}

/** Reads at most `maxEntries` entries; `declared` tells how many there should be. */
export function readZipDirectory(file: FileWindow, maxEntries: number): ZipDirectory {
  const end = findEnd(file);
  if (end.size > maxDirectoryBytes) throw new ExtractError('guard', 'The zip directory is larger than 128 MiB.');
  const bytes = file.read(end.start, end.size);
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 46 <= bytes.length && entries.length < maxEntries && bytes.readUInt32LE(at) === entrySignature) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const extraLength = bytes.readUInt16LE(at + 30);
    const next = at + 46 + nameLength + extraLength + bytes.readUInt16LE(at + 32);
    if (next > bytes.length) throw new ExtractError('corrupt', 'The zip directory is cut short.');
    entries.push(readEntry(bytes.subarray(at, next), nameLength, extraLength, end.shift));
    at = next;
  }
  if (entries.length === 0 && end.count > 0) throw new ExtractError('corrupt', 'The zip directory cannot be read.');
  // A directory that stops at a foreign signature before its declared end was damaged.
  if (entries.length < Math.min(end.count, maxEntries)) throw new ExtractError('corrupt', 'The zip directory is shorter than it says.');
  return { entries, declared: Math.max(end.count, entries.length), comment: end.comment };
}

function readEntry(record: Buffer, nameLength: number, extraLength: number, shift: number): ZipEntry {
  const flags = record.readUInt16LE(8);
  const name = decodeName(record.subarray(46, 46 + nameLength));
  const sizes = { size: record.readUInt32LE(24), packedSize: record.readUInt32LE(20), offset: record.readUInt32LE(42) };
  applyZip64Extra(record.subarray(46 + nameLength, 46 + nameLength + extraLength), sizes);
  return {
    name,
    ...sizes,
    offset: sizes.offset + shift,
    method: record.readUInt16LE(10),
    encrypted: (flags & 1) !== 0,
    directory: name.endsWith('/') || name.endsWith('\\'),
  };
}

function applyZip64Extra(extra: Buffer, sizes: { size: number; packedSize: number; offset: number }): void {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === 1) {
      const field = extra.subarray(at + 4, at + 4 + length);
      let next = 0;
      for (const key of ['size', 'packedSize', 'offset'] as const) {
        if (sizes[key] !== 0xffffffff || next + 8 > field.length) continue;
        sizes[key] = Number(field.readBigUInt64LE(next));
        next += 8;
      }
      return;
    }
    at += 4 + length;
  }
}
