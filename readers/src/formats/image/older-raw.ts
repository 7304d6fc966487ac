/** RAW formats that are not built on TIFF: Canon CRW, Minolta MRW and Sigma X3F. All offsets and counts are untrusted. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { orientationOf, readCiff, unixDate } from './ciff.ts';
import { type Exif, exifFromTiff } from './exif.ts';
import type { ImageFacts } from './image-facts.ts';
import { readJpeg } from './jpeg.ts';

/** Returns null for other formats. `complete` is false where exiftool knows more of the exposure. */
export function readOlderRaw(file: FileBytes, format: string): { facts: ImageFacts; complete: boolean } | null {
  const head = file.read(0, 40);
  if (head.length < 40) return null;
  if (/^(II|MM).{4}HEAPCCDR/s.test(head.toString('latin1'))) {
    const facts = readCiff(head, file.size, (offset, length) => file.read(offset, length));
    return facts === null ? null : { facts: { format, ...facts }, complete: false };
  }
  if (head.toString('latin1', 0, 4) === '\0MRM') return { facts: { format, ...minolta(file) }, complete: true };
  if (head.toString('latin1', 0, 4) === 'FOVb') return { facts: { format, ...sigma(file, head) }, complete: false };
  return null;
}

/** Blocks with a name and a length: PRD holds the size of the picture and TTW a TIFF structure. */
function minolta(file: FileBytes): Pick<ImageFacts, 'width' | 'height' | 'exif'> {
  const end = 8 + file.need(4, 4).readUInt32BE(0);
  let found: Pick<ImageFacts, 'width' | 'height' | 'exif'> = {};
  for (let at = 8, n = 0; n < 32 && at + 8 <= Math.min(end, file.size); n++) {
    const head = file.read(at, 8);
    const [name, length, start] = [head.toString('latin1', 1, 4), head.readUInt32BE(4), at + 8];
    if (name === 'PRD' && length >= 16) {
      const size = file.need(start + 12, 4);
      found = { ...found, height: size.readUInt16BE(0), width: size.readUInt16BE(2) };
    } else if (name === 'TTW') {
      const exif = exifFromTiff({ read: (offset, bytes) => file.read(start + offset, Math.max(0, Math.min(bytes, length - offset))) });
      if (exif !== null) found = { ...found, exif };
    }
    at = start + length;
  }
  return found;
}

/** A directory at the end lists sections: properties as text, and pictures, of which newer cameras store JPEG with tags. */
function sigma(file: FileBytes, head: Buffer): Pick<ImageFacts, 'width' | 'height' | 'exif'> {
  let exif: Exif = orientationOf(head.readUInt32LE(36));
  const directory = file.need(Math.max(0, file.size - 4), 4).readUInt32LE(0);
  const list = file.read(directory, 12 + 64 * 12);
  const count = list.toString('latin1', 0, 4) === 'SECd' && list.length >= 12 ? Math.min(64, list.readUInt32LE(8)) : 0;
  for (let at = 12; at + 12 <= Math.min(list.length, 12 + count * 12); at += 12) {
    const [offset, length] = [list.readUInt32LE(at), list.readUInt32LE(at + 4)];
    const type = list.toString('latin1', at + 8, at + 12);
    if (type === 'PROP') exif = { ...sigmaProperties(file.read(offset, Math.min(length, 1 << 16))), ...exif };
    else if (type.startsWith('IMA') && file.read(offset + 28, 3).toString('latin1') === '\xff\xd8\xff')
      exif = { ...exif, ...tagsOfJpeg(file, offset + 28) };
  }
  return { width: head.readUInt32LE(28), height: head.readUInt32LE(32), exif };
}

/** A damaged picture must not cost the properties. */
function tagsOfJpeg(file: FileBytes, offset: number): Exif | undefined {
  try {
    return readJpeg(file, offset).exif;
  } catch (error) {
    if (error instanceof ExtractError) return undefined;
    throw error;
  }
}

function sigmaProperties(section: Buffer): Exif {
  if (section.length < 24 || section.toString('latin1', 0, 4) !== 'SECp') return {};
  const count = Math.min(section.readUInt32LE(8), 256);
  const text = section.subarray(24 + count * 8).toString('utf16le');
  const at = (position: number): string => text.slice(position, text.indexOf('\0', position) >>> 0);
  const found = new Map<string, string>();
  for (let i = 0; i < count && 32 + i * 8 <= section.length; i++)
    found.set(at(section.readUInt32LE(24 + i * 8)), at(section.readUInt32LE(28 + i * 8)));
  const number = (name: string, factor = 1): number | undefined => {
    const value = Number(found.get(name)) * factor;
    return value > 0 ? value : undefined;
  };
  const exif: Exif = {
    camera_make: found.get('CAMMANUF'),
    camera_model: found.get('CAMMODEL'),
    iso: number('ISO'),
    exposure_time: number('EXPTIME', 1e-6),
    f_number: number('APERTURE'),
    focal_length: number('FLENGTH'),
    ...unixDate(number('TIME') ?? 0),
  };
  for (const key of Object.keys(exif) as (keyof Exif)[]) if (!exif[key]) delete exif[key];
  return exif;
}
