/**
 * Camera RAW: most formats are TIFF. Fujifilm embeds a JPEG with tags, and Canon CR3 stores tag blocks in boxes. Where facts are missing,
 * exiftool adds them.
 */
import { ExtractError, type Source } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { type Exif, exifFromTags } from './exif.ts';
import { readWithExiftool } from './exiftool.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';
import { readIptc } from './iptc.ts';
import { readJpeg } from './jpeg.ts';
import { readOlderRaw } from './older-raw.ts';
import { asNumbers, readTiffTags, type Tags, type TiffTags } from './tiff-tags.ts';

export async function readRaw(file: FileBytes, source: Source): Promise<ImageFacts> {
  const older = readOlderRaw(file, source.extension.toUpperCase());
  const facts = older?.facts ?? readBuiltIn(file, source.extension);
  if (older?.complete !== false && facts?.exif?.camera_model !== undefined && facts.width !== undefined) return facts;
  const fromExiftool = await readWithExiftool(source).catch((error: unknown) => {
    if (facts?.exif?.camera_model === undefined) throw error;
    return null;
  });
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
  if (tags === null) return null;
  const exif = exifFromTags(tags);
  return { format, ...pictureSize(tags, exif), exif, ...embeddedBlocks(tags) };
}

/** XMP and IPTC blocks, which TIFF stores as tags. */
export function embeddedBlocks({ images }: TiffTags): Pick<ImageFacts, 'xmp' | 'iptc'> {
  const [xmp, iptc] = [images[0]?.get(0x02bc), images[0]?.get(0x83bb)];
  const fields = Buffer.isBuffer(iptc) ? readIptc(iptc) : null;
  return { ...(Buffer.isBuffer(xmp) && { xmp: readXmp(xmp) }), ...(fields && { iptc: fields }) };
}

/** Canon states the size of the photo only among the tags of the exposure, and Panasonic by the borders of the sensor. */
function pictureSize({ images }: TiffTags, exif: Exif): { width?: number; height?: number } {
  const [top, left, bottom, right] = [4, 5, 6, 7].map((tag) => asNumbers(images[0]?.get(tag))[0]);
  const sensor = bottom && right ? { width: right - (left ?? 0), height: bottom - (top ?? 0) } : {};
  const area = ({ width = 0, height = 0 }): number => width * height;
  return [largestImage(images), { width: exif.width, height: exif.height }, sensor].reduce((best, size) =>
    area(size) > area(best) ? size : best,
  );
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
  const size = sensorSize(file) ?? (width === undefined || height === undefined ? {} : { width, height });
  return { format, ...(exif && { exif }), ...size };
}

/** The size of the photo, which is larger than the JPEG: records with a number and a length behind the header. */
function sensorSize(file: FileBytes): { width: number; height: number } | null {
  const place = file.read(92, 8);
  if (place.length < 8) return null;
  const records = file.read(place.readUInt32BE(0), Math.min(place.readUInt32BE(4), 1 << 16));
  const sizes = new Map<number, { width: number; height: number }>();
  for (let at = 4; at + 8 <= records.length; at += 4 + records.readUInt16BE(at + 2))
    if (records.readUInt16BE(at + 2) === 4)
      sizes.set(records.readUInt16BE(at), { height: records.readUInt16BE(at + 4), width: records.readUInt16BE(at + 6) });
  const found = sizes.get(0x111) ?? sizes.get(0x100);
  return found === undefined || found.width === 0 || found.height === 0 ? null : found;
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
