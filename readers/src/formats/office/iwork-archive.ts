/**
 * The archives (.iwa) inside documents of Pages, Numbers and Keynote since 2013. An archive is a sequence of Snappy blocks; unpacked, it is
 * a sequence of objects. Each object begins with a header that states its number and the types and lengths of its messages.
 */
import { ExtractError } from '../../contract.ts';

export interface IworkMessage {
  /** The number of the object, which others refer to. */
  id: number;
  type: number;
  data: Buffer;
}

const blockMax = 16 * 1024 * 1024;
const damaged = (): ExtractError => new ExtractError('corrupt', 'A compressed part of the document is damaged.');

/** Decompresses an archive. Each block begins with a zero byte and a three-byte length. */
export function unpackArchive(compressed: Buffer, maxBytes: number): Buffer {
  const blocks: Buffer[] = [];
  let size = 0;
  for (let at = 0; at + 4 <= compressed.length && size < maxBytes; ) {
    const length = compressed.readUIntLE(at + 1, 3);
    const block = unpackSnappy(compressed.subarray(at + 4, at + 4 + length), Math.min(blockMax, maxBytes - size));
    blocks.push(block);
    size += block.length;
    at += 4 + length;
  }
  return Buffer.concat(blocks);
}

export function* messagesIn(archive: Buffer): Generator<IworkMessage> {
  for (let at = 0; at < archive.length; ) {
    const [length, start] = readVarint(archive, at);
    let body = start + length;
    const header = [...fieldsOf(archive.subarray(start, body))];
    const id = header.find(({ field }) => field === 1)?.number ?? 0;
    for (const { field, bytes } of header) {
      if (field !== 2 || bytes === undefined) continue;
      const info = [...fieldsOf(bytes)];
      const type = info.find((entry) => entry.field === 1)?.number ?? 0;
      const size = info.find((entry) => entry.field === 3)?.number ?? 0;
      yield { id, type, data: archive.subarray(body, body + size) };
      body += size;
    }
    if (body <= at) return;
    at = body;
  }
}

export interface MessageField {
  field: number;
  number?: number;
  bytes?: Buffer;
}

/** Yields the top-level fields of a protobuf message. */
export function* fieldsOf(bytes: Buffer): Generator<MessageField> {
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

/** The bytes of the first field with this number. */
export function bytesOf(message: Buffer, field: number): Buffer | undefined {
  for (const entry of fieldsOf(message)) if (entry.field === field && entry.bytes !== undefined) return entry.bytes;
  return undefined;
}

/** The number of the object that a reference names. */
export function referenceOf(reference: Buffer | undefined): number | undefined {
  if (reference === undefined) return undefined;
  for (const entry of fieldsOf(reference)) if (entry.field === 1) return entry.number;
  return undefined;
}

/** Decompresses one raw Snappy block. Throws if it states more than `maxBytes`. */
function unpackSnappy(compressed: Buffer, maxBytes: number): Buffer {
  const [size, start] = readVarint(compressed, 0);
  if (size > maxBytes) throw new ExtractError('guard', `A part of the document decompresses to ${size} bytes; the limit is ${maxBytes}.`);
  const out = Buffer.alloc(size);
  let to = 0;
  for (let at = start; at < compressed.length; ) {
    const tag = compressed[at++] ?? 0;
    if ((tag & 3) === 0) {
      let length = tag >> 2;
      if (length >= 60) {
        const extra = length - 59;
        if (at + extra > compressed.length) throw damaged();
        length = compressed.readUIntLE(at, extra);
        at += extra;
      }
      length += 1;
      if (at + length > compressed.length || to + length > size) throw damaged();
      compressed.copy(out, to, at, at + length);
      at += length;
      to += length;
      continue;
    }
    const bytes = (tag & 3) === 3 ? 4 : tag & 3;
    if (at + bytes > compressed.length) throw damaged();
    const length = (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = (tag & 3) === 1 ? ((tag & 0xe0) << 3) | compressed.readUInt8(at) : compressed.readUIntLE(at, bytes);
    at += bytes;
    if (offset === 0 || offset > to || to + length > size) throw damaged();
    // Source and target may overlap, so bytes must be copied one at a time.
    for (let n = 0; n < length; n++, to++) out[to] = out[to - offset] ?? 0;
  }
  return out.subarray(0, to);
}

/** Decodes a varint and returns the offset after it. Negative numbers take ten bytes and lose precision, which no caller needs. */
function readVarint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0;
  let scale = 1;
  for (let at = start; at < bytes.length && at < start + 10; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at + 1];
    scale *= 128;
  }
  throw damaged();
}
