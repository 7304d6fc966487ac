/** Maps EXIF tags to metadata. GPS coordinates are included; access to them is checked where they are shown. */
import { asNumbers, readTiffTags, type TagSource, type Tags, type TagValue, type TiffTags } from './tiff-tags.ts';

export interface Exif {
  camera_make?: string;
  camera_model?: string;
  lens_model?: string;
  lens_make?: string;
  lens_id?: string;
  iso?: number;
  exposure_time?: number;
  exposure_bias?: number;
  f_number?: number;
  focal_length?: number;
  focal_length_35mm?: number;
  flash?: boolean;
  width?: number;
  height?: number;
  orientation?: number;
  software?: string;
  artist?: string;
  copyright?: string;
  description?: string;
  taken_at?: string;
  gps_latitude?: number;
  gps_longitude?: number;
  gps_altitude?: number;
}

export const exifKeys = [
  'exif.camera_make',
  'exif.camera_model',
  'exif.lens_model',
  'exif.lens_make',
  'exif.lens_id',
  'exif.iso',
  'exif.exposure_time',
  'exif.exposure_bias',
  'exif.f_number',
  'exif.focal_length',
  'exif.focal_length_35mm',
  'exif.flash',
  'exif.width',
  'exif.height',
  'exif.orientation',
  'exif.software',
  'exif.artist',
  'exif.copyright',
  'exif.description',
  'exif.taken_at',
  'exif.gps_latitude',
  'exif.gps_longitude',
  'exif.gps_altitude',
] as const;

export function exifFromBlock(block: Buffer): Exif | null {
  const body = block.toString('latin1', 0, 4) === 'Exif' ? block.subarray(6) : block;
  return exifFromTiff({ read: (offset, length) => body.subarray(offset, offset + length) });
}

export function exifFromTiff(source: TagSource): Exif | null {
  const tags = readTiffTags(source);
  return tags === null ? null : exifFromTags(tags);
}

export function exifFromTags({ images, exif, gps }: TiffTags): Exif {
  const main = images[0] as Tags;
  const from = (tag: number): TagValue | undefined => exif?.get(tag) ?? main.get(tag);
  const found: Exif = {
    camera_make: text(main.get(0x010f)),
    camera_model: text(main.get(0x0110)),
    lens_make: text(from(0xa433)),
    lens_model: text(from(0xa434)),
    iso: positive(from(0x8827)) ?? positive(from(0x8833)),
    exposure_time: round(positive(from(0x829a)), 8),
    exposure_bias: round(finite(from(0x9204)), 4),
    f_number: round(positive(from(0x829d)), 4),
    focal_length: round(positive(from(0x920a)), 4),
    focal_length_35mm: positive(from(0xa405)),
    flash: flash(from(0x9209)),
    width: positive(from(0xa002)),
    height: positive(from(0xa003)),
    orientation: orientation(main.get(0x0112)),
    software: text(main.get(0x0131)),
    artist: text(main.get(0x013b)),
    copyright: text(main.get(0x8298)),
    description: text(main.get(0x010e)),
    // The date in tag 0132 is that of the last change, never that of the photo.
    taken_at: exifDate(from(0x9003), from(0x9011)) ?? exifDate(from(0x9004), from(0x9012)) ?? trailCameraDate(exif?.get(0x927c)),
    ...(gps && coordinates(gps)),
  };
  for (const key of Object.keys(found) as (keyof Exif)[]) if (found[key] === undefined) delete found[key];
  return found;
}

function text(value: TagValue | undefined): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim();
  return trimmed === '' ? undefined : trimmed;
}

function finite(value: TagValue | undefined): number | undefined {
  const first = asNumbers(value)[0];
  return first !== undefined && Number.isFinite(first) ? first : undefined;
}

function positive(value: TagValue | undefined): number | undefined {
  const first = finite(value);
  return first !== undefined && first > 0 ? first : undefined;
}

function round(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}

function flash(value: TagValue | undefined): boolean | undefined {
  const bits = finite(value);
  return bits === undefined ? undefined : (bits & 1) === 1;
}

function orientation(value: TagValue | undefined): number | undefined {
  const turn = finite(value);
  return turn !== undefined && turn >= 1 && turn <= 8 ? turn : undefined;
}

/**
 * Converts `2024:05:01 10:20:30` and `+02:00` to ISO 8601. Invalid dates are ignored, because cameras with an unset clock write zeros or
 * blanks.
 */
export function exifDate(value: TagValue | undefined, offset?: TagValue): string | undefined {
  if (typeof value !== 'string') return undefined;
  const parts = /^\s*(\d{4})[:/.-](\d\d)[:/.-](\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?/.exec(value);
  if (parts === null) return undefined;
  // Some programs write a day without a time.
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = parts as unknown as (string | undefined)[];
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const date = new Date(`${iso}Z`);
  if (Number.isNaN(date.getTime()) || Number(year) < 1800 || !date.toISOString().startsWith(iso)) return undefined;
  const zone = typeof offset === 'string' && /^[+-]\d\d:\d\d$/.test(offset.trim()) ? offset.trim() : '';
  return iso + zone;
}

/** Trail cameras of Reconyx write the date only into their own block: second, minute, hour, month, day and year. */
function trailCameraDate(note: TagValue | undefined): string | undefined {
  if (!Buffer.isBuffer(note) || note.length < 34 || note.readUInt16LE(0) !== 0xf101) return undefined;
  const [second, minute, hour, month, day, year] = Array.from({ length: 6 }, (_, n) =>
    String(note.readUInt16LE(22 + n * 2)).padStart(2, '0'),
  );
  return exifDate(`${year}:${month}:${day} ${hour}:${minute}:${second}`);
}

function coordinates(gps: Tags): Pick<Exif, 'gps_latitude' | 'gps_longitude' | 'gps_altitude'> {
  const latitude = degrees(gps.get(2), gps.get(1), 90);
  const longitude = degrees(gps.get(4), gps.get(3), 180);
  const height = finite(gps.get(6));
  const below = finite(gps.get(5)) === 1;
  return {
    ...(latitude !== undefined && longitude !== undefined && { gps_latitude: latitude, gps_longitude: longitude }),
    ...(height !== undefined && { gps_altitude: round(below ? -height : height, 3) }),
  };
}

function degrees(value: TagValue | undefined, side: TagValue | undefined, max: number): number | undefined {
  const [wholeDegrees, minutes = 0, seconds = 0] = asNumbers(value);
  if (wholeDegrees === undefined) return undefined;
  const sum = wholeDegrees + (Number.isFinite(minutes) ? minutes : 0) / 60 + (Number.isFinite(seconds) ? seconds : 0) / 3600;
  if (!Number.isFinite(sum) || sum > max) return undefined;
  const signed = side === 'S' || side === 'W' ? -sum : sum;
  return Number(signed.toFixed(7));
}
