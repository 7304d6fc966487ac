import { ExtractError } from '../contract.ts';

/** Values of a property list. Dates are ISO strings; unknown kinds are null. */
export type PlistValue = null | boolean | number | string | Buffer | PlistValue[] | Map<string, PlistValue>;

const maxObjects = 200_000;
const maxDepth = 64;

export function isBinaryPlist(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 6) === 'bplist';
}

/** Reads a binary property list. Objects refer to each other by number, so depth and count are limited. */
export function readBinaryPlist(bytes: Buffer): PlistValue {
  const damaged = (): ExtractError => new ExtractError('corrupt', 'The property list is damaged.');
  if (!isBinaryPlist(bytes) || bytes.length < 40) throw damaged();
  const trailer = bytes.subarray(-32);
  const [offsetSize, refSize] = [trailer.readUInt8(6), trailer.readUInt8(7)];
  const [count, top, tableAt] = [8, 16, 24].map((at) => Number(trailer.readBigUInt64BE(at))) as [number, number, number];
  if (![1, 2, 3, 4].includes(offsetSize) || ![1, 2, 3, 4].includes(refSize) || tableAt + count * offsetSize > bytes.length) throw damaged();
  let visited = 0;
  const uint = (at: number, size: number): number => {
    if (at < 0 || at + size > bytes.length) throw damaged();
    return size > 6 ? Number(bytes.readBigUInt64BE(at + size - 8)) : bytes.readUIntBE(at, size);
  };
  const read = (index: number, depth: number): PlistValue => {
    if (index >= count || depth > maxDepth || ++visited > maxObjects) throw damaged();
    const at = uint(tableAt + index * offsetSize, offsetSize);
    const marker = uint(at, 1);
    const kind = marker >> 4;
    let length = marker & 15;
    let start = at + 1;
    if (kind >= 4 && length === 15) {
      const size = 1 << (uint(start, 1) & 15);
      length = uint(start + 1, size);
      start += 1 + size;
    }
    const part = (size: number): Buffer => {
      if (start + size > bytes.length) throw damaged();
      return bytes.subarray(start, start + size);
    };
    const refs = (from: number): number[] => {
      if (from + length * refSize > bytes.length) throw damaged();
      return Array.from({ length }, (_, i) => uint(from + i * refSize, refSize));
    };
    if (kind === 0) return length === 9 ? true : length === 8 ? false : null;
    if (kind === 1) return length === 3 ? Number(part(8).readBigInt64BE(0)) : uint(start, 1 << length);
    if (kind === 2) return length === 3 ? part(8).readDoubleBE(0) : part(4).readFloatBE(0);
    if (kind === 3) return dateText(part(8).readDoubleBE(0));
    if (kind === 4) return part(length);
    if (kind === 5) return part(length).toString('latin1');
    if (kind === 6)
      return Buffer.from(part(length * 2))
        .swap16()
        .toString('utf16le');
    if (kind === 10 || kind === 12) return refs(start).map((ref) => read(ref, depth + 1));
    if (kind !== 13) return null;
    const values = refs(start + length * refSize);
    return new Map(refs(start).map((ref, i) => [String(read(ref, depth + 1)), read(values[i] ?? count, depth + 1)]));
  };
  return read(top, 0);
}

/** Dates count seconds from the start of 2001. */
function dateText(seconds: number): string | null {
  const date = new Date(978_307_200_000 + seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
