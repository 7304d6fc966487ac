import { createHash } from 'node:crypto';

/** What of an item its text is made of. */
export interface EmbeddedItem {
  filename: string;
  extension: string | null;
  title: string | null;
  tags: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
  /** At least the first `bodyChars` characters. */
  body: string | null;
}

/** Increase when the text of items is composed differently: every item is then embedded again. */
const textVersion = 1;
export const bodyChars = 512;

/** The name as words, the title, who made it, its tags and the beginning of its text. */
export function itemText({ filename, extension, title, tags, metadata, body }: EmbeddedItem): string {
  const stem = extension && filename.toLowerCase().endsWith(`.${extension}`) ? filename.slice(0, -extension.length - 1) : filename;
  const fact = (name: string): string => (typeof metadata[name] === 'string' ? (metadata[name] as string) : '');
  const text = opening(body ?? '') || opening(fact('ocr_text'));
  return [
    stem.replace(/[_\-.]+/g, ' '),
    title ?? '',
    ['artist', 'album', 'author'].map(fact).filter(Boolean).join(', '),
    tags.join(', '),
    text,
  ]
    .map((part) => part.trim())
    .filter((part, at, all) => part !== '' && all.indexOf(part) === at)
    .join('\n');
}

/** Cut before it is trimmed, so that the beginning of a text gives the same as the whole text. The database counts code points. */
function opening(text: string): string {
  return [...text.slice(0, bodyChars * 2)].slice(0, bodyChars).join('').trim();
}

/** Identifies an embedded text. */
export function textHash(text: string): Buffer {
  return createHash('sha256').update(`${textVersion}\0`).update(text).digest().subarray(0, 16);
}
