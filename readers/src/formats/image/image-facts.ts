import { ExtractError } from '../../contract.ts';
import { readXml } from '../../input/xml.ts';
import type { Exif } from './exif.ts';

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
  const found: Xmp = {};
  const path: string[] = [];
  const keywords: string[] = [];
  const handlers = {
    open(name: string, attributes: Record<string, string>) {
      path.push(name);
      if (name === 'Description') setRating(found, attributes['Rating']);
    },
    close() {
      path.pop();
    },
    text(value: string) {
      const trimmed = value.trim();
      if (trimmed === '') return;
      if (path.at(-1) === 'Rating') setRating(found, trimmed);
      if (path.at(-1) !== 'li') return;
      const owner = path.at(-3);
      if (owner === 'subject' && keywords.length < MAX_KEYWORDS) keywords.push(trimmed);
      else if (owner === 'title') found.title ??= trimmed;
      else if (owner === 'description') found.description ??= trimmed;
      else if (owner === 'creator') found.creator ??= trimmed;
    },
  };
  try {
    if (from !== -1) readXml(text.slice(from, lastTagEnd(text)), handlers);
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
  }
  if (keywords.length > 0) found.keywords = [...new Set(keywords)];
  return found;
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
