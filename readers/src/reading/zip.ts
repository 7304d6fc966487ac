/**
 * A zip reader for hostile files: it reads the central directory only, believes no size in it, refuses members that overlap, and unpacks
 * under the file's decompression guard. Names are given as stored; nothing is ever written under them.
 */
import { createInflateRaw, inflateRawSync } from 'node:zlib';
import { ExtractError, type Limits } from '../contract.ts';
import { createDecompressionGuard, type DecompressionGuard } from './decompression-guard.ts';
import type { FileBytes } from './file-bytes.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

export type { ZipEntry } from './zip-directory.ts';

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
