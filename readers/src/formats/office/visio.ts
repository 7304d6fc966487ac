/**
 * Text of Visio drawings of versions 5 to 2010, which are compound files. The drawing is a tree of streams: some hold pointers to others,
 * some hold chunks, and the chunks of one type are the texts of shapes. All offsets and lengths are untrusted.
 */
import type { BodyText } from '../../body-text.ts';
import { decoderOf, detectLegacyEncoding, isMostlyHighBytes } from '../../input/text-encoding.ts';

const signature = 'Visio (TM) Drawing\r\n';
const textChunk = 14;
const maxStreams = 20_000;
const maxUnpacked = 64 * 1024 * 1024;
const maxDepth = 40;

interface Pointer {
  type: number;
  offset: number;
  length: number;
  format: number;
}

interface Drawing {
  bytes: Buffer;
  version: number;
  /** Texts of version 6 and before, in a charset that is not stated. */
  narrow: Buffer[];
  body: BodyText;
  seen: Set<number>;
  unpacked: number;
}

/** Older versions give no text. */
export function collectVisioText(bytes: Buffer, body: BodyText): void {
  if (bytes.length < 0x36 || bytes.toString('latin1', 0, signature.length) !== signature) return;
  const drawing: Drawing = { bytes, version: bytes.readUInt16LE(0x1a), narrow: [], body, seen: new Set(), unpacked: 0 };
  if (drawing.version < 5) return;
  const root = readPointer(drawing, bytes, 0x24);
  if (root !== undefined) readPointers(drawing, root, 0);
  addNarrowTexts(drawing);
}

function readPointer({ version }: Drawing, data: Buffer, at: number): Pointer | undefined {
  if (at < 0 || at + (version >= 6 ? 18 : 16) > data.length) return undefined;
  const place = { offset: data.readUInt32LE(at + 8), length: data.readUInt32LE(at + 12) };
  return version >= 6
    ? { type: data.readUInt32LE(at), ...place, format: data.readUInt16LE(at + 16) }
    : { type: data.readUInt16LE(at), ...place, format: data.readUInt16LE(at + 2) };
}

/** The content of a stream, and whether a header of four bytes precedes it. */
function content(drawing: Drawing, { offset, length, format }: Pointer): { data: Buffer; header: number } {
  const stored = drawing.bytes.subarray(offset, offset + length);
  if ((format & 2) === 0) return { data: stored, header: 0 };
  const data = unpack(stored, maxUnpacked - drawing.unpacked);
  drawing.unpacked += data.length;
  return { data, header: 4 };
}

const isBetween = (format: number, from: number, to: number): boolean => format >= from && format < to;

function readPointers(drawing: Drawing, parent: Pointer, depth: number): void {
  if (depth > maxDepth || drawing.seen.size > maxStreams || drawing.seen.has(parent.offset)) return;
  drawing.seen.add(parent.offset);
  const stream = content(drawing, parent);
  const data = stream.data.subarray(stream.header);
  for (const pointer of childPointers(drawing, parent, data)) {
    if (drawing.body.full() || pointer.length === 0) continue;
    const chunks = isBetween(pointer.format, 0xd0, 0xdf) || (drawing.version < 6 && (pointer.type === 21 || pointer.type === 24));
    const pointers =
      pointer.type === 20 || (pointer.type !== 22 && (isBetween(pointer.format, 0x1d, 0x1f) || isBetween(pointer.format, 0x50, 0x60)));
    if (pointers) readPointers(drawing, pointer, depth + 1);
    else if (chunks && !drawing.seen.has(pointer.offset) && drawing.seen.size < maxStreams) {
      drawing.seen.add(pointer.offset);
      readChunks(drawing, content(drawing, pointer).data);
    }
  }
}

/** Where the list of pointers begins in streams of version 5, by type. */
const listOffsets: Readonly<Record<number, number>> = { 29: 30, 78: 30, 30: 54, 20: 130 };

function* childPointers(drawing: Drawing, { type }: Pointer, data: Buffer): Generator<Pointer> {
  const recent = drawing.version >= 6;
  const at = recent ? (data.length >= 4 ? data.readUInt32LE(0) : data.length) : (listOffsets[type] ?? 10);
  if (at + 8 > data.length) return;
  const count = Math.min(recent ? data.readUInt32LE(at) : data.readUInt16LE(at), maxStreams);
  const [first, size] = recent ? [at + 8, 18] : [at + 2, 16];
  for (let n = 0; n < count; n++) {
    const pointer = readPointer(drawing, data, first + n * size);
    if (pointer === undefined) return;
    yield pointer;
  }
}

function readChunks(drawing: Drawing, data: Buffer): void {
  const headBytes = drawing.version >= 6 ? 19 : 12;
  for (let at = 0; at + headBytes <= data.length && !drawing.body.full(); ) {
    const type = drawing.version >= 6 ? data.readUInt32LE(at) : data.readUInt16LE(at);
    const length = data.readUInt32LE(at + (drawing.version >= 6 ? 12 : 8));
    if (type === textChunk) addText(drawing, data.subarray(at + headBytes + 8, at + headBytes + length));
    at += headBytes + length + (drawing.version >= 6 ? afterChunk(drawing.version, type, data, at) : 0);
  }
}

const withTrailer = new Set([0x2c, 0x65, 0x66, 0x69, 0x6a, 0x6b, 0x70, 0x71]);
const withSeparator = new Set([0xa9, 0xaa, 0xb4, 0xb6]);

/** The bytes between the content of a chunk and the next one. */
function afterChunk(version: number, type: number, data: Buffer, at: number): number {
  const trailer = withTrailer.has(type) || data.readUInt32LE(at + 8) !== 0;
  const [level, kind] = [data.readUInt16LE(at + 16), data[at + 18]];
  const separator =
    version > 6 &&
    type !== 0x1f &&
    type !== 0xc9 &&
    (trailer ||
      (level === 2 && kind === 0x55) ||
      (level === 3 && kind !== 0x50) ||
      (withSeparator.has(type) && level === 2 && kind === 0x54));
  return (trailer ? 8 : 0) + (separator ? 4 : 0);
}

function addText(drawing: Drawing, text: Buffer): void {
  if (drawing.version > 6) addLine(drawing.body, text.toString('utf16le').split('\0')[0] ?? '');
  else {
    const end = text.indexOf(0);
    drawing.narrow.push(end === -1 ? text : text.subarray(0, end));
  }
}

function addNarrowTexts({ narrow, body }: Drawing): void {
  const all = Buffer.concat(narrow.flatMap((text) => [text, Buffer.from('\n')]));
  const decoder = decoderOf(isMostlyHighBytes(all) ? detectLegacyEncoding(all) : 'windows-1252');
  for (const text of narrow) addLine(body, decoder.decode(text));
}

function addLine(body: BodyText, text: string): void {
  const clean = text.replace(/[\u0000-\u0008\u000b-\u001f\ufffc]/g, ' ').trim();
  if (clean === '') return;
  body.add(clean);
  body.break();
}

/** Copies from a window of 4096 bytes: eight flags, then a byte each, or position and length of earlier bytes. */
function unpack(packed: Buffer, maxBytes: number): Buffer {
  const window = Buffer.alloc(4096);
  const out: Buffer[] = [];
  let block = Buffer.alloc(65_536);
  let used = 0;
  let total = 0;
  let write = 0;
  const emit = (byte: number): void => {
    if (used === block.length) {
      out.push(block);
      block = Buffer.alloc(65_536);
      used = 0;
    }
    block[used++] = byte;
    total += 1;
    window[write] = byte;
    write = (write + 1) & 4095;
  };
  for (let at = 0; at < packed.length && total < maxBytes; ) {
    const flags = packed[at++] as number;
    for (let bit = 0; bit < 8 && at < packed.length; bit++) {
      if ((flags >> bit) & 1) {
        emit(packed[at++] as number);
        continue;
      }
      if (at + 2 > packed.length) break;
      const [low, high] = [packed[at] as number, packed[at + 1] as number];
      at += 2;
      const from = (((high & 0xf0) << 4) | low) + 18;
      for (let n = 0; n < (high & 0x0f) + 3; n++) emit(window[(from + n) & 4095] as number);
    }
  }
  return Buffer.concat([...out, block.subarray(0, used)]);
}
