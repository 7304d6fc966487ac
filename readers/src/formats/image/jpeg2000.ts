/** JPEG 2000: the size of the picture, and the EXIF and XMP blocks of its container. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';

const exifBox = Buffer.from('JpgTiffExif->JP2');
const xmpBox = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex');
const maxBoxes = 256;
const maxBlock = 1 << 20;

/** Boxes of the type `uuid` state their content in 16 bytes; some programs put XMP into a box for any XML. */
function readBlocks(file: FileBytes): Pick<ImageFacts, 'exif' | 'xmp'> {
  const found: Pick<ImageFacts, 'exif' | 'xmp'> = {};
  for (let at = 0, n = 0; n < maxBoxes && at + 8 <= file.size; n++) {
    const head = file.read(at, 24);
    const length = head.readUInt32BE(0) || file.size - at;
    if (length < 8) break;
    if (head.length === 24 && head.toString('latin1', 4, 8) === 'uuid') {
      const kind = head.subarray(8);
      const block = () => file.read(at + 24, Math.min(length - 24, maxBlock));
      const exif = kind.equals(exifBox) ? exifFromBlock(block()) : null;
      if (exif !== null) found.exif ??= exif;
      if (kind.equals(xmpBox)) found.xmp ??= readXmp(block());
    }
    if (head.toString('latin1', 4, 8) === 'xml ') {
      const text = file.read(at + 8, Math.min(length - 8, maxBlock));
      if (text.includes('adobe:ns:meta')) found.xmp ??= readXmp(text);
    }
    at += length;
  }
  return found;
}

export function readJpeg2000(file: FileBytes): ImageFacts {
  const head = file.read(0, 65_536);
  const box = head.indexOf('ihdr', 0, 'latin1');
  if (box !== -1 && box + 18 <= head.length) {
    return {
      format: 'JPEG2000',
      height: head.readUInt32BE(box + 4),
      width: head.readUInt32BE(box + 8),
      bit_depth: ((head[box + 14] as number) & 0x7f) + 1,
      ...readBlocks(file),
    };
  }
  if (head.length >= 24 && head.readUInt16BE(0) === 0xff4f && head.readUInt16BE(2) === 0xff51) {
    return {
      format: 'JPEG2000',
      width: head.readUInt32BE(8) - head.readUInt32BE(16),
      height: head.readUInt32BE(12) - head.readUInt32BE(20),
    };
  }
  throw new ExtractError('corrupt', 'The image header is damaged.');
}
