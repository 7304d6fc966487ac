/**
 * Random access to the bytes of one file. Reads are synchronous because the child process handles one file at a time and a synchronous
 * read takes a seventh of the time of an asynchronous one. If the file shrinks while it is read, reads return fewer bytes.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { ExtractError, type Source } from '../contract.ts';

export interface FileBytes {
  /** Size when the file was opened; it may differ from the size at the last scan. */
  readonly size: number;
  /** The bytes at `offset`; fewer than `length` at the end of the file, so a huge `length` allocates no more than the file has. */
  read(offset: number, length: number): Buffer;
  /** Like read, but throws a corrupt error when the file ends too early. */
  need(offset: number, length: number): Buffer;
  close(): void;
}

export function openFileBytes(path: string): FileBytes {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
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

/** Bytes in memory, such as a file that was unpacked from another one. */
export function bytesAsFile(bytes: Buffer): FileBytes {
  const read = (offset: number, length: number): Buffer =>
    offset >= 0 && length > 0 ? bytes.subarray(offset, offset + length) : Buffer.alloc(0);
  return {
    size: bytes.length,
    read,
    need(offset, length) {
      const found = read(offset, length);
      if (found.length < length) throw new ExtractError('corrupt', 'The file ends too early.');
      return found;
    },
    close: () => undefined,
  };
}

/** Opens the file for `use` and always closes it afterwards. */
export async function withFileBytes<T>(source: Source, use: (file: FileBytes) => T | Promise<T>): Promise<T> {
  const file = openFileBytes(source.path);
  try {
    return await use(file);
  } finally {
    file.close();
  }
}

/** Reads the whole file. Throws a guard error above `maxBytes`. */
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

/** The file in consecutive chunks. */
export function* fileChunks(file: FileBytes, chunkBytes = 1 << 20, from = 0, to = file.size): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const chunk = file.read(at, Math.min(chunkBytes, to - at));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}
