import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXmlChunks } from '../../input/xml.ts';
import type { Zip, ZipEntry } from '../../input/zip.ts';
import { openOfficePackage } from './package.ts';

const partMax = 64 * 1024 * 1024;

export const iworkKeys = ['application', 'format', 'has_preview', 'encrypted', 'table_count', 'slides', 'word_count'] as const;

/** Apple Pages, Numbers and Keynote: text, application, preview, number of tables and slides. */
export const iwork: Extractor = {
  name: 'iwork',
  version: 1,
  text: true,
  extensions: ['pages', 'numbers'],
  tools: [],
  keys: iworkKeys,
  read: readIwork,
};

/** Also called for files with the extension .key, which Keynote shares with cryptographic keys. */
export function readIwork(source: Source): Promise<Extracted> {
  return withFileBytes(source, (file) => read(openOfficePackage(file, source), source));
}

async function read(outer: Zip, source: Source): Promise<Extracted> {
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const names = outer.entries.map(({ name }) => name);
  const parts = outer.entries.filter(({ name }) => /(^|\/)Index\/.*\.iwa$/.test(name));
  const xmlEntry = outer.find('index.xml') ?? outer.find('index.apxl');
  if (parts.length === 0 && xmlEntry === undefined && !names.some((name) => /(^|\/)Index\.zip$/.test(name)))
    throw new ExtractError('corrupt', 'The file is not a Pages, Numbers or Keynote document.');
  const encrypted = names.some((name) => name.endsWith('.iwph'));
  if (xmlEntry !== undefined) await readXmlDocument(outer, xmlEntry, body);
  else if (!encrypted) readParts(outer, parts, body);
  const text = body.result();
  const application = { numbers: 'Numbers', key: 'Keynote' }[source.extension] ?? 'Pages';
  const slides = parts.filter(({ name }) => /(^|\/)Slide(-\d+)*\.iwa$/.test(name)).length;
  const tables = parts.filter(({ name }) => /Tables\/DataList/.test(name)).length;
  return {
    metadata: {
      application,
      format: xmlEntry === undefined ? 'iwork-13' : 'iwork-09',
      has_preview: names.some((name) => /^(preview\.jpg|preview-web\.jpg|QuickLook\/(Thumbnail|Preview)\.(jpg|png|pdf))$/.test(name)),
      ...(encrypted && { encrypted: true }),
      ...(tables > 0 && { table_count: tables }),
      ...(slides > 0 && { slides }),
      ...(text.bodyText !== undefined && { word_count: body.words() }),
    },
    ...text,
  };
}

function readParts(zip: Zip, parts: Zip['entries'], body: BodyText): void {
  // The main document is read first because its text matters most.
  const ordered = [...parts].sort((a, b) => Number(b.name.endsWith('Document.iwa')) - Number(a.name.endsWith('Document.iwa')));
  for (const part of ordered) {
    if (body.full()) {
      body.markTruncated();
      return;
    }
    for (const text of textsIn(unpackPart(zip.read(part, partMax), partMax))) {
      body.add(text);
      body.break();
    }
  }
}

/** Before 2013 the document was one XML file with the text in `p` elements. */
async function readXmlDocument(zip: Zip, entry: ZipEntry, body: BodyText): Promise<void> {
  let inText = 0;
  const isText = (tag: string): boolean => tag === 'p';
  await readXmlChunks(zip.stream(entry), {
    open(tag) {
      if (isText(tag)) inText += 1;
    },
    close(tag) {
      if (!isText(tag)) return;
      inText -= 1;
      body.break();
    },
    text(text) {
      if (inText > 0) body.add(text);
    },
  });
}

/**
 * Object type that holds text. A part is a sequence of Snappy blocks; decompressed, it is a sequence of objects. Each object begins with a
 * header that lists the types and lengths of its messages.
 */
const textStorage = 2001;
const blockMax = 16 * 1024 * 1024;

/** Yields the top-level fields of a protobuf message. */
function* fieldsOf(bytes: Buffer): Generator<{ field: number; number?: number; bytes?: Buffer }> {
  for (let at = 0; at < bytes.length; ) {
    const [key, next] = readVarint(bytes, at);
    const field = Math.floor(key / 8);
    const kind = key % 8;
    if (kind === 0) {
      const [number, after] = readVarint(bytes, next);
      yield { field, number };
      at = after;
    } else if (kind === 2) {
      const [length, from] = readVarint(bytes, next);
      if (from + length > bytes.length) return;
      yield { field, bytes: bytes.subarray(from, from + length) };
      at = from + length;
    } else if (kind === 1) at = next + 8;
    else if (kind === 5) at = next + 4;
    else return;
  }
}

/** Decompresses a part. Each block begins with a zero byte and a three-byte length. */
function unpackPart(compressed: Buffer, maxBytes: number): Buffer {
  const blocks: Buffer[] = [];
  let size = 0;
  for (let at = 0; at + 4 <= compressed.length && size < maxBytes; ) {
    const length = compressed.readUIntLE(at + 1, 3);
    const block = unpackSnappy(compressed.subarray(at + 4, at + 4 + length), Math.min(blockMax, maxBytes - size));
    blocks.push(block);
    size += block.length;
    at += 4 + length;
  }
  return Buffer.concat(blocks);
}

function* textsIn(part: Buffer): Generator<string> {
  for (let at = 0; at < part.length; ) {
    const [length, start] = readVarint(part, at);
    let body = start + length;
    for (const { field, bytes } of fieldsOf(part.subarray(start, body))) {
      if (field !== 2 || bytes === undefined) continue;
      const info = [...fieldsOf(bytes)];
      const type = info.find((entry) => entry.field === 1)?.number;
      const size = info.find((entry) => entry.field === 3)?.number ?? 0;
      if (type === textStorage) {
        for (const entry of fieldsOf(part.subarray(body, body + size)))
          if (entry.field === 3 && entry.bytes !== undefined) yield entry.bytes.toString('utf8');
      }
      body += size;
    }
    if (body <= at) return;
    at = body;
  }
}

const damaged = (): ExtractError => new ExtractError('corrupt', 'A compressed part of the document is damaged.');

/** Decompresses one raw Snappy block. Throws if it states more than `maxBytes`. */
function unpackSnappy(compressed: Buffer, maxBytes: number): Buffer {
  const [size, start] = readVarint(compressed, 0);
  if (size > maxBytes) throw new ExtractError('guard', `A part of the document decompresses to ${size} bytes; the limit is ${maxBytes}.`);
  const out = Buffer.alloc(size);
  let to = 0;
  for (let at = start; at < compressed.length; ) {
    const tag = compressed[at++] ?? 0;
    if ((tag & 3) === 0) {
      let length = tag >> 2;
      if (length >= 60) {
        const extra = length - 59;
        if (at + extra > compressed.length) throw damaged();
        length = compressed.readUIntLE(at, extra);
        at += extra;
      }
      length += 1;
      if (at + length > compressed.length || to + length > size) throw damaged();
      compressed.copy(out, to, at, at + length);
      at += length;
      to += length;
      continue;
    }
    const bytes = (tag & 3) === 3 ? 4 : tag & 3;
    if (at + bytes > compressed.length) throw damaged();
    const length = (tag & 3) === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const offset = (tag & 3) === 1 ? ((tag & 0xe0) << 3) | compressed.readUInt8(at) : compressed.readUIntLE(at, bytes);
    at += bytes;
    if (offset === 0 || offset > to || to + length > size) throw damaged();
    // Source and target may overlap, so bytes must be copied one at a time.
    for (let n = 0; n < length; n++, to++) out[to] = out[to - offset] ?? 0;
  }
  return out.subarray(0, to);
}

/** Decodes a varint and returns the offset after it. */
function readVarint(bytes: Buffer, start: number): [value: number, next: number] {
  let value = 0;
  let scale = 1;
  for (let at = start; at < bytes.length && at < start + 8; at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at + 1];
    scale *= 128;
  }
  throw damaged();
}
