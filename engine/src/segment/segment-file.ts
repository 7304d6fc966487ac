import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError } from '../errors.ts';

/**
 * The container format of a segment, written once from front to back and never changed.
 *
 *  head      64 bytes: magic, format number
 *  sections  64-byte aligned; first those that readers keep in memory, then those read from disk on demand
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
  const fd = openSync(temporary, 'w');
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
  const pad = () => write(new Uint8Array((alignment - (at % alignment)) % alignment));

  const head = Buffer.alloc(headBytes);
  segmentMagic.copy(head);
  head.writeUInt32LE(segmentFormat, 8);
  write(head);

  return {
    section(name, ...parts) {
      pad();
      const start = at;
      let checksum = 0;
      for (const part of parts) {
        const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
        checksum = crc32(bytes, checksum);
        write(bytes);
      }
      sections[name] = [start, at - start, checksum];
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
 * Reads a whole segment file in chunks and verifies the checksum of every section. Resident sections are passed to the function that
 * `allocate` returns once the table is known; other sections are only verified. The thread can run queries between chunks.
 */
export async function readSegment(
  path: string,
  expectedBytes: number,
  allocate: (table: SegmentTable) => ((position: number, bytes: Uint8Array) => void) | null,
): Promise<SegmentTable> {
  const name = basename(path);
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new EngineError('corrupt', `Segment ${name} is missing.`);
    throw error;
  });
  try {
    const { size } = await handle.stat();
    if (size !== expectedBytes) throw new EngineError('corrupt', `Segment ${name} has ${size} bytes instead of ${expectedBytes}.`);
    if (size < headBytes + tailBytes) throw new EngineError('corrupt', `Segment ${name} is cut short.`);
    // One buffer serves all chunks, because allocating many would fragment the memory.
    const chunk = Buffer.allocUnsafeSlow(Math.min(size, chunkBytes));
    const read = async (position: number, length: number) => {
      const buffer = length <= chunk.length ? chunk.subarray(0, length) : Buffer.allocUnsafe(length);
      for (let got = 0; got < length; ) {
        const { bytesRead } = await handle.read(buffer, got, length - got, position + got);
        if (bytesRead === 0) throw new EngineError('corrupt', `Segment ${name} is cut short.`);
        got += bytesRead;
      }
      return buffer;
    };
    // A small file is read at once; a large one in chunks, so that the thread is not blocked for long.
    const whole = size <= chunkBytes ? await read(0, size) : null;
    const part = async (position: number, length: number) => whole?.subarray(position, position + length) ?? (await read(position, length));
    checkHead(await part(0, headBytes), name);
    const tail = parseTail(await part(size - tailBytes, tailBytes), size, name);
    const table = parseTable(await part(tail.offset, tail.length), tail.checksum, name);
    const store = allocate(table);
    for (const [section, [offset, length, checksum]] of Object.entries(table.sections)) {
      let running = 0;
      for (let at = 0; at < length; at += chunkBytes) {
        const bytes = await part(offset + at, Math.min(chunkBytes, length - at));
        running = crc32(bytes, running);
        if (store && offset < table.residentEnd) store(offset + at, bytes);
      }
      if (running !== checksum) throw new EngineError('corrupt', `Segment ${name} is damaged in "${section}".`);
    }
    return table;
  } finally {
    await handle.close();
  }
}
