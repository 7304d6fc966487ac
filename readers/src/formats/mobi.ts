import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { codePageDecoder } from '../input/charset.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { htmlToText } from './text/html-text.ts';

/** Kindle and Mobipocket books: title, EXTH records, and text that is uncompressed or uses PalmDOC compression. */
export const mobi: Extractor = {
  name: 'mobi',
  version: 2,
  text: true,
  extensions: ['mobi', 'azw', 'azw3', 'azw4', 'pdb', 'prc', 'kf8'],
  tools: [],
  keys: ['title', 'author', 'publisher', 'description', 'isbn', 'subject', 'language', 'year', 'encrypted', 'has_cover', 'container'],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

const exthTexts: Record<number, string> = {
  100: 'author',
  101: 'publisher',
  103: 'description',
  104: 'isbn',
  105: 'subject',
  503: 'title',
  524: 'language',
};
const maxRecordBytes = 1 << 20;

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  const head = file.need(0, 78);
  const kind = head.toString('latin1', 60, 68);
  if (kind !== 'BOOKMOBI' && kind !== 'TEXtREAd') throw new ExtractError('corrupt', 'The file is not a Mobipocket book.');
  const count = head.readUInt16BE(76);
  if (count === 0) throw new ExtractError('corrupt', 'The book has no records.');
  const table = file.need(78, count * 8);
  const offset = (index: number): number => (index < count ? table.readUInt32BE(index * 8) : file.size);
  const record = (index: number): Buffer =>
    file.read(offset(index), Math.min(maxRecordBytes, Math.max(0, offset(index + 1) - offset(index))));
  const first = record(0);
  if (first.length < 16) throw new ExtractError('corrupt', 'The book header is damaged.');
  const packing = first.readUInt16BE(0);
  const textRecords = Math.min(first.readUInt16BE(8), count - 1);
  const encrypted = first.readUInt16BE(12) !== 0;
  const metadata: Record<string, unknown> = { container: kind === 'BOOKMOBI' ? 'mobi' : 'palmdoc' };
  if (encrypted) metadata['encrypted'] = true;
  let page = 1252;
  let trailers = 0;
  if (kind === 'BOOKMOBI' && first.length >= 132 && first.toString('latin1', 16, 20) === 'MOBI') {
    page = first.readUInt32BE(28);
    const headerLength = first.readUInt32BE(20);
    if (first.length >= 244 && headerLength >= 228) trailers = first.readUInt16BE(242);
    const nameAt = first.readUInt32BE(84);
    const name = decodeBytes(first.subarray(nameAt, nameAt + Math.min(first.readUInt32BE(88), 1000)), page);
    if (name !== '') metadata['title'] = name;
    if ((first.readUInt32BE(128) & 0x40) !== 0) readExth(first.subarray(16 + headerLength), page, metadata);
  }
  const body = createBodyText(source.limits.bodyTextMaxChars);
  if (!encrypted && (packing === 1 || packing === 2)) {
    const text: Buffer[] = [];
    let size = 0;
    for (let i = 1; i <= textRecords && size < source.limits.bodyTextMaxChars * 6; i++) {
      const bytes = withoutTrailers(record(i), trailers);
      const plain = packing === 1 ? bytes : decompressPalmDoc(bytes);
      text.push(plain);
      size += plain.length;
      if (size >= source.limits.bodyTextMaxChars * 6 && i < textRecords) body.markTruncated();
    }
    const html = htmlToText(decodeBytes(Buffer.concat(text), page), source.limits.bodyTextMaxChars);
    body.add(html.text);
    if (html.truncated) body.markTruncated();
  }
  const title = metadata['title'] as string | undefined;
  const year = metadata['year'] as number | undefined;
  return { metadata, ...(title !== undefined && { title }), ...(year !== undefined && { year }), ...body.result() };
}

function readExth(block: Buffer, page: number, metadata: Record<string, unknown>): void {
  if (block.length < 12 || block.toString('latin1', 0, 4) !== 'EXTH') return;
  const count = Math.min(block.readUInt32BE(8), 500);
  let at = 12;
  for (let i = 0; i < count && at + 8 <= block.length; i++) {
    const type = block.readUInt32BE(at);
    const length = block.readUInt32BE(at + 4);
    if (length < 8 || at + length > block.length) return;
    const value = decodeBytes(block.subarray(at + 8, at + length), page);
    const key = exthTexts[type];
    if (key === 'title') metadata['title'] = value;
    else if (key === 'author' || key === 'subject') metadata[key] = metadata[key] === undefined ? value : `${metadata[key]}, ${value}`;
    else if (key === 'description') metadata[key] = htmlToText(value, 4000).text;
    else if (key !== undefined) metadata[key] ??= value;
    else if (type === 106) {
      const year = /\b(1[4-9]|20)\d\d\b/.exec(value)?.[0];
      if (year !== undefined) metadata['year'] = Number(year);
    } else if (type === 201) metadata['has_cover'] = true;
    at += length;
  }
}

function decodeBytes(bytes: Buffer, page: number): string {
  return codePageDecoder(page).decode(bytes).replace(/\0/g, '').trim();
}

/** Text records can end with extra data. Each entry's length is stored at its end, in 7-bit groups. */
function withoutTrailers(bytes: Buffer, flags: number): Buffer {
  let end = bytes.length;
  for (let bit = 15; bit >= 1; bit--) {
    if ((flags & (1 << bit)) === 0) continue;
    let size = 0;
    let shift = 0;
    for (let at = end - 1; at >= Math.max(0, end - 4); at--) {
      const byte = bytes[at] as number;
      size |= (byte & 0x7f) << shift;
      shift += 7;
      if ((byte & 0x80) !== 0) break;
    }
    end = Math.max(0, end - size);
  }
  if ((flags & 1) !== 0 && end > 0) end = Math.max(0, end - ((bytes[end - 1] as number) & 3) - 1);
  return bytes.subarray(0, end);
}

const maxDecompressedBytes = 65_536;

/** PalmDOC compression: literal runs, a space combined with a letter, and copies from up to 2047 bytes back. */
function decompressPalmDoc(compressed: Buffer): Buffer {
  const out = Buffer.alloc(maxDecompressedBytes);
  let to = 0;
  let at = 0;
  while (at < compressed.length && to < maxDecompressedBytes) {
    const byte = compressed[at++] as number;
    if (byte >= 1 && byte <= 8) {
      for (let i = 0; i < byte && at < compressed.length && to < maxDecompressedBytes; i++) out[to++] = compressed[at++] as number;
    } else if (byte < 0x80) out[to++] = byte;
    else if (byte >= 0xc0) {
      out[to++] = 32;
      if (to < maxDecompressedBytes) out[to++] = byte ^ 0x80;
    } else {
      if (at >= compressed.length) break;
      const pair = (byte << 8) | (compressed[at++] as number);
      const back = (pair >> 3) & 0x7ff;
      const length = (pair & 7) + 3;
      if (back === 0 || back > to) break;
      for (let i = 0; i < length && to < maxDecompressedBytes; i++, to++) out[to] = out[to - back] as number;
    }
  }
  return out.subarray(0, to);
}
