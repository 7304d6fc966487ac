/** JPEG XL: the size header of a bare codestream or of one inside its container. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../reading/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import type { ImageFacts } from './facts.ts';

export function readJxl(file: FileBytes): ImageFacts {
  const head = file.read(0, 12);
  if (head[0] === 0xff && head[1] === 0x0a) return { format: 'JXL', ...codestreamSize(file.read(2, 16)) };
  const facts: ImageFacts = { format: 'JXL' };
  let at = 0;
  for (let boxes = 0; boxes < 256 && at + 8 <= file.size; boxes++) {
    const box = file.read(at, 16);
    let length = box.readUInt32BE(0);
    let body = 8;
    if (length === 1 && box.length === 16) {
      length = Number(box.readBigUInt64BE(8));
      body = 16;
    } else if (length === 0) length = file.size - at;
    if (length < body) break;
    const type = box.toString('latin1', 4, 8);
    if (type === 'jxlc' && facts.width === undefined) Object.assign(facts, codestreamSize(file.read(at + body + 2, 16)));
    if (type === 'jxlp' && facts.width === undefined) Object.assign(facts, codestreamSize(file.read(at + body + 6, 16)));
    if (type === 'Exif') {
      const exif = exifFromBlock(file.read(at + body + 4, Math.min(length - body - 4, 1 << 20)));
      if (exif !== null) facts.exif = exif;
    }
    at += length;
  }
  if (facts.width === undefined) throw new ExtractError('corrupt', 'The image header is damaged.');
  return facts;
}

/** Aspect ratios a size header can name instead of a width. */
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
