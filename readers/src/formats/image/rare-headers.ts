import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import type { ImageFacts } from './image-facts.ts';

const maxExtension = 4 * 1024 * 1024;

/** BPG: numbers of seven bits a byte, then extensions, of which one is the EXIF block. */
export function readBpg(file: FileBytes): ImageFacts {
  const bytes = file.read(0, 64);
  let at = 6;
  const number = (): number => {
    for (let value = 0, i = 0; i < 5; i++) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    throw new ExtractError('corrupt', 'The header of the picture is damaged.');
  };
  const [format = 0, flags = 0] = [bytes[4], bytes[5]];
  const [width, height] = [number(), number()];
  number();
  const extensionBytes = (flags & 8) !== 0 ? number() : 0;
  const facts: ImageFacts = { format: 'BPG', width, height, bit_depth: 8 + (format & 15), mode: format >> 5 === 0 ? 'L' : 'RGB' };
  const extensions = file.read(at, Math.min(extensionBytes, maxExtension));
  const exifAt = Math.max(extensions.indexOf('II*\0', 0, 'latin1'), extensions.indexOf('MM\0*', 0, 'latin1'));
  const exif = exifAt === -1 ? null : exifFromBlock(extensions.subarray(exifAt));
  return exif === null ? facts : { ...facts, exif };
}

/** QuickDraw pictures: 512 bytes of any content, which some programs leave out, then the frame and one of two versions. */
export function readPict(file: FileBytes): ImageFacts {
  const isPicture = (head: Buffer): boolean => head.length === 16 && /^1101|^001102ff/.test(head.toString('hex', 10, 16));
  const head = [512, 0].map((at) => file.read(at, 16)).find(isPicture);
  if (head === undefined) throw new ExtractError('corrupt', 'The file is not a valid PICT image.');
  const [top, left, bottom, right] = [2, 4, 6, 8].map((at) => head.readInt16BE(at)) as [number, number, number, number];
  return { format: 'PICT', width: right - left, height: bottom - top };
}

const setWindowExtent = 0x020c;
const maxRecords = 2000;

/** A metafile as it lies in memory, without the header that states its size: one of its records does. */
export function readPlainMetafile(file: FileBytes): ImageFacts {
  for (let at = 18, i = 0; i < maxRecords; i++) {
    const record = file.read(at, 10);
    const words = record.length < 10 ? 0 : record.readUInt32LE(0);
    if (words < 3) break;
    if (record.readUInt16LE(4) === setWindowExtent)
      return { format: 'WMF', height: Math.abs(record.readInt16LE(6)), width: Math.abs(record.readInt16LE(8)) };
    at += words * 2;
  }
  throw new ExtractError('corrupt', 'The metafile states no size.');
}

/** Sports watches use the extension fit for recordings of activities. */
export function isActivity(file: FileBytes): boolean {
  return file.read(8, 4).toString('latin1') === '.FIT';
}
