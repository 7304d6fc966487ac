/** The bytes of an uncompressed picture in order, unpacked where they are compressed. Holds one row, or one compressed unit. */
import { brotliDecompressSync, inflateRawSync, inflateSync } from 'node:zlib';
import { ExtractError } from '../../contract.ts';
import type { HeifItem } from '../../formats/image/heif-items.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

export interface PictureStream {
  /** The next bytes, with zeros after the end; null if nothing is left. */
  take(bytes: number): Buffer | null;
  skip(bytes: number): void;
}

const maxUnitBytes = 128 << 20;
const chunkBytes = 1 << 20;

/** Returns null if the compression is unknown. */
export function openPictureStream(file: FileBytes, item: HeifItem): PictureStream | null {
  const compression = item.properties.find(({ type }) => type === 'cmpC')?.body.toString('latin1', 4, 8);
  if (compression === undefined) return streamOf(storedChunks(file, item.extents));
  const unpack = { zlib: inflateSync, defl: inflateRawSync, brot: brotliDecompressSync }[compression];
  return unpack === undefined ? null : streamOf(unpackedUnits(file, item, (data) => unpack(data, { maxOutputLength: maxUnitBytes })));
}

function* storedChunks(file: FileBytes, extents: HeifItem['extents']): Generator<Buffer> {
  for (const { offset, length } of extents) {
    const end = length === 0 ? file.size : Math.min(file.size, offset + length);
    for (let at = offset; at < end; at += chunkBytes) yield file.read(at, Math.min(chunkBytes, end - at));
  }
}

function* unpackedUnits(file: FileBytes, item: HeifItem, unpack: (data: Buffer) => Buffer): Generator<Buffer> {
  const total = item.extents.reduce((sum, { length }) => sum + length, 0);
  for (const { offset, length } of compressedUnits(item) ?? [{ offset: 0, length: total }]) {
    if (length > maxUnitBytes) throw new ExtractError('guard', 'The picture has more pixels than are decoded.');
    const data = readAcross(file, item.extents, offset, length);
    try {
      yield unpack(data);
    } catch (error) {
      if (error instanceof RangeError) throw new ExtractError('guard', 'The picture has more pixels than are decoded.');
      throw new ExtractError('corrupt', 'The picture is damaged.');
    }
  }
}

function readAcross(file: FileBytes, extents: HeifItem['extents'], offset: number, length: number): Buffer {
  const parts: Buffer[] = [];
  let [skip, left] = [offset, length];
  for (const extent of extents) {
    if (left <= 0) break;
    const bytes = Math.min(extent.length - skip, left);
    if (bytes > 0) {
      parts.push(file.read(extent.offset + skip, bytes));
      left -= bytes;
    }
    skip = Math.max(0, skip - extent.length);
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

const offsetBytes = [0, 2, 3, 4, 8];
const lengthBytes = [1, 2, 3, 4, 8];

/** Offsets and sizes of the compressed units, relative to the data of the item; null if the data is one unit. */
function compressedUnits(item: HeifItem): Iterable<{ offset: number; length: number }> | null {
  const body = item.properties.find(({ type }) => type === 'icef')?.body;
  if (body === undefined || body.length < 9) return null;
  const codes = body.readUInt8(4);
  const [forOffset, forLength] = [offsetBytes[codes >> 5], lengthBytes[(codes >> 2) & 7]];
  if (forOffset === undefined || forLength === undefined) return null;
  const number = (at: number, bytes: number): number => (bytes === 8 ? Number(body.readBigUInt64BE(at)) : body.readUIntBE(at, bytes));
  return (function* units() {
    let implied = 0;
    for (let at = 9, left = body.readUInt32BE(5); left > 0 && at + forOffset + forLength <= body.length; left--) {
      const offset = forOffset === 0 ? implied : number(at, forOffset);
      const length = number(at + forOffset, forLength);
      yield { offset, length };
      implied = offset + length;
      at += forOffset + forLength;
    }
  })();
}

function streamOf(chunks: Iterator<Buffer>): PictureStream {
  let current: Buffer = Buffer.alloc(0);
  let at = 0;
  const hasMore = (): boolean => {
    while (at === current.length) {
      const next = chunks.next();
      if (next.done === true) return false;
      [current, at] = [next.value, 0];
    }
    return true;
  };
  return {
    take(bytes) {
      if (at + bytes <= current.length) {
        at += bytes;
        return current.subarray(at - bytes, at);
      }
      if (!hasMore()) return null;
      const out = Buffer.alloc(bytes);
      for (let done = 0; done < bytes && hasMore(); ) {
        const copied = current.copy(out, done, at, Math.min(current.length, at + bytes - done));
        done += copied;
        at += copied;
      }
      return out;
    },
    skip(bytes) {
      for (let left = bytes; left > 0 && hasMore(); ) {
        const step = Math.min(left, current.length - at);
        at += step;
        left -= step;
      }
    },
  };
}
