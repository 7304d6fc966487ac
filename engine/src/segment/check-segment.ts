import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError } from '../errors.ts';
import { checkHead, headBytes, parseTable, parseTail, type SegmentTable, tailBytes } from './segment-file.ts';

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
