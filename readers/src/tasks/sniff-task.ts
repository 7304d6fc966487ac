/** The sandbox task that detects the type of a file without an extension from its first bytes. */

import { closeSync, openSync, readSync } from 'node:fs';
import { fileTypeFromBuffer } from 'file-type';
import type { Source } from '../contract.ts';

export interface SniffResult {
  /** The usual extension of the detected type, or null when the type is unknown. */
  extension: string | null;
  mime: string | null;
}

export default async function sniff(source: Source, { readBytes }: { readBytes: number }): Promise<SniffResult> {
  const head = Buffer.alloc(Math.min(readBytes, source.size));
  const file = openSync(source.path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  // The library rejects on some truncated files; wasmagic is tried then.
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  if (detected) return { extension: detected.ext, mime: detected.mime };
  const { WASMagic } = await import('wasmagic');
  const mime = (await WASMagic.create()).detect(head);
  return { extension: extensionByMime[mime] ?? (mime.startsWith('text/') ? 'txt' : null), mime };
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
