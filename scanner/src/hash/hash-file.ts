import { createHash, hash as digestOnce } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { xxh3 } from '@node-rs/xxhash';
import { limitNs, limitSize } from '../walk/entries.ts';
import { diskPath } from '../walk/path-text.ts';
import { quickHashWholeFileBytes, quickHashWindowBytes } from './policy.ts';

export interface HashRequest {
  /** Absolute, as path text. */
  path: string;
  /** Size and mtime from the walk; the file must still have both after it was read. */
  size: number;
  mtimeNs: string;
  content: boolean;
}

/** `error` is a system error code, or `changed` when size or mtime differ from the request before or after reading. */
export type HashResult = { quick: string; content: string | null; error?: undefined } | { error: string };

/** Synchronous file access; tests pass in a failing one. `read` returns 0 at the end of the file and may return fewer bytes than asked. */
export interface HashFileSystem {
  open(path: string): number;
  read(file: number, into: Buffer, length: number, position: number): number;
  stat(file: number): { size: number; mtimeNs: string; isFile: boolean };
  close(file: number): void;
}

export const systemHashFileSystem: HashFileSystem = {
  // Without O_NONBLOCK, opening a named pipe that replaced a file would block the thread forever.
  open: (path) => openSync(diskPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
  read: (file, into, length, position) => readSync(file, into, 0, length, position),
  stat(file) {
    const stats = fstatSync(file, { bigint: true });
    return { size: limitSize(Number(stats.size)), mtimeNs: String(limitNs(stats.mtimeNs)), isFile: stats.isFile() };
  },
  close: closeSync,
};

const chunkBytes = 1 << 20;
const sleepCell = new Int32Array(new SharedArrayBuffer(4));

/** Hashes files one after another, reusing its buffers. `bytesPerSecond` limits the average read rate; 0 means no limit. */
export function createFileHasher(
  files: HashFileSystem = systemHashFileSystem,
  options: { bytesPerSecond?: number; wait?: (milliseconds: number) => void } = {},
): (request: HashRequest) => HashResult {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  const sizeBytes = Buffer.alloc(8);
  const bytesPerSecond = options.bytesPerSecond ?? 0;
  const wait = options.wait ?? ((milliseconds) => void Atomics.wait(sleepCell, 0, 0, milliseconds));
  const started = performance.now();
  let total = 0;

  const throttle = (read: number): void => {
    if (bytesPerSecond <= 0) return;
    total += read;
    const aheadMs = (total / bytesPerSecond) * 1000 - (performance.now() - started);
    if (aheadMs > 1) wait(aheadMs);
  };
  const fillBuffer = (file: number, length: number, position: number): number => {
    let filled = 0;
    while (filled < length) {
      const read = files.read(file, filled === 0 ? buffer : buffer.subarray(filled), length - filled, position + filled);
      if (read === 0) break;
      filled += read;
    }
    throttle(filled);
    return filled;
  };
  const quickState = xxh3.Xxh3.withSeed();
  const startQuickHash = (size: number): InstanceType<typeof xxh3.Xxh3> => {
    sizeBytes.writeUInt32LE(size % 0x1_0000_0000, 0);
    sizeBytes.writeUInt32LE(Math.floor(size / 0x1_0000_0000), 4);
    quickState.reset();
    return quickState.update(sizeBytes);
  };
  const toHex = (value: bigint): string => value.toString(16).padStart(16, '0');

  const hashSmall = (file: number, { size, content }: HashRequest): HashResult => {
    // Reading one byte more than expected detects a file that grew without another system call.
    const read = fillBuffer(file, size + 1, 0);
    if (read !== size) return { error: 'changed' };
    const bytes = buffer.subarray(0, size);
    return { quick: toHex(startQuickHash(size).update(bytes).digest()), content: content ? digestOnce('sha256', bytes) : null };
  };

  const hashLarge = (file: number, { size, content }: HashRequest): HashResult => {
    const quick = startQuickHash(size);
    for (const position of [0, Math.floor((size - quickHashWindowBytes) / 2), size - quickHashWindowBytes]) {
      if (fillBuffer(file, quickHashWindowBytes, position) !== quickHashWindowBytes) return { error: 'changed' };
      quick.update(buffer.subarray(0, quickHashWindowBytes));
    }
    if (!content) return { quick: toHex(quick.digest()), content: null };
    const sha256 = createHash('sha256');
    let position = 0;
    for (let read = fillBuffer(file, chunkBytes, 0); read > 0; read = fillBuffer(file, chunkBytes, position)) {
      sha256.update(buffer.subarray(0, read));
      position += read;
      if (position > size) break;
    }
    return position === size ? { quick: toHex(quick.digest()), content: sha256.digest('hex') } : { error: 'changed' };
  };

  return (request) => {
    let file: number | undefined;
    try {
      file = files.open(request.path);
      // A small file is read in one call, whose length shows whether its size changed; only a large file can change between reads.
      if (request.size <= quickHashWholeFileBytes) return hashSmall(file, request);
      const before = files.stat(file);
      if (!before.isFile || before.size !== request.size || before.mtimeNs !== request.mtimeNs) return { error: 'changed' };
      const result = hashLarge(file, request);
      const after = files.stat(file);
      return after.size === request.size && after.mtimeNs === request.mtimeNs ? result : { error: 'changed' };
    } catch (error) {
      return { error: (error as NodeJS.ErrnoException).code ?? 'EIO' };
    } finally {
      if (file !== undefined) files.close(file);
    }
  };
}

/** A batch of requests sent to a hashing thread. Columns instead of objects, because structured clone copies objects one by one. */
export interface HashMessage {
  id: number;
  paths: string;
  sizes: Float64Array;
  mtimes: string;
  content: Uint8Array;
}

export function packRequests(id: number, requests: readonly HashRequest[]): HashMessage {
  return {
    id,
    paths: requests.map(({ path }) => path).join('\0'),
    sizes: Float64Array.from(requests, ({ size }) => size),
    mtimes: requests.map(({ mtimeNs }) => mtimeNs).join(' '),
    content: Uint8Array.from(requests, ({ content }) => (content ? 1 : 0)),
  };
}

export function unpackRequests({ paths, sizes, mtimes, content }: HashMessage): HashRequest[] {
  const times = mtimes.split(' ');
  return paths.split('\0').map((path, index) => ({
    path,
    size: sizes[index] ?? 0,
    mtimeNs: times[index] ?? '',
    content: content[index] === 1,
  }));
}

/** One line per result: `!` and the error, or the quick hash and, when there is one, the content hash. */
export function packResults(results: readonly HashResult[]): string {
  return results
    .map((result) =>
      result.error !== undefined ? `!${result.error}` : result.content === null ? result.quick : `${result.quick} ${result.content}`,
    )
    .join('\n');
}

export function unpackResults(text: string): HashResult[] {
  return text.split('\n').map((line) => {
    if (line.startsWith('!')) return { error: line.slice(1) };
    const space = line.indexOf(' ');
    return space === -1 ? { quick: line, content: null } : { quick: line.slice(0, space), content: line.slice(space + 1) };
  });
}
