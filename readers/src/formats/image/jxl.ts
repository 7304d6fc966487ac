/** JPEG XL: the size header of a bare codestream or of one in a container. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';

export function readJxl(file: FileBytes): ImageFacts {
  if (isBare(file)) return { format: 'JXL', ...codestreamSize(file.read(2, 16)) };
  const facts: ImageFacts = { format: 'JXL' };
  for (const { type, body, length } of boxes(file)) {
    if (type === 'jxlc' && facts.width === undefined) Object.assign(facts, codestreamSize(file.read(body + 2, 16)));
    if (type === 'jxlp' && facts.width === undefined) Object.assign(facts, codestreamSize(file.read(body + 6, 16)));
    if (type === 'xml ') facts.xmp ??= readXmp(file.read(body, Math.min(length, 1 << 20)));
    if (type === 'Exif') {
      const exif = exifFromBlock(file.read(body + 4, Math.min(length - 4, 1 << 20)));
      if (exif !== null) facts.exif = exif;
    }
  }
  if (facts.width === undefined) throw new ExtractError('corrupt', 'The image header is damaged.');
  return facts;
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

function codestreamSize(bytes: Buffer): { width: number; height: number } {
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
  const small = bits(1) === 1;
  const side = (): number => (small ? (bits(5) + 1) * 8 : bits([9, 13, 18, 30][bits(2)] as number) + 1);
  const height = side();
  const ratio = bits(3);
  if (ratio === 0) return { height, width: side() };
  const [across, down] = ratios[ratio - 1] as readonly [number, number];
  return { height, width: Math.floor((height * across) / down) };
}
