/**
 * Digests of files, folders and trees for a comparison of two indexes. The digest of a file is the first eight bytes of the SHA-256 of its
 * facts and path; the digest of a set of files is the exclusive or of theirs, so it depends on no order and two sets can be combined. Eight
 * bytes suffice: an agent that forges its own digests only hides changes that it need not report anyway. Size and time are eight bytes each,
 * because the service has a million of them to hash and converting them to text would take longer than the hash.
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

const numberBytes = 16;

export const emptyDigest = (): Digest => ({ high: 0, low: 0 });

export function addToDigest(digest: Digest, file: DigestedFile, relPath: string): void {
  const { size, mtime_ns, quick_hash, content_hash, symlink_target } = file;
  const text = `${content_hash ?? quick_hash ?? (symlink_target === null ? '' : 'link')}|${relPath}`;
  const facts = Buffer.allocUnsafe(numberBytes + Buffer.byteLength(text));
  facts.writeBigInt64BE(BigInt(size), 0);
  facts.writeBigInt64BE(BigInt(mtime_ns), 8);
  facts.write(text, numberBytes);
  const bytes = hash('sha256', facts, 'buffer');
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
