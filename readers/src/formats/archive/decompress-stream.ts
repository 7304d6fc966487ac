import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { ExtractError, type Limits } from '../../contract.ts';
import { type FileBytes, fileChunks } from '../../input/file-bytes.ts';
import { guardRatio } from './member-list.ts';
import { stopReading, unpackMembers } from './seven-zip.ts';

export type Compression = 'gzip' | 'zstd' | 'brotli' | '7z';

/**
 * Detects the compression from the first bytes, because extensions are often wrong. Brotli has no signature and is detected by extension.
 */
export function detectCompression(file: FileBytes, extension: string): Compression | 'none' {
  const head = file.read(0, 262);
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528) return 'zstd';
  if (head.toString('latin1', 257, 262) === 'ustar') return 'none';
  if (/(^|\.)(br)$/.test(extension)) return 'brotli';
  const knownBySevenZip =
    head.toString('latin1', 0, 3) === 'BZh' || head.toString('latin1', 1, 5) === '7zXZ' || (head[0] === 0x1f && head[1] === 0x9d);
  return knownBySevenZip || /lzma|^tlz$|xz$|bz|^z$|\.z$/.test(extension) ? '7z' : 'none';
}

/** How decompression ended: all data was read, the caller stopped it, or the byte limit was reached. */
type DecompressionEnd = 'complete' | 'stopped' | 'limit';

/**
 * Decompresses the file and passes each chunk to `take`, which returns false to stop. Throws a guard error when the ratio of output to
 * input exceeds the limit. Reaching `maxBytes` within the allowed ratio is not an error.
 */
export async function decompressStream(
  file: FileBytes,
  compression: Compression,
  limits: Limits,
  maxBytes: number,
  take: (chunk: Buffer) => boolean,
): Promise<DecompressionEnd> {
  let produced = 0;
  let consumed = 0;
  let end: DecompressionEnd = 'complete';
  const counted: FileBytes = {
    ...file,
    read(offset, length) {
      const bytes = file.read(offset, length);
      consumed += bytes.length;
      return bytes;
    },
  };
  const accept = (chunk: Buffer): boolean => {
    produced += chunk.length;
    guardRatio(produced, consumed, limits);
    if (produced > maxBytes) end = 'limit';
    else if (!take(chunk)) end = 'stopped';
    return end === 'complete';
  };
  if (compression === '7z') {
    await unpackMembers(counted, undefined, (chunk) => {
      if (!accept(chunk)) throw stopReading;
    });
    return end;
  }
  await decompressWithZlib(counted, compression, accept);
  return end;
}

async function decompressWithZlib(file: FileBytes, compression: Compression, accept: (chunk: Buffer) => boolean): Promise<void> {
  const options = { chunkSize: 256 * 1024 };
  const unpacker =
    compression === 'gzip'
      ? createGunzip(options)
      : compression === 'zstd'
        ? createZstdDecompress(options)
        : createBrotliDecompress(options);
  let stopped = false;
  try {
    await pipeline(fileChunks(file, 256 * 1024), unpacker, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        if (accept(chunk)) continue;
        stopped = true;
        return;
      }
    });
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    if (stopped) return;
    throw new ExtractError('corrupt', 'The compressed data is damaged.');
  }
}
