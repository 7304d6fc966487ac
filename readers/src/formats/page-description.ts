/** Page description formats other than PDF: PostScript and EPS, XPS, DjVu. */

import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { readXmlChunks } from '../input/xml.ts';
import { readXmp } from './image/image-facts.ts';
import { openOfficePackage, readOfficeProperties } from './office/package.ts';
import { pdf } from './pdf/pdf.ts';

const COMMENTS_MAX = 65_536;
const PAGES_MAX = 5000;

export const pageDescription: Extractor = {
  name: 'page-description',
  version: 2,
  text: true,
  extensions: ['ps', 'eps', 'epsf', 'epsi', 'ai', 'xps', 'oxps', 'djvu', 'djv'],
  tools: [],
  keys: [
    ...new Set([
      ...pdf.keys,
      'last_modified_by',
      'description',
      'category',
      'language',
      'revision',
      'company',
      'manager',
      'application',
      'template',
      'width',
      'height',
      'format',
    ]),
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  const head = file.read(0, 1024).toString('latin1');
  if (head.includes('%PDF-')) return pdf.read(source);
  if (head.startsWith('PK')) return readXps(file, source);
  if (head.startsWith('AT&TFORM')) return { metadata: readDjvu(file) };
  if (head.startsWith('%!') || head.startsWith('\xc5\xd0\xd3\xc6')) return readPostScript(file);
  throw new ExtractError('corrupt', 'The file is not a page description.');
}

/** Files for Windows begin with a table that states where the PostScript is. */
export function postScriptRange(file: FileBytes): { from: number; to: number } {
  const head = file.read(0, 12);
  if (head.length < 12 || head.readUInt32BE(0) !== 0xc5d0d3c6) return { from: 0, to: file.size };
  const from = head.readUInt32LE(4);
  return { from, to: Math.min(file.size, from + head.readUInt32LE(8)) };
}

const XMP_SEARCH_MAX = 4 * 1024 * 1024;

function postScriptXmp(file: FileBytes, from: number): ReturnType<typeof readXmp> {
  const bytes = file.read(from, Math.min(XMP_SEARCH_MAX, file.size));
  const start = bytes.indexOf('<x:xmpmeta');
  const end = bytes.indexOf('</x:xmpmeta>', start);
  return start === -1 || end === -1 ? {} : readXmp(bytes.subarray(start, end + 12));
}

/** Header comments are at the start. Values declared as "(atend)" are in the last bytes. */
function readPostScript(file: FileBytes): Extracted {
  const { from, to } = postScriptRange(file);
  const text = `${file.read(from, COMMENTS_MAX).toString('latin1')}\n${file.read(Math.max(from, to - 4096), 4096).toString('latin1')}`;
  const xmp = postScriptXmp(file, from);
  const comment = (name: string): string | undefined => {
    for (const line of text.split(/\r\n?|\n/, 4000)) {
      if (!line.startsWith(`%%${name}:`)) continue;
      const value = line
        .slice(name.length + 3, 500)
        .trim()
        .replace(/^\((.*)\)$/, '$1');
      if (value !== '' && value !== 'atend' && value !== '(atend)') return value;
    }
    return undefined;
  };
  const box = (comment('BoundingBox') ?? '').split(/\s+/).map(Number);
  const sized = box.length === 4 && box.every(Number.isFinite);
  const title = comment('Title') ?? xmp.title;
  const pages = Number.parseInt(comment('Pages') ?? '', 10);
  const metadata = {
    format: 'PostScript',
    title,
    author: xmp.creator ?? comment('For'),
    creator: comment('Creator'),
    created: xmp.taken_at,
    keywords: xmp.keywords,
    description: xmp.description,
    pages: Number.isInteger(pages) && pages >= 0 ? pages : undefined,
    width: sized ? (box[2] as number) - (box[0] as number) : undefined,
    height: sized ? (box[3] as number) - (box[1] as number) : undefined,
  };
  return { metadata, ...(title !== undefined && { title }) };
}

async function readXps(file: FileBytes, source: Source): Promise<Extracted> {
  const zip = openOfficePackage(file, source);
  const pages = zip.entries.filter((entry) => /\.fpage$/i.test(entry.name));
  if (pages.length === 0) throw new ExtractError('corrupt', 'The document has no pages.');
  const { metadata, title } = readOfficeProperties(zip, []);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  for (const page of pages.slice(0, PAGES_MAX)) {
    if (body.full()) {
      body.markTruncated();
      break;
    }
    await readXmlChunks(zip.stream(page), {
      open(name, attributes) {
        if (name !== 'Glyphs') return;
        body.add(attributes['UnicodeString'] ?? '');
        body.break(' ');
      },
    });
    body.break();
  }
  return { metadata: { ...metadata, format: 'XPS', pages: pages.length }, ...(title !== undefined && { title }), ...body.result() };
}

/** Counts the pages of a DjVu file and reads the size from the first INFO chunk. */
function readDjvu(file: FileBytes): Record<string, unknown> {
  const end = Math.min(file.size, 64 << 20);
  let pages = 0;
  let size: { width: number; height: number } | undefined;
  const walk = (from: number, to: number, depth: number): void => {
    for (let at = from, count = 0; at + 12 <= to && count < PAGES_MAX * 4; count++) {
      const chunk = file.read(at, 12);
      if (chunk.length < 12) return;
      const id = chunk.toString('latin1', 0, 4);
      const length = chunk.readUInt32BE(4);
      if (id === 'FORM' && depth < 3) {
        if (chunk.toString('latin1', 8, 12) === 'DJVU') pages += 1;
        walk(at + 12, Math.min(to, at + 8 + length), depth + 1);
      } else if (id === 'INFO' && size === undefined) {
        const info = file.read(at + 8, 4);
        if (info.length === 4) size = { width: info.readUInt16BE(0), height: info.readUInt16BE(2) };
      }
      at += 8 + length + (length % 2);
    }
  };
  walk(4, end, 0);
  if (pages === 0) throw new ExtractError('corrupt', 'The document has no pages.');
  return { format: 'DjVu', pages, ...size };
}
