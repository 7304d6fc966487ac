/** The sandbox task that detects the type of a file without an extension from its first bytes. */

import { closeSync, openSync, readSync } from 'node:fs';
import { fileTypeFromBuffer } from 'file-type';
import type { Source } from '../contract.ts';
import { isCompoundFile } from '../formats/office/compound-file.ts';

export interface SniffResult {
  /** The usual extension of the detected type, or null when the type is unknown. */
  extension: string | null;
  mime: string | null;
}

export default (source: Source, { readBytes }: { readBytes: number }): Promise<SniffResult> => detectType(source, readBytes);

export async function detectType(source: Source, readBytes: number): Promise<SniffResult> {
  const head = Buffer.alloc(Math.min(readBytes, source.size));
  const file = openSync(source.path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  const own = detectBySignature(head);
  if (own !== undefined) return own;
  // The library rejects on some truncated files; wasmagic is tried then.
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  if (detected) return { extension: detected.ext, mime: detected.mime };
  const { WASMagic } = await import('wasmagic');
  const mime = (await WASMagic.create()).detect(head);
  return { extension: extensionByMime[mime] ?? (mime.startsWith('text/') ? 'txt' : null), mime };
}

/** Types that the libraries do not know or confuse. */
const signatures: readonly [extension: string, mime: string, test: RegExp][] = [
  ['rtf', 'application/rtf', /^\{\\rtf/],
  ['wri', 'application/x-mswrite', /^[\x31\x32]\xbe\0\0\0\xab/],
  ['wpd', 'application/vnd.wordperfect', /^\xffWPC/],
  ['one', 'application/onenote', /^\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3/],
  ['plist', 'application/x-plist', /^bplist0/],
  ['warc', 'application/warc', /^WARC\/[01]\./],
  ['mdb', 'application/x-msaccess', /^\0\x01\0\0Standard (Jet|ACE) DB/],
  ['html', 'text/html', /^(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html[\s>])/i],
];

function detectBySignature(head: Buffer): SniffResult | undefined {
  const start = head.toString('latin1', 0, 512);
  const found = signatures.find(([, , test]) => test.test(start));
  if (found !== undefined) return { extension: found[0], mime: found[1] };
  return isCompoundFile(head) ? detectCompound(head) : undefined;
}

/** Compound files are told apart by the names of their streams, which are usually in the first bytes or not far behind. */
function detectCompound(head: Buffer): SniffResult | undefined {
  const has = (name: string): boolean => head.includes(Buffer.from(name, 'utf16le'));
  if (has('WordDocument')) return { extension: 'doc', mime: 'application/msword' };
  if (has('Workbook') || has('Book\0')) return { extension: 'xls', mime: 'application/vnd.ms-excel' };
  if (has('PowerPoint Document')) return { extension: 'ppt', mime: 'application/vnd.ms-powerpoint' };
  if (has('__substg1.0_')) return { extension: 'msg', mime: 'application/vnd.ms-outlook' };
  if (has('VisioDocument')) return { extension: 'vsd', mime: 'application/vnd.visio' };
  if (has('TBkndTask')) return { extension: 'mpp', mime: 'application/vnd.ms-project' };
  if (has('Quill')) return { extension: 'pub', mime: 'application/x-mspublisher' };
  return undefined;
}

/** Extensions of the MIME types that wasmagic reports. */
const extensionByMime: Record<string, string> = {
  'text/plain': 'txt',
  'text/html': 'html',
  'text/xml': 'xml',
  'text/csv': 'csv',
  'text/x-shellscript': 'sh',
  'text/x-script.python': 'py',
  'text/x-c': 'c',
  'text/x-c++': 'cpp',
  'text/x-java': 'java',
  'text/x-perl': 'pl',
  'text/x-ruby': 'rb',
  'text/x-tex': 'tex',
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'message/rfc822': 'eml',
  'image/svg+xml': 'svg',
  'application/x-executable': 'elf',
  'application/x-pie-executable': 'elf',
  'application/x-sharedlib': 'so',
};
