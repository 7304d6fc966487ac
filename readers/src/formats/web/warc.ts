import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { BodyText } from '../../body-text.ts';
import { decodeText } from '../../input/text-encoding.ts';
import { htmlToText } from '../text/html-text.ts';

export interface WarcPages {
  records: number;
  urls: string[];
  firstDate?: string;
  software?: string;
  title?: string;
}

const maxRecords = 100_000;
const maxPages = 5000;
const maxHeaderBytes = 65_536;
const maxPageBytes = 16 * 1024 * 1024;

/** Reads the records of a WARC file: each has a header, an empty line and as many bytes as the header states. */
export function readWarc(bytes: Buffer, body: BodyText, pages: WarcPages): void {
  for (let at = 0; at < bytes.length && pages.records < maxRecords; ) {
    const start = bytes.indexOf('WARC/', at, 'latin1');
    if (start === -1) return;
    const end = bytes.indexOf('\r\n\r\n', start, 'latin1');
    if (end === -1 || end - start > maxHeaderBytes) return;
    const header = readHeaders(bytes.toString('utf8', start, end));
    const length = Number(header.get('content-length'));
    if (!Number.isInteger(length) || length < 0) return;
    const content = bytes.subarray(end + 4, end + 4 + length);
    pages.records += 1;
    pages.firstDate ??= header.get('warc-date');
    const type = header.get('warc-type');
    if (type === 'warcinfo') pages.software ??= /^software:\s*(.{1,200})$/im.exec(content.toString('utf8', 0, 4096))?.[1]?.trim();
    else if (type === 'response' || type === 'resource') addPage(header, content, type === 'response', body, pages);
    at = end + 4 + length;
  }
}

function readHeaders(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split('\r\n').slice(1, 200)) {
    const colon = line.indexOf(':');
    if (colon > 0) found.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return found;
}

function addPage(header: Map<string, string>, content: Buffer, withHttp: boolean, body: BodyText, pages: WarcPages): void {
  if (pages.urls.length >= maxPages || content.length > maxPageBytes) return;
  const split = withHttp ? content.indexOf('\r\n\r\n', 0, 'latin1') : -1;
  const http = split === -1 ? new Map<string, string>() : readHeaders(content.toString('latin1', 0, split));
  const type = (http.get('content-type') ?? header.get('content-type') ?? '').toLowerCase();
  const isHtml = /^(text\/html|application\/xhtml)/.test(type);
  if (!isHtml && !type.startsWith('text/plain')) return;
  pages.urls.push((header.get('warc-target-uri') ?? '').replace(/^<|>$/g, '').slice(0, 2000));
  if (body.full()) return;
  const data = decodeBody(content.subarray(split + 4 * Number(split !== -1)), http);
  const text = data && decodeText(data, true, /charset=["']?([\w-]+)/.exec(type)?.[1])?.text;
  if (!text) return;
  if (isHtml) pages.title ??= /<title[^>]*>([^<]{1,500})</i.exec(text)?.[1]?.trim();
  body.add(isHtml ? htmlToText(text, 5_000_000).text : text);
  body.break('\n\n');
}

/** Undoes chunks and compression of an HTTP response; null when it is damaged. */
function decodeBody(data: Buffer, http: Map<string, string>): Buffer | null {
  const whole = /chunked/i.test(http.get('transfer-encoding') ?? '') ? joinChunks(data) : data;
  const options = { maxOutputLength: maxPageBytes };
  try {
    const encoding = http.get('content-encoding')?.toLowerCase();
    if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(whole, options);
    if (encoding === 'deflate') return inflateSync(whole, options);
    return encoding === 'br' ? brotliDecompressSync(whole, options) : whole;
  } catch {
    return null;
  }
}

/** Crawlers often store a response without its chunks but keep the header, so data that has none is returned as it is. */
function joinChunks(data: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const end = data.indexOf('\r\n', at, 'latin1');
    const size = end === -1 || end - at > 20 ? Number.NaN : Number.parseInt(data.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) return parts.length > 0 ? Buffer.concat(parts) : data;
    if (size === 0) break;
    parts.push(data.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
