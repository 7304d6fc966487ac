import { inflateRawSync, zstdDecompressSync } from 'node:zlib';
import { ExtractError, type Limits } from '../../contract.ts';
import type { FileWindow } from '../file-window.ts';
import { guardRatio } from './listing.ts';
import type { ZipDirectory, ZipEntry } from './zip-directory.ts';

/** The entry with this exact name, or undefined. */
export function findEntry(directory: ZipDirectory, name: string): ZipEntry | undefined {
  return directory.entries.find((entry) => entry.name === name);
}

/**
 * Unpacks one member into memory. The declared size is judged before and the real output is capped during unpacking, so a header that
 * lies gains nothing.
 */
export function readZipMember(file: FileWindow, entry: ZipEntry, limits: Limits, maxBytes: number): Buffer {
  if (entry.encrypted) throw new ExtractError('guard', 'The archive is protected by a password.');
  const ceiling = Math.min(maxBytes, limits.decompressedMaxBytes);
  if (entry.size > ceiling || entry.packedSize > ceiling) throw new ExtractError('guard', 'A member of the archive is too large to be unpacked.');
  guardRatio(entry.size, entry.packedSize, limits);
  const header = file.read(entry.offset, 30);
  if (header.readUInt32LE(0) !== 0x04034b50) throw new ExtractError('corrupt', 'A member of the archive is not where the directory says.');
  const packed = file.read(entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), entry.packedSize);
  return unpack(packed, entry, ceiling);
}

function unpack(packed: Buffer, entry: ZipEntry, ceiling: number): Buffer {
  // One byte more than declared is enough to see that a header lied.
  const maxOutputLength = Math.max(1, Math.min(ceiling, entry.size) + 1);
  let bytes: Buffer;
  try {
    if (entry.method === 0) bytes = packed;
    else if (entry.method === 8) bytes = inflateRawSync(packed, { maxOutputLength });
    else if (entry.method === 93) bytes = zstdDecompressSync(packed, { maxOutputLength });
    else throw new ExtractError('dependency', 'A member of the archive is packed with a method that is not read here.');
  } catch (error) {
    if (error instanceof ExtractError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new ExtractError('guard', 'A member of the archive is larger than it says.');
    }
    throw new ExtractError('corrupt', 'A member of the archive cannot be unpacked.');
  }
  if (bytes.length > entry.size) throw new ExtractError('guard', 'A member of the archive is larger than it says.');
  return bytes;
}
