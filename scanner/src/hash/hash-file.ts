import { createHash, hash as digestOnce } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { xxh3 } from '@node-rs/xxhash';
import { diskPath } from '../walk/index.ts';
import { quickHashWholeFileBytes, quickHashWindowBytes } from './policy.ts';

export interface HashRequest {
  /** Absolute, as path text. */
  path: string;
  /** What the walk saw: the file must still be that when it has been read. */
  size: number;
  mtimeNs: string;
  content: boolean;
}

/** `error` is a system error code, or `changed` when the file was not the one the walk saw, before or after reading. */
export type HashResult = { quick: string; content: string | null; error?: undefined } | { error: string };

/** Reads from a file; a test hands in one that fails. A short read means the end. */
export interface HashFileSystem {
  open(path: string): number;
  read(file: number, into: Buffer, length: number, position: number): number;
  facts(file: number): { size: number; mtimeNs: string; regular: boolean };
  close(file: number): void;
}

export const systemHashFileSystem: HashFileSystem = {
  // Without NONBLOCK a named pipe put in place of a file would hold the thread for ever.
  open: (path) => openSync(diskPath(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK),
  read: (file, into, length, position) => readSync(file, into, 0, length, position),
  facts(file) {
    const facts = fstatSync(file, { bigint: true });
    return { size: Number(facts.size), mtimeNs: String(facts.mtimeNs), regular: facts.isFile() };
  },
  close: closeSync,
};

const chunk = 1 << 20;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** Hashes files one after another, reusing its buffers. `bytesPerSecond` caps its average; 0 does not. */
export function createFileHasher(
  files: HashFileSystem = systemHashFileSystem,
  options: { bytesPerSecond?: number; wait?: (milliseconds: number) => void } = {},
): (request: HashRequest) => HashResult {
  const buffer = Buffer.allocUnsafeSlow(chunk);
  const sizeBytes = Buffer.alloc(8);
  const bytesPerSecond = options.bytesPerSecond ?? 0;
  const wait = options.wait ?? ((milliseconds) => void Atomics.wait(pause, 0, 0, milliseconds));
  const started = performance.now();
  let total = 0;

  const holdBack = (read: number): void => {
    if (bytesPerSecond <= 0) return;
    total += read;
    const early = (total / bytesPerSecond) * 1000 - (performance.now() - started);
    if (early > 1) wait(early);
  };
  const fill = (file: number, length: number, position: number): number => {
    let got = 0;
    while (got < length) {
      const read = files.read(file, got === 0 ? buffer : buffer.subarray(got), length - got, position + got);
      if (read === 0) break;
      got += read;
    }
    holdBack(got);
    return got;
  };
  const quickState = xxh3.Xxh3.withSeed();
  const quickOf = (size: number): InstanceType<typeof xxh3.Xxh3> => {
    sizeBytes.writeUInt32LE(size % 0x1_0000_0000, 0);
    sizeBytes.writeUInt32LE(Math.floor(size / 0x1_0000_0000), 4);
    quickState.reset();
    return quickState.update(sizeBytes);
  };
  const hex = (value: bigint): string => value.toString(16).padStart(16, '0');

  const small = (file: number, { size, content }: HashRequest): HashResult => {
    // One byte more than expected is asked for, so that a file that grew shows itself without another call.
    const read = fill(file, size + 1, 0);
    if (read !== size) return { error: 'changed' };
    const bytes = buffer.subarray(0, size);
    return { quick: hex(quickOf(size).update(bytes).digest()), content: content ? digestOnce('sha256', bytes) : null };
  };

  const large = (file: number, { size, content }: HashRequest): HashResult => {
    const quick = quickOf(size);
    for (const position of [0, Math.floor((size - quickHashWindowBytes) / 2), size - quickHashWindowBytes]) {
      if (fill(file, quickHashWindowBytes, position) !== quickHashWindowBytes) return { error: 'changed' };
      quick.update(buffer.subarray(0, quickHashWindowBytes));
    }
    if (!content) return { quick: hex(quick.digest()), content: null };
    const whole = createHash('sha256');
    let position = 0;
    for (let read = fill(file, chunk, 0); read > 0; read = fill(file, chunk, position)) {
      whole.update(buffer.subarray(0, read));
      position += read;
      if (position > size) break;
    }
    return position === size ? { quick: hex(quick.digest()), content: whole.digest('hex') } : { error: 'changed' };
  };

  return (request) => {
    let file: number | undefined;
    try {
      file = files.open(request.path);
      // A small file is read in one call, whose length tells whether it grew or shrank; a large one has time to change underneath.
      if (request.size <= quickHashWholeFileBytes) return small(file, request);
      const before = files.facts(file);
      if (!before.regular || before.size !== request.size || before.mtimeNs !== request.mtimeNs) return { error: 'changed' };
      const result = large(file, request);
      const after = files.facts(file);
      return after.size === request.size && after.mtimeNs === request.mtimeNs ? result : { error: 'changed' };
    } catch (error) {
      return { error: (error as NodeJS.ErrnoException).code ?? 'EIO' };
    } finally {
      if (file !== undefined) files.close(file);
    }
  };
}

/** A batch of requests on its way to a thread: columns, not objects, because objects are copied one by one. */
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
  return paths.split('\0').map((path, at) => ({ path, size: sizes[at]!, mtimeNs: times[at]!, content: content[at] === 1 }));
}

/** One line a result: an error after `!`, else the quick hash and, when there is one, the content hash. */
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
    const blank = line.indexOf(' ');
    return blank === -1 ? { quick: line, content: null } : { quick: line.slice(0, blank), content: line.slice(blank + 1) };
  });
}
