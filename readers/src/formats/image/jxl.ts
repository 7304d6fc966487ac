/** JPEG XL: the headers of a bare codestream or of one in a container, and the tags in the container. */
import { brotliDecompressSync } from 'node:zlib';
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';

export function readJxl(file: FileBytes): ImageFacts {
  if (isBare(file)) return { format: 'JXL', ...withoutUpright(codestreamHeader(file.read(2, headerBytes))) };
  const facts: ImageFacts = { format: 'JXL' };
  let header: CodestreamHeader | undefined;
  for (const { type, body, length } of boxes(file)) {
    if (type === 'jxlc') header ??= codestreamHeader(file.read(body + 2, headerBytes));
    if (type === 'jxlp') header ??= codestreamHeader(file.read(body + 6, headerBytes));
    const { name, content } = type === 'brob' ? unpackBox(file, body, length) : { name: type, content: readBox(file, body, length) };
    if (name === 'xml ') facts.xmp ??= readXmp(content());
    if (name === 'Exif') {
      const exif = exifFromBlock(content().subarray(4));
      if (exif !== null) facts.exif = exif;
    }
  }
  if (header === undefined) throw new ExtractError('corrupt', 'The image header is damaged.');
  // Decoders turn the picture as the codestream states, whatever its tags say.
  return { ...facts, ...(facts.exif?.orientation === undefined ? withoutUpright(header) : header) };
}

const maxTagBytes = 1 << 20;

const readBox =
  (file: FileBytes, body: number, length: number): (() => Buffer) =>
  () =>
    file.read(body, Math.min(length, maxTagBytes));

/** A compressed box begins with the name of the box that it contains. Damaged ones are ignored. */
function unpackBox(file: FileBytes, body: number, length: number): { name: string; content(): Buffer } {
  const packed = file.read(body, Math.min(length, maxTagBytes));
  const content = (): Buffer => {
    try {
      return brotliDecompressSync(packed.subarray(4), { maxOutputLength: maxTagBytes });
    } catch {
      return Buffer.alloc(0);
    }
  };
  return { name: packed.toString('latin1', 0, 4), content };
}

/** True if the file contains the start of the last codestream box. Some decoders hang on files that end earlier. */
export function jxlHasLastCodestreamBox(file: FileBytes): boolean {
  if (isBare(file)) return true;
  for (const { type, body } of boxes(file)) {
    const lastPart = type === 'jxlp' && ((file.read(body, 1)[0] ?? 0) & 0x80) !== 0;
    if (type === 'jxlc' || lastPart) return true;
  }
  return false;
}

const isBare = (file: FileBytes): boolean => file.read(0, 2).equals(Buffer.from([0xff, 0x0a]));

function* boxes(file: FileBytes): Generator<{ type: string; body: number; length: number }> {
  let at = 0;
  for (let count = 0; count < 256 && at + 8 <= file.size; count++) {
    const head = file.read(at, 16);
    let boxBytes = head.readUInt32BE(0);
    let headBytes = 8;
    if (boxBytes === 1 && head.length === 16) {
      boxBytes = Number(head.readBigUInt64BE(8));
      headBytes = 16;
    } else if (boxBytes === 0) boxBytes = file.size - at;
    if (boxBytes < headBytes) return;
    yield { type: head.toString('latin1', 4, 8), body: at + headBytes, length: boxBytes - headBytes };
    at += boxBytes;
  }
}

/** Aspect ratios that a size header can state instead of a width. */
const ratios: readonly (readonly [number, number])[] = [
  [1, 1],
  [12, 10],
  [4, 3],
  [3, 2],
  [16, 9],
  [5, 4],
  [2, 1],
];

interface CodestreamHeader {
  width: number;
  height: number;
  orientation: number;
  bit_depth?: number;
  animated?: boolean;
}

const headerBytes = 64;

/** A picture that is upright needs no orientation. */
function withoutUpright({ orientation, ...header }: CodestreamHeader): Omit<CodestreamHeader, 'orientation'> & { orientation?: number } {
  return orientation === 1 ? header : { ...header, orientation };
}

function codestreamHeader(bytes: Buffer): CodestreamHeader {
  let position = 0;
  const bits = (count: number): number => {
    let value = 0;
    for (let i = 0; i < count; i++, position++) {
      const byte = bytes[position >> 3];
      if (byte === undefined) throw new ExtractError('corrupt', 'The image header is damaged.');
      value += ((byte >> (position & 7)) & 1) * 2 ** i;
    }
    return value;
  };
  const size = (): { width: number; height: number } => {
    const small = bits(1) === 1;
    const side = (): number => (small ? (bits(5) + 1) * 8 : bits([9, 13, 18, 30][bits(2)] as number) + 1);
    const height = side();
    const ratio = bits(3);
    if (ratio === 0) return { height, width: side() };
    const [across, down] = ratios[ratio - 1] as readonly [number, number];
    return { height, width: Math.floor((height * across) / down) };
  };
  const header: CodestreamHeader = { ...size(), orientation: 1 };
  if (bits(1) === 1) return { ...header, bit_depth: 8 };
  if (bits(1) === 1) {
    header.orientation = bits(3) + 1;
    if (bits(1) === 1) size();
    // The fields after a preview or an animation begin at a position that depends on them.
    if (bits(1) === 1) return header;
    if (bits(1) === 1) return { ...header, animated: true };
  }
  const [isFloat, choice] = [bits(1) === 1, bits(2)];
  header.bit_depth = (isFloat ? [32, 16, 24] : [8, 10, 12])[choice] ?? bits(6) + 1;
  return header;
}
