/** Title, description, keywords and rating that photo programs write as XMP. A damaged block gives what was read before the damage. */
import { ExtractError } from '../../contract.ts';
import { readXml } from '../../input/xml.ts';

export interface Xmp {
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
