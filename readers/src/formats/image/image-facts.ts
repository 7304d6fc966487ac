import { ExtractError } from '../../contract.ts';
import { readXml } from '../../input/xml.ts';
import { type Exif, exifDate } from './exif.ts';
import type { Iptc } from './iptc.ts';

/** What the reader of one image format returns. The image extractor turns it into metadata. */
export interface ImageFacts {
  format: string;
  width?: number;
  height?: number;
  /** Color mode as named by image editors: L, LA, RGB, RGBA, CMYK, P, 1. */
  mode?: string;
  color_space?: string;
  bit_depth?: number;
  has_alpha?: boolean;
  progressive?: boolean;
  dpi?: number;
  orientation?: number;
  animated?: boolean;
  frames?: number;
  duration?: number;
  pages?: number;
  icon_sizes?: string[];
  layers?: number;
  color_profile?: string;
  dicom?: Record<string, unknown>;
  exif?: Exif;
  xmp?: Xmp;
  iptc?: Iptc;
  title?: string;
  text?: { bodyText?: string; bodyTextTruncated?: boolean };
}

/** XMP metadata written by photo programs. From a damaged block, the part before the damage is kept. */
interface Xmp {
  title?: string;
  description?: string;
  creator?: string;
  keywords?: string[];
  rating?: number;
  taken_at?: string;
  orientation?: number;
  camera_make?: string;
  camera_model?: string;
  lens_model?: string;
}

/** Properties with plain values, which are written as attributes or as elements. */
const plainProperties: Record<string, (found: XmpDates, value: string) => void> = {
  Rating: (found, value) => setRating(found, value),
  'exif:DateTimeOriginal': (found, value) => setDate(found, 0, value),
  'photoshop:DateCreated': (found, value) => setDate(found, 1, value),
  'exif:DateTimeDigitized': (found, value) => setDate(found, 2, value),
  'xmp:CreateDate': (found, value) => setDate(found, 3, value),
  // The prefix of the same namespace in files of older programs.
  'xap:CreateDate': (found, value) => setDate(found, 3, value),
  'tiff:Orientation': (found, value) => {
    if (/^[1-8]$/.test(value)) found.orientation ??= Number(value);
  },
  'tiff:Make': (found, value) => {
    found.camera_make ??= value;
  },
  'tiff:Model': (found, value) => {
    found.camera_model ??= value;
  },
  'aux:Lens': (found, value) => {
    found.lens_model ??= value;
  },
  'exifEX:LensModel': (found, value) => {
    found.lens_model ??= value;
  },
};

interface XmpDates extends Xmp {
  dates?: (string | undefined)[];
}

function setDate(found: XmpDates, rank: number, value: string): void {
  const date = exifDate(value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?=$|[Z+-])/, '$1:00'), /[+-]\d\d:\d\d$/.exec(value)?.[0]);
  found.dates ??= [];
  found.dates[rank] ??= date;
}

/** The first date with a time, or else the first: some fields hold only the day. */
export function bestDate(dates: readonly (string | undefined)[]): string | undefined {
  return dates.find((date) => date !== undefined && !date.endsWith('T00:00:00')) ?? dates.find((date) => date !== undefined);
}

const MAX_BYTES = 1 << 20;
const MAX_KEYWORDS = 200;

export function readXmp(block: Buffer): Xmp {
  const text = block
    .subarray(0, MAX_BYTES)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\0+$/, '');
  const from = text.indexOf('<');
  const found: XmpDates = {};
  const path: string[] = [];
  const keywords: string[] = [];
  let element = '';
  const handlers = {
    open(name: string, attributes: Record<string, string>) {
      path.push(name.slice(name.indexOf(':') + 1));
      if (!name.endsWith('Description')) {
        element = name;
        return;
      }
      for (const [key, value] of Object.entries(attributes))
        (plainProperties[key] ?? plainProperties[key.replace(/^.*:/, '')])?.(found, value);
    },
    close() {
      path.pop();
    },
    text(value: string) {
      const trimmed = value.trim();
      if (trimmed === '') return;
      if (path.at(-1) !== 'li') {
        (plainProperties[element] ?? plainProperties[element.replace(/^.*:/, '')])?.(found, trimmed);
        return;
      }
      const owner = path.at(-3);
      if (owner === 'subject' && keywords.length < MAX_KEYWORDS) keywords.push(trimmed);
      else if (owner === 'title') found.title ??= trimmed;
      else if (owner === 'description') found.description ??= trimmed;
      else if (owner === 'creator') found.creator ??= trimmed;
    },
  };
  try {
    if (from !== -1) readXml(text.slice(from, lastTagEnd(text)), handlers, { localNames: false });
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
  }
  if (keywords.length > 0) found.keywords = [...new Set(keywords)];
  const { dates, ...facts } = found;
  const taken = bestDate(dates ?? []);
  return taken === undefined ? facts : { ...facts, taken_at: taken };
}

function lastTagEnd(text: string): number {
  const end = text.lastIndexOf('>');
  return end === -1 ? text.length : end + 1;
}

function setRating(found: Xmp, value: string | undefined): void {
  const rating = value === undefined ? Number.NaN : Number(value);
  if (Number.isFinite(rating) && rating >= -1 && rating <= 5) found.rating ??= rating;
}

/** The name of an ICC color profile, such as "Display P3". */
export function profileName(profile: Buffer): string | undefined {
  if (profile.length < 132) return undefined;
  const tags = Math.min(profile.readUInt32BE(128), 64);
  for (let i = 0; i < tags; i++) {
    const at = 132 + i * 12;
    if (at + 12 > profile.length) return undefined;
    if (profile.toString('latin1', at, at + 4) !== 'desc') continue;
    const offset = profile.readUInt32BE(at + 4);
    const length = profile.readUInt32BE(at + 8);
    if (offset + 12 > profile.length) return undefined;
    return decodeDescription(profile.subarray(offset, offset + Math.min(length, 1024)));
  }
  return undefined;
}

function decodeDescription(tag: Buffer): string | undefined {
  const type = tag.toString('latin1', 0, 4);
  let name = '';
  if (type === 'desc' && tag.length > 12) {
    const length = Math.min(tag.readUInt32BE(8), tag.length - 12);
    name = tag.toString('latin1', 12, 12 + length);
  } else if (type === 'mluc' && tag.length >= 28) {
    const length = tag.readUInt32BE(20);
    const offset = tag.readUInt32BE(24);
    const text = tag.subarray(offset, offset + length);
    if (text.length >= 2) name = new TextDecoder('utf-16be').decode(text);
  }
  const clean = name.replace(/\0/g, '').trim();
  return clean === '' ? undefined : clean.slice(0, 100);
}
