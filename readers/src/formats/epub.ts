/** EPUB e-books: package metadata, reading order and text. */
import { posix } from 'node:path';
import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { readXml } from '../input/xml.ts';
import type { Zip } from '../input/zip.ts';
import { openOfficePackage } from './office/package.ts';
import { htmlToText } from './text/html-text.ts';

const PART_MAX = 32 * 1024 * 1024;
const MAX_CHAPTERS = 5000;

export const epub: Extractor = {
  name: 'epub',
  version: 3,
  text: true,
  extensions: ['epub', 'kepub', 'ibooks'],
  tools: [],
  keys: [
    'title',
    'author',
    'publisher',
    'language',
    'subject',
    'description',
    'identifier',
    'isbn',
    'year',
    'series',
    'series_index',
    'chapter_count',
    'encrypted',
    'has_cover',
    'word_count',
  ],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

interface EpubPackage {
  metadata: Record<string, unknown>;
  authors: string[];
  subjects: string[];
  order: string[];
  hrefs: Map<string, string>;
  year?: number;
}

async function read(zip: Zip, source: Source): Promise<Extracted> {
  const path = packagePath(zip);
  const entry = zip.find(path);
  if (entry === undefined) throw new ExtractError('corrupt', 'The e-book has no package file.');
  const book = readPackage(
    zip
      .read(entry, PART_MAX)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const encrypted = zip.find('META-INF/encryption.xml') !== undefined && zip.find('META-INF/rights.xml') !== undefined;
  for (const id of encrypted ? [] : book.order.slice(0, MAX_CHAPTERS)) {
    const href = book.hrefs.get(id);
    const part = href === undefined ? undefined : zip.find(posix.normalize(posix.join(posix.dirname(path), decodeHref(href))));
    if (part === undefined) continue;
    if (body.full()) {
      body.markTruncated();
      break;
    }
    const page = htmlToText(zip.read(part, PART_MAX).toString('utf8'), source.limits.bodyTextMaxChars);
    body.add(page.text);
    if (page.truncated) body.markTruncated();
    body.break('\n\n');
  }
  const metadata: Record<string, unknown> = {
    ...book.metadata,
    author: book.authors.join(', '),
    subject: book.subjects.join(', '),
    year: book.year,
    chapter_count: book.order.length,
    encrypted: encrypted || undefined,
  };
  const title = metadata['title'] as string | undefined;
  const text = body.result();
  if (text.bodyText !== undefined && !text.bodyTextTruncated) metadata['word_count'] = body.words();
  return { metadata, ...(title !== undefined && { title }), ...(book.year !== undefined && { year: book.year }), ...text };
}

function packagePath(zip: Zip): string {
  const container = zip.find('META-INF/container.xml');
  let path: string | undefined;
  if (container !== undefined) {
    readXml(
      zip
        .read(container, PART_MAX)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
      {
        open(name, attributes) {
          if (name === 'rootfile') path ??= attributes['full-path'];
        },
      },
    );
  }
  const found = path ?? zip.entries.find((entry) => entry.name.endsWith('.opf'))?.name;
  if (found === undefined) throw new ExtractError('corrupt', 'The e-book has no package file.');
  return found;
}

function readPackage(xml: string): EpubPackage {
  const book: EpubPackage = { metadata: {}, authors: [], subjects: [], order: [], hrefs: new Map() };
  let current = '';
  readXml(xml, {
    open(name, attributes) {
      current = name;
      if (name === 'item') {
        book.hrefs.set(attributes['id'] ?? '', attributes['href'] ?? '');
        if (/cover-image/.test(attributes['properties'] ?? '') || /^cover/i.test(attributes['id'] ?? '')) book.metadata['has_cover'] = true;
      } else if (name === 'itemref') book.order.push(attributes['idref'] ?? '');
      else if (name === 'meta' && attributes['name'] === 'calibre:series') book.metadata['series'] = attributes['content'];
      else if (name === 'meta' && attributes['name'] === 'calibre:series_index')
        book.metadata['series_index'] = Number(attributes['content']);
    },
    close() {
      current = '';
    },
    text(text) {
      const value = text.trim();
      if (value !== '') applyText(book, current, value);
    },
  });
  return book;
}

function applyText(book: EpubPackage, name: string, value: string): void {
  if (name === 'creator') book.authors.push(value);
  else if (name === 'subject') book.subjects.push(value);
  else if (name === 'title' || name === 'publisher' || name === 'language') book.metadata[name] ??= value;
  else if (name === 'description') book.metadata['description'] ??= htmlToText(value, 4000).text;
  else if (name === 'date') book.year ??= /\b(1[5-9]|20)\d\d\b/.test(value) ? Number(/\b(?:1[5-9]|20)\d\d\b/.exec(value)?.[0]) : undefined;
  else if (name === 'identifier') {
    book.metadata['identifier'] ??= value;
    const isbn = /(?:97[89][- ]?)?(?:\d[- ]?){9}[\dXx]/.exec(value)?.[0];
    if (isbn !== undefined && /isbn/i.test(value + isbn.replace(/\D/g, '').replace(/^97[89]/, 'isbn')))
      book.metadata['isbn'] ??= isbn.replace(/[^\dXx]/g, '');
  }
}

function decodeHref(href: string): string {
  try {
    return decodeURIComponent(href.split('#')[0] as string);
  } catch {
    // A malformed escape sequence: the name is used as written.
    return href;
  }
}
