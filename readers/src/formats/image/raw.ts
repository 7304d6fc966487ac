/**
 * Camera RAW: most formats are TIFF. Fujifilm embeds a JPEG with tags, and Canon CR3 stores tag blocks in boxes. Other formats need
 * exiftool.
 */
import { ExtractError, type Source } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromTags } from './exif.ts';
import { readWithExiftool } from './exiftool.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';
import { readIptc } from './iptc.ts';
import { readJpeg } from './jpeg.ts';
import { asNumbers, readTiffTags, type Tags, type TiffTags } from './tiff-tags.ts';

export async function readRaw(file: FileBytes, source: Source): Promise<ImageFacts> {
  const facts = readBuiltIn(file, source.extension);
  if (facts?.exif?.camera_model !== undefined && facts.width !== undefined) return facts;
  const fromExiftool = await readWithExiftool(source);
  if (fromExiftool === null) {
    if (facts !== null) return facts;
    throw new ExtractError('dependency', 'This camera RAW format needs exiftool, which is not installed.');
  }
  return { ...fromExiftool, ...facts, exif: { ...fromExiftool.exif, ...facts?.exif }, format: source.extension.toUpperCase() };
}

function readBuiltIn(file: FileBytes, extension: string): ImageFacts | null {
  const head = file.read(0, 16).toString('latin1');
  const format = extension.toUpperCase();
  if (head.startsWith('FUJIFILMCCD-RAW')) return fujifilm(file, format);
  if (head.slice(4, 11) === 'ftypcrx') return canonBoxes(file, format);
  const tags = readTiffTags(file);
  return tags === null ? null : { format, ...largestImage(tags.images), exif: exifFromTags(tags), ...embeddedBlocks(tags) };
}

/** XMP and IPTC blocks, which TIFF stores as tags. */
export function embeddedBlocks({ images }: TiffTags): Pick<ImageFacts, 'xmp' | 'iptc'> {
  const [xmp, iptc] = [images[0]?.get(0x02bc), images[0]?.get(0x83bb)];
  const fields = Buffer.isBuffer(iptc) ? readIptc(iptc) : null;
  return { ...(Buffer.isBuffer(xmp) && { xmp: readXmp(xmp) }), ...(fields && { iptc: fields }) };
}

/** The largest image of the directories is the photo; the others are previews. */
function largestImage(images: readonly Tags[]): { width?: number; height?: number } {
  let best: { width?: number; height?: number } = {};
  let area = 0;
  for (const tags of images) {
    const width = asNumbers(tags.get(0x0100))[0] ?? 0;
    const height = asNumbers(tags.get(0x0101))[0] ?? 0;
    if (width * height > area) {
      area = width * height;
      best = { width, height };
    }
  }
  return best;
}

function fujifilm(file: FileBytes, format: string): ImageFacts | null {
  const head = file.read(84, 8);
  if (head.length < 8) return null;
  const at = head.readUInt32BE(0);
  if (file.read(at, 2).toString('latin1') !== '\xff\xd8') return null;
  const { exif, width, height } = readJpeg(file, at);
  return { format, ...(exif && { exif }), ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}

const CANON_UUID = '85c0b687820f11e08111f4ce462b6a48';

/** CMT1 holds the image tags, CMT2 the exposure and CMT4 the GPS position, each as a separate TIFF block. */
function canonBoxes(file: FileBytes, format: string): ImageFacts | null {
  const moov = file.read(0, 2 << 20);
  const uuid = moov.indexOf(CANON_UUID, 0, 'hex');
  if (uuid === -1) return null;
  const block = (name: string): TiffTags | null => {
    const at = moov.indexOf(name, uuid, 'latin1');
    if (at < 4) return null;
    const length = moov.readUInt32BE(at - 4);
    const body = moov.subarray(at + 4, at - 4 + length);
    return readTiffTags({ read: (offset, size) => body.subarray(offset, offset + size) });
  };
  const main = block('CMT1');
  if (main === null) return null;
  const exif = block('CMT2')?.images[0];
  const gps = block('CMT4')?.images[0];
  const all: TiffTags = { images: main.images, ...(exif && { exif }), ...(gps && { gps }) };
  const { width, height } = exifFromTags(all);
  return { format, ...largestImage(main.images), ...(width && height && { width, height }), exif: exifFromTags(all) };
}
