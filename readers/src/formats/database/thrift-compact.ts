import { ExtractError } from '../../contract.ts';

export type ThriftValue = number | boolean | Buffer | ThriftValue[] | Map<number, ThriftValue>;

const maxDepth = 32;
const maxValues = 5_000_000;

/** Reads one struct in Thrift's compact encoding into a map from field number to value. */
export function readThriftStruct(bytes: Buffer): Map<number, ThriftValue> {
  let at = 0;
  let values = 0;
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The description of the table is damaged.');
  };
  const byte = (): number => {
    const value = bytes[at++];
    return value === undefined ? damaged() : value;
  };
  const varint = (): number => {
    let value = 0;
    for (let shift = 1, i = 0; i < 10; i++, shift *= 128) {
      const next = byte();
      value += (next & 0x7f) * shift;
      if (next < 0x80) return value;
    }
    return damaged();
  };
  const zigzag = (): number => {
    const value = varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const binary = (): Buffer => {
    const length = varint();
    if (at + length > bytes.length) damaged();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const read = (type: number, depth: number): ThriftValue => {
    if (depth > maxDepth || ++values > maxValues) throw new ExtractError('guard', 'The description of the table is too large.');
    if (type === 1 || type === 2) return type === 1;
    if (type === 3) return byte();
    if (type >= 4 && type <= 6) return zigzag();
    if (type === 7) {
      at += 8;
      return at > bytes.length ? damaged() : bytes.readDoubleLE(at - 8);
    }
    if (type === 8) return binary();
    if (type === 9 || type === 10) return list(depth);
    if (type === 11) return map(depth);
    return type === 12 ? struct(depth) : damaged();
  };
  const list = (depth: number): ThriftValue[] => {
    const head = byte();
    const size = head >> 4 === 15 ? varint() : head >> 4;
    if (size > bytes.length - at) damaged();
    const out: ThriftValue[] = [];
    for (let i = 0; i < size; i++) out.push((head & 15) <= 2 ? byte() === 1 : read(head & 15, depth + 1));
    return out;
  };
  const map = (depth: number): ThriftValue[] => {
    const size = varint();
    if (size === 0) return [];
    const kinds = byte();
    if (size > bytes.length - at) damaged();
    const out: ThriftValue[] = [];
    for (let i = 0; i < size; i++) out.push(read(kinds >> 4, depth + 1), read(kinds & 15, depth + 1));
    return out;
  };
  const struct = (depth: number): Map<number, ThriftValue> => {
    const fields = new Map<number, ThriftValue>();
    let field = 0;
    for (;;) {
      const head = byte();
      if (head === 0) return fields;
      field = head >> 4 === 0 ? zigzag() : field + (head >> 4);
      fields.set(field, read(head & 15, depth + 1));
    }
  };
  return struct(0);
}
