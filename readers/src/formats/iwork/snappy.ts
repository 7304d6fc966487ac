import { ExtractError } from '../../contract.ts';

const damaged = (): ExtractError => new ExtractError('corrupt', 'A packed part of the document is damaged.');

/** Unpacks one raw Snappy block; refused when it states more than `maxBytes`. */
export function unpackSnappy(packed: Buffer, maxBytes: number): Buffer {
  const [size, start] = readVarint(packed, 0);
  if (size > maxBytes) throw new ExtractError('guard', `A part of the document unpacks to ${size} bytes; the ceiling is ${maxBytes}.`);
  const out = Buffer.alloc(size);
  let to = 0;
  for (let at = start; at < packed.length; ) {
    const tag = packed[at++]!;
    if ((tag & 3) === 0) {
      let length = tag >> 2;
      if (length >= 60) {
        const extra = length - 59;
        if (at + extra > packed.length) throw damaged();
        length = packed.readUIntLE(at, extra);
        at += extra;
      }
      length += 1;
      if (at + length > packed.length || to + length > size) throw damaged();
      packed.copy(out, to, at, at + length);
      at += length;
      to += length;
      continue;
    }
    const bytes = [1, 2, 4][(tag & 3) - 1]!;
    if (at + bytes > packed.length) throw damaged();
    const length = (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = (tag & 3) === 1 ? ((tag & 0xe0) << 3) | packed[at]! : packed.readUIntLE(at, bytes);
    at += bytes;
    if (offset === 0 || offset > to || to + length > size) throw damaged();
    // Source and target may overlap: byte by byte is the meaning of it.
    for (let n = 0; n < length; n++, to++) out[to] = out[to - offset]!;
  }
  return out.subarray(0, to);
}

/** A number in groups of seven bits, and where the next byte lies. */
export function readVarint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0;
  let scale = 1;
  for (let at = start; at < bytes.length && at < start + 8; at++) {
    value += (bytes[at]! & 0x7f) * scale;
    if (bytes[at]! < 0x80) return [value, at + 1];
    scale *= 128;
  }
  throw damaged();
}
