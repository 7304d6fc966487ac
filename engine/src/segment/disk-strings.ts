// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import { readSync } from 'node:fs';
import { EngineError, readError } from '../errors.ts';

/** Strings of a segment that stay on disk: ids, fingerprints, values. Small tables are read completely on first use. */
export interface DiskStrings {
  size: number;
  get(index: number): string;
  /** Returns strings from … to − 1 with a single read. */
  slice(from: number, to: number): string[];
}

const smallTable = 1 << 18;
const offsetsPerRead = 1 << 14;

export function openDiskStrings(fd: number, offsetsAt: number, size: number, stringsAt: number, stringsLength: number): DiskStrings {
  let whole: string[] | null = null;
  /** Bytes per string when all strings have the same length, as ids often do; 0 when lengths differ; null while unknown. */
  let uniformLength: number | null = null;
  const pair = Buffer.alloc(8);

  const findUniformLength = (): number => {
    const length = stringsLength / size;
    if (!Number.isInteger(length)) return 0;
    const offsets = new Uint32Array(offsetsPerRead);
    for (let from = 0; from <= size; from += offsetsPerRead) {
      const some = offsets.subarray(0, Math.min(offsetsPerRead, size + 1 - from));
      readFully(fd, new Uint8Array(offsets.buffer, 0, some.byteLength), offsetsAt + from * 4);
      if (some.some((offset, at) => offset !== (from + at) * length)) return 0;
    }
    return length;
  };

  const slice = (from: number, to: number): string[] => {
    const offsets = Buffer.alloc((to - from + 1) * 4);
    readFully(fd, offsets, offsetsAt + from * 4);
    const start = offsets.readUInt32LE(0);
    const bytes = bufferBetween(start, offsets.readUInt32LE((to - from) * 4), stringsLength);
    readFully(fd, bytes, stringsAt + start);
    const strings = new Array<string>(to - from);
    for (let at = 0; at < strings.length; at++) {
      strings[at] = bytes.toString('utf8', offsets.readUInt32LE(at * 4) - start, offsets.readUInt32LE(at * 4 + 4) - start);
    }
    return strings;
  };
  return {
    size,
    get(index) {
      if (whole) return whole[index]!;
      if (stringsLength + size * 4 <= smallTable) {
        whole = slice(0, size);
        return whole[index]!;
      }
      uniformLength ??= findUniformLength();
      if (uniformLength === 0) readFully(fd, pair, offsetsAt + index * 4);
      const start = uniformLength === 0 ? pair.readUInt32LE(0) : index * uniformLength;
      const bytes = bufferBetween(start, uniformLength === 0 ? pair.readUInt32LE(4) : start + uniformLength, stringsLength);
      readFully(fd, bytes, stringsAt + start);
      return bytes.toString('utf8');
    },
    slice,
  };
}

/** The file was verified when it was opened, so what does not fit now has been damaged since. */
const damaged = (): EngineError => new EngineError('corrupt', 'A segment file was damaged while it was in use.');

/** A buffer for the bytes between two offsets that were read from the file. */
function bufferBetween(start: number, end: number, limit: number): Buffer {
  if (start > end || end > limit) throw damaged();
  return Buffer.allocUnsafe(end - start);
}

/** Reads until the buffer is full. */
export function readFully(fd: number, into: Uint8Array, position: number): void {
  for (let got = 0; got < into.length; ) {
    const read = readSome(fd, into, got, position + got);
    if (read === 0) throw damaged();
    got += read;
  }
}

function readSome(fd: number, into: Uint8Array, from: number, position: number): number {
  try {
    return readSync(fd, into, from, Math.min(into.length - from, 1 << 30), position);
  } catch (error) {
    throw readError(error, 'a segment file');
  }
}
