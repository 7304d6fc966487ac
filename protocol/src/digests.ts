/**
 * Digests of files, folders and trees for a comparison of two indexes. The digest of a file is the first eight bytes of the MD5 of its facts
 * and path; the digest of a set of files is the exclusive or of theirs, so it depends on no order and two sets can be combined. MD5 suffices:
 * an agent that forges its own digests only hides changes that it need not report anyway.
 */
import { hash } from 'node:crypto';

export interface DigestedFile {
  size: number;
  mtime_ns: string;
  quick_hash: string | null;
  content_hash: string | null;
  symlink_target: string | null;
}

/** 64 bits as two integers, because exclusive or of big integers is slow. */
export interface Digest {
  high: number;
  low: number;
}

export const emptyDigest = (): Digest => ({ high: 0, low: 0 });

export function addToDigest(digest: Digest, file: DigestedFile, relPath: string): void {
  const { size, mtime_ns, quick_hash, content_hash, symlink_target } = file;
  const text = `${size}|${mtime_ns}|${quick_hash ?? ''}|${content_hash ?? ''}|${symlink_target === null ? 0 : 1}|${relPath}`;
  const bytes = hash('md5', text, 'buffer');
  digest.high ^= bytes.readInt32BE(0);
  digest.low ^= bytes.readInt32BE(4);
}

export function mergeDigest(digest: Digest, other: Digest): void {
  digest.high ^= other.high;
  digest.low ^= other.low;
}

/** Sixteen hexadecimal digits. */
export function digestText({ high, low }: Digest): string {
  const part = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
  return part(high) + part(low);
}

/** A folder with many files is compared in buckets, chosen by the MD5 of the name. `count` is a power of two, at most 4096. */
export function bucketOf(name: string, count: number): number {
  return (hash('md5', name, 'buffer').readUInt16BE(0) >> 4) & (count - 1);
}

export const reconcileLimits = { folders: 500, children: 50_000, files: 5000, buckets: 4096, bytes: 8 * 1024 * 1024 } as const;
