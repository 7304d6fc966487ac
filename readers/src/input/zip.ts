/**
 * A zip reader for untrusted files. It reads members only through the central directory (including zip64), which is limited in members and
 * bytes. It trusts no declared size, rejects overlapping members, and unpacks within the file's decompression budget. Nothing is ever
 * written under a member's name.
 */
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { EncryptedError, ExtractError, type Limits } from '../contract.ts';
import { createDecompressionGuard, type DecompressionGuard } from './decompression-guard.ts';
import type { FileBytes } from './file-bytes.ts';
import { decodeZipNames, readZipName, type ZipName } from './zip-names.ts';

export interface ZipEntry {
  name: string;
  /** Compressed size. */
  packed: number;
  /** Declared uncompressed size, which may be wrong. */
  size: number;
  /** 0 stored, 8 deflated, 99 AES-encrypted. Members with any other method are listed but not unpacked. */
  method: number;
  offset: number;
  encrypted: boolean;
  directory: boolean;
}

const directoryMaxBytes = 256 * 1024 * 1024;

export function readZipDirectory(file: FileBytes, maxMembers: number): { entries: ZipEntry[]; truncated: boolean; declaredCount: number } {
  const end = findEnd(file);
  if (end.bytes > directoryMaxBytes) throw new ExtractError('guard', `The zip directory has ${end.bytes} bytes.`);
  const bytes = file.need(end.offset, end.bytes);
  const entries: ZipEntry[] = [];
  const names: ZipName[] = [];
  let at = 0;
  let listed = 0;
  while (listed < end.count && at + 46 <= bytes.length && bytes.readUInt32LE(at) === 0x02014b50) {
    const nameLength = bytes.readUInt16LE(at + 28);
    const extraLength = bytes.readUInt16LE(at + 30);
    const commentLength = bytes.readUInt16LE(at + 32);
    const next = at + 46 + nameLength + extraLength + commentLength;
    if (next > bytes.length) throw new ExtractError('corrupt', 'The zip directory ends too early.');
    if (entries.length < maxMembers) {
      entries.push(readEntry(bytes, at, nameLength, extraLength, end.shift));
      names.push(readZipName(bytes, at));
    }
    at = next;
    listed += 1;
  }
  if (listed === 0 && end.count > 0) throw new ExtractError('corrupt', 'The zip directory is damaged.');
  if (listed < end.count && entries.length < maxMembers) throw new ExtractError('corrupt', 'The zip directory ends too early.');
  for (const [index, name] of decodeZipNames(names).entries())
    Object.assign(entries[index] as ZipEntry, { name, directory: name.endsWith('/') });
  rejectOverlap(entries);
  return { entries, truncated: listed > entries.length, declaredCount: listed };
}

function readEntry(bytes: Buffer, at: number, nameLength: number, extraLength: number, shift: number): ZipEntry {
  const flags = bytes.readUInt16LE(at + 8);
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
      const readUInt64 = () => {
        if (y + 8 > extraEnd) throw new ExtractError('corrupt', 'The zip directory is damaged.');
        const value = Number(bytes.readBigUInt64LE(y));
        y += 8;
        return value;
      };
      if (size === 0xffffffff) size = readUInt64();
      if (packed === 0xffffffff) packed = readUInt64();
      if (offset === 0xffffffff) offset = readUInt64();
    }
    x += 4 + length;
  }
  return {
    name: '',
    packed,
    size,
    method: bytes.readUInt16LE(at + 10),
    offset: offset + shift,
    encrypted: (flags & 1) !== 0,
    directory: false,
  };
}

/** Zip bombs list the same bytes as many members. */
function rejectOverlap(entries: readonly ZipEntry[]): void {
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
    // Bytes before the archive, as in self-extracting files, shift every offset by the same amount.
    const shift = endOfDirectory - bytes - offset;
    if (shift < 0) throw new ExtractError('corrupt', 'The zip directory is damaged.');
    return { count, bytes, offset: offset + shift, shift };
  }
  throw new ExtractError('corrupt', 'The file is not a complete zip file.');
}

export interface Zip {
  entries: readonly ZipEntry[];
  /** True when the directory has more members than the limit; `entries` then holds only the first ones. */
  truncated: boolean;
  /** The number of members in the directory. */
  declaredCount: number;
  find(name: string): ZipEntry | undefined;
  /** Unpacks a whole member. Throws a guard error above `maxBytes` or the budget. */
  read(entry: ZipEntry, maxBytes?: number): Buffer;
  /** Unpacks a member in chunks; leaving the loop early stops it. */
  stream(entry: ZipEntry): AsyncGenerator<Buffer>;
}

const wholeMemberMaxBytes = 256 * 1024 * 1024;
/** Members up to this size are unpacked in one call, because a stream would be slower. */
const smallMemberBytes = 4 * 1024 * 1024;

export function openZip(file: FileBytes, limits: Limits, guard: DecompressionGuard = createDecompressionGuard(file.size, limits)): Zip {
  const { entries, truncated, declaredCount } = readZipDirectory(file, limits.archiveMaxMembers);
  const byName = new Map<string, ZipEntry>();
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry);

  const packedBytes = (entry: ZipEntry): { start: number; length: number } => {
    if (entry.encrypted) throw new EncryptedError();
    const local = file.need(entry.offset, 30);
    if (local.readUInt32LE(0) !== 0x04034b50) throw new ExtractError('corrupt', 'A member of the zip file does not start where it should.');
    const start = entry.offset + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
    if (start + entry.packed > file.size) throw new ExtractError('corrupt', 'The file ends too early.');
    return { start, length: entry.packed };
  };

  const read = (entry: ZipEntry, maxBytes = wholeMemberMaxBytes): Buffer => {
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
    const maxOutput = Math.min(guard.remaining(), maxBytes);
    const out = inflate(packed, maxOutput);
    guard.charge(out.length);
    return out;
  };

  async function* stream(entry: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.size <= smallMemberBytes && entry.packed <= smallMemberBytes) {
      yield read(entry, smallMemberBytes);
      return;
    }
    guard.declare(entry.size);
    const { start, length } = packedBytes(entry);
    if (entry.method === 0) {
      for (let at = start; at < start + length; at += 1 << 18) {
        const chunk = file.read(at, Math.min(1 << 18, start + length - at));
        guard.charge(chunk.length);
        yield chunk;
      }
      return;
    }
    if (entry.method !== 8) throw unknownMethod(entry);
    yield* inflateChunks(file, start, length, guard);
  }

  return { entries, truncated, declaredCount, find: (name) => byName.get(name), read, stream };
}

function unknownMethod(entry: ZipEntry): ExtractError {
  return new ExtractError('corrupt', `The zip file uses compression method ${entry.method}, which is not supported.`);
}

function inflate(packed: Buffer, maxOutput: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, maxOutput) });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new ExtractError('guard', `A part of the file unpacks to more than ${maxOutput} bytes.`);
    throw new ExtractError('corrupt', 'A packed part of the file is damaged.');
  }
}

async function* inflateChunks(file: FileBytes, start: number, length: number, guard: DecompressionGuard): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: 1 << 18 });
  let at = start;
  const end = start + length;
  const feed = () => {
    while (at < end) {
      const chunk = file.read(at, Math.min(1 << 16, end - at));
      if (chunk.length === 0) break;
      at += chunk.length;
      if (!inflater.write(chunk)) {
        inflater.once('drain', feed);
        return;
      }
    }
    inflater.end();
  };
  try {
    feed();
    for await (const chunk of inflater) {
      guard.charge((chunk as Buffer).length);
      yield chunk as Buffer;
    }
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    throw new ExtractError('corrupt', 'A packed part of the file is damaged.');
  } finally {
    inflater.destroy();
  }
}
