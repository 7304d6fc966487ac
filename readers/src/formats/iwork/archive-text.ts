/**
 * Text in the parts of a Pages or Numbers document. A part is a row of packed blocks; unpacked it is a row of objects, each with a head
 * that names the types and lengths of what follows. Text stands in objects of the text storage type.
 */
import { readVarint, unpackSnappy } from './snappy.ts';

const textStorage = 2001;
const blockMax = 16 * 1024 * 1024;

/** Fields of a protobuf message, shallow: numbers and bytes by field. */
function* fieldsOf(bytes: Buffer): Generator<{ field: number; number?: number; bytes?: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const [key, next] = readVarint(bytes, at);
    const field = Math.floor(key / 8);
    const kind = key % 8;
    if (kind === 0) {
      const [number, after] = readVarint(bytes, next);
      yield { field, number };
      at = after;
    } else if (kind === 2) {
      const [length, from] = readVarint(bytes, next);
      if (from + length > bytes.length) return;
      yield { field, bytes: bytes.subarray(from, from + length) };
      at = from + length;
    } else if (kind === 1) at = next + 8;
    else if (kind === 5) at = next + 4;
    else return;
  }
}

/** The unpacked part; each block begins with a zero and its length in three bytes. */
export function unpackPart(packed: Buffer, room: number): Buffer {
  const blocks: Buffer[] = [];
  let size = 0;
  for (let at = 0; at + 4 <= packed.length && size < room; ) {
    const length = packed.readUIntLE(at + 1, 3);
    const block = unpackSnappy(packed.subarray(at + 4, at + 4 + length), Math.min(blockMax, room - size));
    blocks.push(block);
    size += block.length;
    at += 4 + length;
  }
  return Buffer.concat(blocks);
}

export function* textsIn(part: Buffer): Generator<string> {
  for (let at = 0; at < part.length; ) {
    const [length, start] = readVarint(part, at);
    let body = start + length;
    for (const { field, bytes } of fieldsOf(part.subarray(start, body))) {
      if (field !== 2 || bytes === undefined) continue;
      const info = [...fieldsOf(bytes)];
      const type = info.find((each) => each.field === 1)?.number;
      const size = info.find((each) => each.field === 3)?.number ?? 0;
      if (type === textStorage) {
        for (const each of fieldsOf(part.subarray(body, body + size)))
          if (each.field === 3 && each.bytes !== undefined) yield each.bytes.toString('utf8');
      }
      body += size;
    }
    if (body <= at) return;
    at = body;
  }
}
