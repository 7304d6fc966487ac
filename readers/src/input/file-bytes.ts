/**
 * Random access to the bytes of one file. Reads are synchronous on purpose: the child process has one file at a time and nothing else to
 * do, and a synchronous read costs a seventh of a promised one. A file that shrinks while it is read simply ends earlier.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ExtractError, type Source } from '../contract.ts';

export interface FileBytes {
  /** Size when the file was opened; it may differ from the size the scan saw. */
  readonly size: number;
  /** The bytes at `offset`, fewer than `length` only at the end of the file. Never more than the file holds, whatever is asked. */
  read(offset: number, length: number): Buffer;
  /** Like read, but a file that ends too early is corrupt. */
  need(offset: number, length: number): Buffer;
  close(): void;
}

export function openFileBytes(path: string): FileBytes {
  // O_NONBLOCK: a named pipe must answer at once instead of waiting for a writer.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stat = fstatSync(fd);
  if (!stat.isFile()) {
    closeSync(fd);
    throw new ExtractError('corrupt', 'This is not a regular file.');
  }
  const size = stat.size;
  const read = (offset: number, length: number): Buffer => {
    if (!(offset >= 0) || !(length > 0) || offset >= size) return Buffer.alloc(0);
    const wanted = Math.min(length, size - offset);
    const out = Buffer.allocUnsafe(wanted);
    let done = 0;
    while (done < wanted) {
      const got = readSync(fd, out, done, wanted - done, offset + done);
      if (got === 0) break;
      done += got;
    }
    return done === wanted ? out : out.subarray(0, done);
  };
  return {
    size,
    read,
    need(offset, length) {
      const bytes = read(offset, length);
      if (bytes.length < length) throw new ExtractError('corrupt', 'The file ends too early.');
      return bytes;
    },
    close: () => closeSync(fd),
  };
}

/** Opens the file, hands it to `use`, and closes it whatever happens. */
export async function withFileBytes<T>(source: Source, use: (file: FileBytes) => T | Promise<T>): Promise<T> {
  const file = openFileBytes(source.path);
  try {
    return await use(file);
  } finally {
    file.close();
  }
}

/** The whole file in memory; refused past the ceiling. */
export function readWholeFile(source: Source, maxBytes: number): Buffer {
  const file = openFileBytes(source.path);
  try {
    if (file.size > maxBytes) throw tooLarge(file.size, maxBytes);
    return file.read(0, file.size);
  } finally {
    file.close();
  }
}

export function tooLarge(size: number, maxBytes: number): ExtractError {
  return new ExtractError('guard', `The file has ${size} bytes; the ceiling is ${maxBytes}.`);
}

/** The file in pieces, front to back. */
export function* fileChunks(file: FileBytes, chunkBytes = 1 << 20, from = 0, to = file.size): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const chunk = file.read(at, Math.min(chunkBytes, to - at));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}
