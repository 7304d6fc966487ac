import { createHash } from 'node:crypto';
import { ExtractError } from '../contract.ts';

export type BencodeValue = number | Buffer | BencodeValue[] | Map<string, BencodeValue>;

const maxDepth = 100;

/** Decodes bencoded bytes; strings stay bytes. Also hashes the value of the top-level `info` key, which names a torrent. */
export function decodeBencode(bytes: Buffer): { value: BencodeValue; infoHash?: string } {
  let at = 0;
  let infoHash: string | undefined;
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The file is damaged.');
  };
  const until = (stop: number): string => {
    const end = bytes.indexOf(stop, at);
    if (end === -1 || end - at > 20) damaged();
    const digits = bytes.toString('latin1', at, end);
    at = end + 1;
    return /^-?\d+$/.test(digits) ? digits : damaged();
  };
  const readString = (): Buffer => {
    const length = Number(until(0x3a));
    if (!(length >= 0) || at + length > bytes.length) damaged();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const read = (depth: number): BencodeValue => {
    if (depth > maxDepth) throw new ExtractError('guard', 'The file is nested too deeply.');
    const mark = bytes[at];
    if (mark === 0x69) {
      at++;
      return Number(until(0x65));
    }
    if (mark === 0x6c || mark === 0x64) {
      at++;
      return mark === 0x6c ? readList(depth) : readDictionary(depth);
    }
    return readString();
  };
  const readList = (depth: number): BencodeValue[] => {
    const list: BencodeValue[] = [];
    while (bytes[at] !== 0x65) {
      if (at >= bytes.length) damaged();
      list.push(read(depth + 1));
    }
    at++;
    return list;
  };
  const readDictionary = (depth: number): Map<string, BencodeValue> => {
    const map = new Map<string, BencodeValue>();
    while (bytes[at] !== 0x65) {
      if (at >= bytes.length) damaged();
      const key = readString().toString('utf8');
      const start = at;
      map.set(key, read(depth + 1));
      if (depth === 0 && key === 'info') infoHash = createHash('sha1').update(bytes.subarray(start, at)).digest('hex');
    }
    at++;
    return map;
  };
  const value = read(0);
  return infoHash === undefined ? { value } : { value, infoHash };
}
