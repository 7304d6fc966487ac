import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ExtractError, type Source } from '../contract.ts';

/**
 * A file opened read-only and read by position. Extractors hold one file at a time inside a child process, so plain synchronous reads
 * are the fastest and simplest way. A read past the end is a sign of a truncated file or of one that shrank meanwhile: corrupt.
 */
export interface FileWindow {
  readonly size: number;
  readonly fd: number;
  /** Exactly `length` bytes at `offset`, or corrupt. */
  read(offset: number, length: number): Buffer;
  /** Up to `length` bytes at `offset`; shorter at the end of the file. */
  readUpTo(offset: number, length: number): Buffer;
  /** Fills `target` from `offset` and gives the number of bytes read. */
  readInto(target: Uint8Array, offset: number): number;
  /** Chunks from `offset` to `end`; the buffer is reused between chunks. */
  chunks(offset?: number, end?: number, chunkBytes?: number): Generator<Buffer>;
}

/** One allocation asked for by a number found in a file stays below this. */
const maxSingleRead = 256 * 1024 * 1024;

export function endedEarly(): ExtractError {
  return new ExtractError('corrupt', 'The file ends before its content does.');
}

/** Opens the file, hands it to `use` and closes it whatever happens. */
export async function withFile<T>(source: Pick<Source, 'path'>, use: (file: FileWindow) => T | Promise<T>): Promise<T> {
  const fd = openSync(source.path, 'r');
  try {
    return await use(windowOn(fd, fstatSync(fd).size));
  } finally {
    closeSync(fd);
  }
}

function windowOn(fd: number, size: number): FileWindow {
  const readInto = (target: Uint8Array, offset: number): number => {
    let done = 0;
    while (done < target.length) {
      const got = readSync(fd, target, done, target.length - done, offset + done);
      if (got === 0) break;
      done += got;
    }
    return done;
  };
  const readUpTo = (offset: number, length: number): Buffer => {
    if (!(offset >= 0) || !(length >= 0)) throw new ExtractError('corrupt', 'The file points outside itself.');
    const wanted = Math.max(0, Math.min(length, size - offset));
    if (wanted > maxSingleRead) throw new ExtractError('guard', 'A part of the file is too large to be read at once.');
    const target = Buffer.allocUnsafe(wanted);
    return target.subarray(0, readInto(target, offset));
  };
  return {
    size,
    fd,
    readInto,
    readUpTo,
    read(offset, length) {
      const bytes = readUpTo(offset, length);
      if (bytes.length < length) throw endedEarly();
      return bytes;
    },
    *chunks(offset = 0, end = size, chunkBytes = 1 << 20) {
      const buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkBytes, end - offset)));
      for (let at = offset; at < end; ) {
        const got = readInto(buffer.subarray(0, Math.min(buffer.length, end - at)), at);
        if (got === 0) throw endedEarly();
        yield buffer.subarray(0, got);
        at += got;
      }
    },
  };
}
