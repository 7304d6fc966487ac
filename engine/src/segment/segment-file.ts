import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { EngineError } from '../errors.ts';

/**
 * The container of a segment: written once, front to back, then never changed.
 *
 *   head      16 bytes: magic, format number
 *   sections  each on a 64-byte border; first all that readers keep in memory, then what is read from disk when needed
 *   table     JSON: where each section lies, its length and checksum, and a few facts about the segment
 *   tail      24 bytes: where the table lies, its length and checksum, magic
 */
export const segmentMagic = Buffer.from('CATSEG\r\n', 'latin1');
export const segmentFormat = 2;
export const headBytes = 64;
export const tailBytes = 24;
const border = 64;

export interface SegmentFacts {
  documents: number;
  terms: number;
  /** Which schema the segment was written for. */
  schema: string;
  /** Bytes per code or ordinal of each column, by section name. */
  widths: Record<string, number>;
}

export interface SegmentTable {
  facts: SegmentFacts;
  /** End of the resident part of the file. */
  residentEnd: number;
  sections: Record<string, [offset: number, length: number, checksum: number]>;
}

export interface SectionWriter {
  section(name: string, ...parts: ArrayBufferView[]): void;
  /** Sections after this call stay on disk. */
  endResident(): void;
  /** Makes the file durable under its final name and answers its size and table. */
  finish(facts: SegmentFacts): { bytes: number; table: SegmentTable };
  /** Closes without keeping anything promised. */
  abandon(): void;
}

const largestWrite = 1 << 26;

export function createSegmentFile(path: string): SectionWriter {
  const temporary = `${path}.tmp`;
  let fd: number | null = openSync(temporary, 'w');
  let at = 0;
  let residentEnd = 0;
  const sections: SegmentTable['sections'] = {};

  const write = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length; ) {
      const wrote = writeSync(fd!, bytes, from, Math.min(bytes.length - from, largestWrite), at);
      from += wrote;
      at += wrote;
    }
  };
  const pad = () => write(new Uint8Array((border - (at % border)) % border));

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
      fsyncSync(fd!);
      closeSync(fd!);
      fd = null;
      renameSync(temporary, path);
      return { bytes: at, table };
    },
    abandon() {
      if (fd === null) return;
      closeSync(fd);
      fd = null;
      rmSync(temporary, { force: true });
    },
  };
}

/** Reads the end of a segment file. The caller hands in the reading so that it may be done off the event loop. */
export function parseTail(tail: Buffer, size: number, name: string): { offset: number; length: number; checksum: number } {
  if (tail.length !== tailBytes || !tail.subarray(16).equals(segmentMagic))
    throw new EngineError('corrupt', `Segment ${name} is cut short.`);
  const offset = Number(tail.readBigUInt64LE(0));
  const length = tail.readUInt32LE(8);
  if (offset + length + tailBytes !== size) throw new EngineError('corrupt', `Segment ${name} has a table that does not fit the file.`);
  return { offset, length, checksum: tail.readUInt32LE(12) };
}

export function parseTable(bytes: Buffer, checksum: number, name: string): SegmentTable {
  if (crc32(bytes) !== checksum) throw new EngineError('corrupt', `Segment ${name} has a damaged table.`);
  return JSON.parse(bytes.toString()) as SegmentTable;
}

export function checkHead(head: Buffer, name: string): void {
  if (head.length < 12 || !head.subarray(0, 8).equals(segmentMagic))
    throw new EngineError('corrupt', `Segment ${name} does not begin as a segment does.`);
  const format = head.readUInt32LE(8);
  if (format > segmentFormat) throw new EngineError('newer_format', `Segment ${name} was written by a newer version (format ${format}).`);
  if (format < segmentFormat)
    throw new EngineError('foreign_format', `Segment ${name} was written by an older version (format ${format}). Build the index anew.`);
}

/** What the manifest knows of a segment file. */
export interface SegmentName {
  file: string;
  bytes: number;
}

const stretch = 1 << 22;

/**
 * Reads a whole segment file off the event loop, stretch by stretch, holding every section against its checksum. Bytes of the resident
 * part go where `place` says, once the table is known; the rest is only checked. The thread can answer queries between two stretches.
 */
export async function readSegment(
  path: string,
  expectedBytes: number,
  place: (table: SegmentTable) => ((position: number, bytes: Uint8Array) => void) | null,
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
    // One buffer serves all stretches: whatever is read has been used before the next reading. Many would leave their holes behind.
    const room = Buffer.allocUnsafeSlow(Math.min(size, stretch));
    const read = async (position: number, length: number) => {
      const buffer = length <= room.length ? room.subarray(0, length) : Buffer.allocUnsafe(length);
      for (let got = 0; got < length; ) {
        const { bytesRead } = await handle.read(buffer, got, length - got, position + got);
        if (bytesRead === 0) throw new EngineError('corrupt', `Segment ${name} is cut short.`);
        got += bytesRead;
      }
      return buffer;
    };
    // A small file is read at once; a large one stretch by stretch, so that the thread is never away for long.
    const whole = size <= stretch ? await read(0, size) : null;
    const part = async (position: number, length: number) => whole?.subarray(position, position + length) ?? (await read(position, length));
    checkHead(await part(0, headBytes), name);
    const tail = parseTail(await part(size - tailBytes, tailBytes), size, name);
    const table = parseTable(await part(tail.offset, tail.length), tail.checksum, name);
    const put = place(table);
    for (const [section, [offset, length, checksum]] of Object.entries(table.sections)) {
      let running = 0;
      for (let at = 0; at < length; at += stretch) {
        const bytes = await part(offset + at, Math.min(stretch, length - at));
        running = crc32(bytes, running);
        if (put && offset < table.residentEnd) put(offset + at, bytes);
      }
      if (running !== checksum) throw new EngineError('corrupt', `Segment ${name} is damaged in "${section}".`);
    }
    return table;
  } finally {
    await handle.close();
  }
}
