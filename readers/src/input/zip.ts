import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { ExtractError, type Limits } from '../contract.ts';
import { createDecompressionGuard, type DecompressionGuard } from './decompression-guard.ts';
import type { FileBytes } from './file-bytes.ts';

/** The central directory of a zip file, zip64 included: bounded in members and bytes, and checked for members that share bytes. */

export interface ZipEntry {
  name: string;
  /** Bytes in the file. */
  packed: number;
  /** Bytes the directory declares for the unpacked member; a claim, not a fact. */
  size: number;
  /** 0 stored, 8 deflated, 99 encrypted by AES; others are listed but not unpacked. */
  method: number;
  offset: number;
  encrypted: boolean;
  directory: boolean;
}

const DIRECTORY_MAX_BYTES = 256 * 1024 * 1024;

export function readZipDirectory(file: FileBytes, maxMembers: number): { entries: ZipEntry[]; truncated: boolean; declaredCount: number } {
  const end = findEnd(file);
  if (end.bytes > DIRECTORY_MAX_BYTES) throw new ExtractError('guard', `The zip directory has ${end.bytes} bytes.`);
  const bytes = file.need(end.offset, end.bytes);
  const entries: ZipEntry[] = [];
  let at = 0;
  let listed = 0;
  while (listed < end.count && at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const extraLength = bytes.readUInt16LE(at + 30);
    const commentLength = bytes.readUInt16LE(at + 32);
    const next = at + 46 + nameLength + extraLength + commentLength;
    if (next > bytes.length) throw new ExtractError('corrupt', 'The zip directory ends too early.');
    if (entries.length < maxMembers) entries.push(readEntry(bytes, at, nameLength, extraLength, end.shift));
    at = next;
    listed += 1;
  }
  if (listed === 0 && end.count > 0) throw new ExtractError('corrupt', 'The zip directory is damaged.');
  if (listed < end.count && entries.length < maxMembers) throw new ExtractError('corrupt', 'The zip directory ends too early.');
  refuseOverlap(entries);
  return { entries, truncated: listed > entries.length, declaredCount: listed };
}

function readEntry(bytes: Buffer, at: number, nameLength: number, extraLength: number, shift: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
  const raw = bytes.subarray(at + 46, at + 46 + nameLength);
  const name = decodeName(raw, (flags & 0x800) !== 0);
  let packed = bytes.readUInt32LE(at + 20);
  let size = bytes.readUInt32LE(at + 24);
  let offset = bytes.readUInt32LE(at + 42);
  const extraStart = at + 46 + nameLength;
  const extraEnd = extraStart + extraLength;
  for (let x = extraStart; x + 4 <= extraEnd; ) {
    const id = bytes.readUInt16LE(x);
    const length = bytes.readUInt16LE(x + 2);
    if (id === 1) {
      let y = x + 4;
      const take = () => {
        if (y + 8 > extraEnd) throw new ExtractError('corrupt', 'The zip directory is damaged.');
        const value = Number(bytes.readBigUInt64LE(y));
        y += 8;
        return value;
      };
      if (size === 0xffffffff) size = take();
      if (packed === 0xffffffff) packed = take();
      if (offset === 0xffffffff) offset = take();
    }
    x += 4 + length;
  }
  return {
    name,
    packed,
    size,
    method: bytes.readUInt16LE(at + 10),
    offset: offset + shift,
    encrypted: (flags & 1) !== 0,
    directory: name.endsWith('/'),
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Names without the UTF-8 flag are often UTF-8 all the same; what is not is read byte by byte, so no name is lost. */
function decodeName(raw: Buffer, flagged: boolean): string {
  try {
    return utf8.decode(raw);
  } catch {
    return flagged ? raw.toString('utf8') : raw.toString('latin1');
  }
}

/** Members that share bytes are how a small file pretends to hold a thousand copies of one big one. */
function refuseOverlap(entries: readonly ZipEntry[]): void {
  const sorted = entries.filter((entry) => entry.packed > 0).sort((a, b) => a.offset - b.offset);
  for (let i = 1; i < sorted.length; i++) {
    const before = sorted[i - 1] as ZipEntry;
    const here = sorted[i] as ZipEntry;
    if (before.offset + 30 + before.packed > here.offset) throw new ExtractError('guard', 'Members of the zip file overlap.');
  }
}

function findEnd(file: FileBytes): { count: number; bytes: number; offset: number; shift: number } {
  const tailLength = Math.min(file.size, 65_557);
  const tail = file.read(file.size - tailLength, tailLength);
  for (let i = tail.length - 22; i >= 0; i--) {
    if (tail.readUInt32LE(i) !== 0x06054b50) continue;
    const at = file.size - tailLength + i;
    let count = tail.readUInt16LE(i + 10);
    let bytes = tail.readUInt32LE(i + 12);
    let offset = tail.readUInt32LE(i + 16);
    let endOfDirectory = at;
    if (count === 0xffff || bytes === 0xffffffff || offset === 0xffffffff) {
      const locator = at >= 20 ? file.read(at - 20, 20) : Buffer.alloc(0);
      if (locator.length === 20 && locator.readUInt32LE(0) === 0x07064b50) {
        const recordAt = Number(locator.readBigUInt64LE(8));
        const record = file.need(recordAt, 56);
        if (record.readUInt32LE(0) !== 0x06064b50) throw new ExtractError('corrupt', 'The zip directory is damaged.');
        count = Number(record.readBigUInt64LE(32));
        bytes = Number(record.readBigUInt64LE(40));
        offset = Number(record.readBigUInt64LE(48));
        endOfDirectory = recordAt;
      }
    }
    // Bytes in front of the archive (self-extracting files) shift every offset by the same amount.
    const shift = endOfDirectory - bytes - offset;
    if (shift < 0) throw new ExtractError('corrupt', 'The zip directory is damaged.');
    return { count, bytes, offset: offset + shift, shift };
  }
  throw new ExtractError('corrupt', 'The file is not a complete zip file.');
}

/**
 * A zip reader for hostile files: it reads the central directory only, believes no size in it, refuses members that overlap, and unpacks
 * under the file's decompression guard. Names are given as stored; nothing is ever written under them.
 */

export interface Zip {
  entries: readonly ZipEntry[];
  /** True when the directory has more members than the ceiling; `entries` holds the first ones. */
  truncated: boolean;
  /** How many members the directory announces. */
  declaredCount: number;
  find(name: string): ZipEntry | undefined;
  /** The whole member. Past `maxBytes` or the budget it is refused as a guard. */
  read(entry: ZipEntry, maxBytes?: number): Buffer;
  /** The member in pieces; stop early by leaving the loop. */
  stream(entry: ZipEntry): AsyncGenerator<Buffer>;
}

const WHOLE_MEMBER_MAX = 256 * 1024 * 1024;
/** Members that declare no more than this are unpacked in one call: a stream costs more than it saves. */
const SMALL_MEMBER = 4 * 1024 * 1024;

export function openZip(file: FileBytes, limits: Limits, guard: DecompressionGuard = createDecompressionGuard(file.size, limits)): Zip {
  const { entries, truncated, declaredCount } = readZipDirectory(file, limits.archiveMaxMembers);
  const byName = new Map<string, ZipEntry>();
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry);

  const packedBytes = (entry: ZipEntry): { start: number; length: number } => {
    if (entry.encrypted) throw new ExtractError('corrupt', 'The file is protected by a password.');
    const local = file.need(entry.offset, 30);
    if (local.readUInt32LE(0) !== 0x04034b50) throw new ExtractError('corrupt', 'A member of the zip file does not start where it should.');
    const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    if (start + entry.packed > file.size) throw new ExtractError('corrupt', 'The file ends too early.');
    return { start, length: entry.packed };
  };

  const read = (entry: ZipEntry, maxBytes = WHOLE_MEMBER_MAX): Buffer => {
    guard.declare(entry.size);
    if (entry.size > maxBytes)
      throw new ExtractError('guard', `A part of the file unpacks to ${entry.size} bytes; the ceiling is ${maxBytes}.`);
    const { start, length } = packedBytes(entry);
    const packed = file.need(start, length);
    if (entry.method === 0) {
      guard.charge(packed.length);
      return packed;
    }
    if (entry.method !== 8) throw unknownMethod(entry);
    const room = Math.min(guard.remaining(), maxBytes);
    const out = inflate(packed, room);
    guard.charge(out.length);
    return out;
  };

  async function* stream(entry: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.size <= SMALL_MEMBER && entry.packed <= SMALL_MEMBER) {
      yield read(entry, SMALL_MEMBER);
      return;
    }
    guard.declare(entry.size);
    const { start, length } = packedBytes(entry);
    if (entry.method === 0) {
      for (let at = start; at < start + length; at += 1 << 18) {
        const piece = file.read(at, Math.min(1 << 18, start + length - at));
        guard.charge(piece.length);
        yield piece;
      }
      return;
    }
    if (entry.method !== 8) throw unknownMethod(entry);
    yield* inflatePieces(file, start, length, guard);
  }

  return { entries, truncated, declaredCount, find: (name) => byName.get(name), read, stream };
}

function unknownMethod(entry: ZipEntry): ExtractError {
  return new ExtractError('corrupt', `The zip file uses packing method ${entry.method}, which is not read.`);
}

function inflate(packed: Buffer, room: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, room) });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ExtractError('guard', `A part of the file unpacks to more than ${room} bytes.`);
    throw new ExtractError('corrupt', 'A packed part of the file is damaged.');
  }
}

async function* inflatePieces(file: FileBytes, start: number, length: number, guard: DecompressionGuard): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: 1 << 18 });
  let at = start;
  const end = start + length;
  const feed = () => {
    while (at < end) {
      const piece = file.read(at, Math.min(1 << 16, end - at));
      if (piece.length === 0) break;
      at += piece.length;
      if (!inflater.write(piece)) {
        inflater.once('drain', feed);
        return;
      }
    }
    inflater.end();
  };
  try {
    feed();
    for await (const piece of inflater) {
      guard.charge((piece as Buffer).length);
      yield piece as Buffer;
    }
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    throw new ExtractError('corrupt', 'A packed part of the file is damaged.');
  } finally {
    inflater.destroy();
  }
}
