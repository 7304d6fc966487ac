import { closeSync, fstatSync, fsyncSync, openSync, read, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { EngineError, readError } from '../errors.ts';

/**
 * The container format of a segment, written once from front to back and never changed.
 *
 *  head      64 bytes: magic, format number
 *  sections  64-byte aligned; first those that readers keep in memory, then those read from disk on demand; equal ones are stored once
 *  table     JSON: offset, length and checksum of each section, and facts about the segment
 *  tail      24 bytes: offset, length and checksum of the table, magic
 */
const segmentMagic = Buffer.from('CATSEG\r\n', 'latin1');
const segmentFormat = 4;
const headBytes = 64;
const tailBytes = 24;
const alignment = 64;

interface SegmentFacts {
  documents: number;
  terms: number;
  /** Hash of the schema the segment was written for. */
  schema: string;
  /** Bytes per code or ordinal of each column, by section name. */
  widths: Record<string, number>;
}

export interface SegmentTable {
  facts: SegmentFacts;
  /** End of the part of the file that is kept in memory. */
  residentEnd: number;
  sections: Record<string, [offset: number, length: number, checksum: number]>;
}

export interface SectionWriter {
  section(name: string, ...parts: ArrayBufferView[]): void;
  /** Sections written after this call stay on disk. */
  endResident(): void;
  /** Makes the file durable under its final name, and returns its size and table. */
  finish(facts: SegmentFacts): { bytes: number; table: SegmentTable };
  /** Closes and removes an unfinished file; does nothing after `finish`. */
  discard(): void;
}

const maxWriteBytes = 1 << 26;

export function createSegmentFile(path: string): SectionWriter {
  const temporary = `${path}.tmp`;
  const fd = openSync(temporary, 'w+');
  let isOpen = true;
  let at = 0;
  let residentEnd = 0;
  const sections: SegmentTable['sections'] = {};

  const write = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; ) {
      const wrote = writeSync(fd, bytes, from, Math.min(bytes.length - from, maxWriteBytes), at);
      from += wrote;
      at += wrote;
    }
  };
  /** Whether these bytes were written at the offset. */
  const holds = (offset: number, parts: readonly Uint8Array[]): boolean => {
    let from = offset;
    return parts.every((part) => {
      const written = Buffer.allocUnsafe(part.length);
      readSync(fd, written, 0, part.length, from);
      from += part.length;
      return written.equals(part);
    });
  };
  const pad = () => write(new Uint8Array((alignment - (at % alignment)) % alignment));

  const head = Buffer.alloc(headBytes);
  segmentMagic.copy(head);
  head.writeUInt32LE(segmentFormat, 8);
  write(head);

  return {
    section(name, ...parts) {
      const bytes = parts.map((part) => new Uint8Array(part.buffer, part.byteOffset, part.byteLength));
      const length = bytes.reduce((sum, part) => sum + part.length, 0);
      const checksum = bytes.reduce((running, part) => crc32(part, running), 0);
      // Columns without values, and dates that follow from others, have equal sections.
      const same = Object.values(sections).find(
        ([offset, ...facts]) => offset >= residentEnd && facts[0] === length && facts[1] === checksum && holds(offset, bytes),
      );
      if (!same) pad();
      sections[name] = same ?? [at, length, checksum];
      if (!same) for (const part of bytes) write(part);
    },
    endResident() {
      pad();
      residentEnd = at;
    },
    finish(facts) {
      pad();
      const table: SegmentTable = { facts, residentEnd, sections };
      const text = Buffer.from(JSON.stringify(table));
      const tail = Buffer.alloc(tailBytes);
      tail.writeBigUInt64LE(BigInt(at), 0);
      tail.writeUInt32LE(text.length, 8);
      tail.writeUInt32LE(crc32(text), 12);
      segmentMagic.copy(tail, 16);
      write(text);
      write(tail);
      fsyncSync(fd);
      closeSync(fd);
      isOpen = false;
      renameSync(temporary, path);
      return { bytes: at, table };
    },
    discard() {
      if (!isOpen) return;
      closeSync(fd);
      isOpen = false;
      rmSync(temporary, { force: true });
    },
  };
}

/** Parses the tail, which the caller has read asynchronously. */
function parseTail(tail: Buffer, size: number, name: string): { offset: number; length: number; checksum: number } {
  if (tail.length !== tailBytes || !tail.subarray(16).equals(segmentMagic))
    throw new EngineError('corrupt', `Segment ${name} is cut short.`);
  const offset = Number(tail.readBigUInt64LE(0));
  const length = tail.readUInt32LE(8);
  if (offset + length + tailBytes !== size) throw new EngineError('corrupt', `Segment ${name} has a table that does not fit the file.`);
  return { offset, length, checksum: tail.readUInt32LE(12) };
}

function parseTable(bytes: Buffer, checksum: number, name: string): SegmentTable {
  if (crc32(bytes) !== checksum) throw new EngineError('corrupt', `Segment ${name} has a damaged table.`);
  return JSON.parse(bytes.toString()) as SegmentTable;
}

function checkHead(head: Buffer, name: string): void {
  if (head.length < 12 || !head.subarray(0, 8).equals(segmentMagic))
    throw new EngineError('corrupt', `Segment ${name} does not start with a segment header.`);
  const format = head.readUInt32LE(8);
  if (format > segmentFormat) throw new EngineError('newer_format', `Segment ${name} was written by a newer version (format ${format}).`);
  if (format < segmentFormat)
    throw new EngineError('foreign_format', `Segment ${name} was written by an older version (format ${format}). Rebuild the index.`);
}

const chunkBytes = 1 << 22;

/**
 * Reads a segment file in chunks and verifies the checksum of every section. Once the table is known, `allocate` returns the memory for the
 * sections that searches use, or null when these are only to be verified. With `leaveRest`, sections that stay on disk are not read if they
 * are large; the caller must then call `verifyRest`. The thread can run queries between chunks.
 */
export async function readSegment(
  path: string,
  expectedBytes: number,
  allocate: (table: SegmentTable) => Uint8Array | null,
  leaveRest = false,
): Promise<{ table: SegmentTable; isVerified: boolean }> {
  const name = basename(path);
  const fd = openSegmentFile(path, name);
  try {
    const { size } = fstatSync(fd);
    if (size !== expectedBytes) throw new EngineError('corrupt', `Segment ${name} has ${size} bytes instead of ${expectedBytes}.`);
    if (size < headBytes + tailBytes) throw new EngineError('corrupt', `Segment ${name} is cut short.`);
    const readAt = await openFileReader(fd, size, name);
    const part = async (position: number, length: number) => {
      const bytes = Buffer.allocUnsafe(length);
      await readAt(bytes, position);
      return bytes;
    };
    checkHead(await part(0, headBytes), name);
    const tail = parseTail(await part(size - tailBytes, tailBytes), size, name);
    const table = parseTable(await part(tail.offset, tail.length), tail.checksum, name);
    await verifySections(readAt, table, name, true, allocate(table));
    const isVerified = !leaveRest || size - table.residentEnd <= chunkBytes;
    if (isVerified) await verifySections(readAt, table, name, false, null);
    return { table, isVerified };
  } finally {
    closeSync(fd);
  }
}

/** Verifies the sections that stay on disk. */
export async function verifyRest(fd: number, table: SegmentTable, name: string): Promise<void> {
  await verifySections(await openFileReader(fd, Number.POSITIVE_INFINITY, name), table, name, false, null);
}

function openSegmentFile(path: string, name: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new EngineError('corrupt', `Segment ${name} is missing.`);
    throw error;
  }
}

/** Fills the bytes from this position of the file. */
type FileReader = (into: Uint8Array, position: number) => Promise<void>;

const readFile = promisify(read);

/** A small file is read at once. */
async function openFileReader(fd: number, size: number, name: string): Promise<FileReader> {
  const readFully: FileReader = async (into, position) => {
    for (let got = 0; got < into.length; ) {
      const { bytesRead } = await readFile(fd, into, got, into.length - got, position + got).catch((error: unknown) => {
        throw readError(error, `segment ${name}`);
      });
      if (bytesRead === 0) throw new EngineError('corrupt', `Segment ${name} is cut short.`);
      got += bytesRead;
    }
  };
  if (size > chunkBytes) return readFully;
  const whole = Buffer.allocUnsafe(size);
  await readFully(whole, 0);
  return async (into, position) => into.set(whole.subarray(position, position + into.length));
}

/** Reads either the sections kept in memory or those that stay on disk, into `memory` or, with null, only to verify them. */
async function verifySections(
  readAt: FileReader,
  table: SegmentTable,
  name: string,
  areResident: boolean,
  memory: Uint8Array | null,
): Promise<void> {
  // One buffer serves all chunks, because allocating many would fragment the memory.
  const sections = Object.entries(table.sections).filter(([, [offset]]) => offset < table.residentEnd === areResident);
  const longest = Math.max(0, ...sections.map(([, [, length]]) => length));
  const chunk = Buffer.allocUnsafeSlow(memory === null ? Math.min(longest, chunkBytes) : 0);
  const done = new Set<number>();
  for (const [section, [offset, length, checksum]] of sections) {
    if (length === 0 || done.has(offset)) continue;
    done.add(offset);
    let running = 0;
    for (let at = 0; at < length; at += chunkBytes) {
      const bytes = (memory?.subarray(offset + at) ?? chunk).subarray(0, Math.min(chunkBytes, length - at));
      await readAt(bytes, offset + at);
      running = crc32(bytes, running);
    }
    if (running !== checksum) throw new EngineError('corrupt', `Segment ${name} is damaged in "${section}".`);
  }
}
