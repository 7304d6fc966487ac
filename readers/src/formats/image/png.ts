/** Metadata chunks of PNG files. libvips returns only some of them, so they are read here: EXIF, XMP and the profiles of ImageMagick. */
import { inflateSync } from 'node:zlib';
import type { FileBytes } from '../../input/file-bytes.ts';
import { exifFromBlock } from './exif.ts';
import { type ImageFacts, readXmp } from './image-facts.ts';
import { readIptc } from './iptc.ts';

const maxChunks = 1000;
const maxBytes = 1 << 20;

export function readPngBlocks(file: FileBytes): Pick<ImageFacts, 'exif' | 'xmp' | 'iptc'> {
  const found: Pick<ImageFacts, 'exif' | 'xmp' | 'iptc'> = {};
  for (let at = 8, n = 0; n < maxChunks && at + 12 <= file.size; n++) {
    const head = file.read(at, 8);
    if (head.length < 8) break;
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4)];
    if (length <= maxBytes && /^(eXIf|iTXt|tEXt|zTXt)$/.test(type)) readChunk(found, type, file.read(at + 8, length));
    if (type === 'IEND') break;
    at += 12 + length;
  }
  return found;
}

function readChunk(found: Pick<ImageFacts, 'exif' | 'xmp' | 'iptc'>, type: string, data: Buffer): void {
  if (type === 'eXIf') {
    const exif = exifFromBlock(data);
    if (exif !== null) found.exif ??= exif;
    return;
  }
  const end = data.indexOf(0);
  if (end === -1) return;
  const keyword = data.toString('latin1', 0, end);
  const text = chunkText(type, data.subarray(end + 1));
  if (text === null) return;
  if (keyword === 'XML:com.adobe.xmp') found.xmp ??= readXmp(text);
  const profile = /^Raw profile type (exif|app1|xmp|iptc)$/i.exec(keyword)?.[1]?.toLowerCase();
  if (profile !== undefined) readProfile(found, text);
}

/** The text of a chunk after its keyword; null if it is damaged. */
function chunkText(type: string, data: Buffer): Buffer | null {
  if (type === 'tEXt') return data;
  if (type === 'zTXt') return inflated(data.subarray(1));
  // Two flags, then the language and the translated keyword, each ended by a zero.
  const language = data.indexOf(0, 2);
  const keyword = language === -1 ? -1 : data.indexOf(0, language + 1);
  if (keyword === -1) return null;
  const text = data.subarray(keyword + 1);
  return data[0] === 1 ? inflated(text) : text;
}

function inflated(data: Buffer): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}

/** ImageMagick writes a name, a length and the bytes as hexadecimal digits. */
function readProfile(found: Pick<ImageFacts, 'exif' | 'xmp' | 'iptc'>, text: Buffer): void {
  const digits = /^\s*\w+\s+\d+\s+([0-9a-f\s]+)/i.exec(text.toString('latin1'))?.[1];
  const bytes = Buffer.from((digits ?? '').replace(/\s/g, ''), 'hex');
  if (bytes.length < 8) return;
  const start = bytes.toString('latin1', 0, 4).replace('\xef\xbb\xbf', '');
  if (/^(Exif|II\*|MM\0\*)/.test(start)) {
    const exif = exifFromBlock(bytes);
    if (exif !== null) found.exif ??= exif;
  } else if (start === 'http' || start.startsWith('<')) found.xmp ??= readXmp(bytes.subarray(Math.max(0, bytes.indexOf('<'))));
  else {
    const at = bytes.indexOf(Buffer.from([0x1c, 2]));
    const iptc = at === -1 ? null : readIptc(bytes.subarray(at));
    if (iptc !== null) found.iptc ??= iptc;
  }
}
