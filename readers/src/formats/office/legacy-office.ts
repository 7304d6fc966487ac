import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { codePageDecoder } from '../../input/charset.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { decodeText } from '../../input/text-encoding.ts';
import { collectWorkbookText, isBareWorksheet } from './biff.ts';
import { type CompoundFile, isCompoundFile, openCompoundFile } from './compound-file.ts';
import { collectPowerPointText, collectWordText, word2Magic } from './legacy-text.ts';
import { collectProjectText } from './project.ts';
import { collectVisioText } from './visio.ts';

const STREAM_MAX = 64 * 1024 * 1024;

/** Office documents from before 2007: properties, and the text of Word, Excel, PowerPoint, Visio and Project files. */
export const legacyOffice: Extractor = {
  name: 'legacy-office',
  version: 7,
  text: true,
  extensions: ['doc', 'dot', 'xls', 'xlr', 'xlw', 'xlt', 'xla', 'ppt', 'pps', 'pot', 'vsd', 'mpp', 'mpt', 'msi'],
  tools: [],
  keys: [
    'title',
    'author',
    'subject',
    'keywords',
    'description',
    'template',
    'last_modified_by',
    'revision',
    'application',
    'created',
    'modified',
    'pages',
    'word_count',
    'paragraphs',
    'slides',
    'notes',
    'company',
    'manager',
    'category',
    'sheets',
    'sheet_count',
    'cells',
    'encrypted',
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const head = file.read(0, 8);
  if (!isCompoundFile(head) && isBareWorksheet(head)) {
    const { cells } = collectWorkbookText(file.read(0, STREAM_MAX), body, source.limits.bodyTextMaxChars);
    return { metadata: { cells }, ...body.result() };
  }
  if (head.length >= 2 && head.readUInt16LE(0) === word2Magic) {
    const readable = collectWordText(file.read(0, STREAM_MAX), () => undefined, body);
    return { metadata: readable ? {} : { encrypted: true }, ...body.result() };
  }
  const ole = openCompoundFile(file);
  const metadata = readProperties(ole);
  const stream = (name: string) => ole.stream(name, STREAM_MAX);
  const word = stream('WordDocument');
  const workbook = stream('Workbook') ?? stream('Book');
  const slides = stream('PowerPoint Document');
  if (ole.has('EncryptedPackage')) metadata['encrypted'] = true;
  else if (word !== undefined) {
    if (!collectWordText(word, stream, body)) metadata['encrypted'] = true;
  } else if (workbook !== undefined) {
    const { sheets, cells, encrypted } = collectWorkbookText(workbook, body, source.limits.bodyTextMaxChars);
    if (encrypted) metadata['encrypted'] = true;
    else Object.assign(metadata, { sheets, sheet_count: sheets.length, cells: body.full() ? undefined : cells });
  } else if (slides !== undefined) {
    if (isEncryptedPresentation(stream('Current User'))) metadata['encrypted'] = true;
    else {
      collectPowerPointText(slides, body);
      // PowerPoint 95 has other records, and keeps the text of all slides in a stream of its own.
      const old = stream('Text_Content');
      if (old !== undefined) body.add(decodeText(old)?.text.replaceAll('\r', '\n').replaceAll('\u000b', ' ') ?? '');
    }
  } else {
    const drawing = stream('VisioDocument');
    if (drawing !== undefined) collectVisioText(drawing, body);
    else if (!collectProjectText(ole, body)) metadata['encrypted'] = true;
  }
  if (metadata['encrypted'] !== true) collectEmbeddedDocuments(ole, body, source.limits.bodyTextMaxChars);
  const title = metadata['title'] as string | undefined;
  return { metadata, ...(title !== undefined && { title }), ...body.result() };
}

const maxEmbedded = 100;

/** Documents and workbooks that are inserted as objects have the same streams, each in a storage of its own. */
function collectEmbeddedDocuments(ole: CompoundFile, body: BodyText, maxChars: number): void {
  let left = maxEmbedded;
  for (const name of ole.names()) {
    const [, storage, stream] = /^(.+\/)(WordDocument|Workbook|Book)$/i.exec(name) ?? [];
    if (storage === undefined || stream === undefined) continue;
    if (body.full() || left-- <= 0) return;
    const bytes = ole.stream(name, STREAM_MAX) ?? Buffer.alloc(0);
    body.break();
    if (/^word/i.test(stream)) collectWordText(bytes, (part) => ole.stream(storage + part, STREAM_MAX), body);
    else collectWorkbookText(bytes, body, maxChars);
  }
}

/** The stream of the current user begins with a header that states whether the presentation is encrypted. */
function isEncryptedPresentation(user: Buffer | undefined): boolean {
  return user !== undefined && user.length >= 16 && user.readUInt32LE(12) === 0xf3d1c4df;
}

const summary: Record<number, string> = {
  2: 'title',
  3: 'subject',
  4: 'author',
  5: 'keywords',
  6: 'description',
  7: 'template',
  8: 'last_modified_by',
  9: 'revision',
  12: 'created',
  13: 'modified',
  14: 'pages',
  15: 'word_count',
  18: 'application',
};
const documentSummary: Record<number, string> = { 2: 'category', 6: 'paragraphs', 7: 'slides', 8: 'notes', 14: 'manager', 15: 'company' };
const counts = new Set(['pages', 'word_count', 'paragraphs', 'slides', 'notes']);

function readProperties(ole: CompoundFile): Record<string, unknown> {
  const metadata: Record<string, unknown> = {};
  for (const [name, keys] of [
    ['\u0005SummaryInformation', summary],
    ['\u0005DocumentSummaryInformation', documentSummary],
  ] as const) {
    const bytes = ole.stream(name, 1 << 20);
    if (bytes === undefined) continue;
    for (const [id, value] of readPropertySet(bytes)) {
      const key = keys[id];
      if (key === undefined) continue;
      if (key === 'revision') metadata[key] = Number(value) || undefined;
      else if (!counts.has(key) || (typeof value === 'number' && value > 0)) metadata[key] = value;
    }
  }
  return metadata;
}

type PropertyValue = string | number | Date;

const MAX_PROPERTIES = 200;

/** Reads the properties of a summary stream by number. Damaged values are skipped. */
function readPropertySet(bytes: Buffer): Map<number, PropertyValue> {
  const found = new Map<number, PropertyValue>();
  if (bytes.length < 48 || bytes.readUInt16LE(0) !== 0xfffe) return found;
  const section = bytes.readUInt32LE(44);
  if (section + 8 > bytes.length) return found;
  const count = Math.min(bytes.readUInt32LE(section + 4), MAX_PROPERTIES);
  const entries: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    const at = section + 8 + i * 8;
    if (at + 8 > bytes.length) break;
    entries.push([bytes.readUInt32LE(at), section + bytes.readUInt32LE(at + 4)]);
  }
  const codePageOffset = entries.find(([id]) => id === 1)?.[1];
  const codePage = codePageOffset !== undefined && codePageOffset + 6 <= bytes.length ? bytes.readUInt16LE(codePageOffset + 4) : 1252;
  for (const [id, at] of entries) {
    const value = readValue(bytes, at, codePage);
    if (value !== undefined) found.set(id, value);
  }
  return found;
}

function readValue(bytes: Buffer, at: number, codePage: number): PropertyValue | undefined {
  if (at + 8 > bytes.length) return undefined;
  switch (bytes.readUInt16LE(at)) {
    case 2:
      return bytes.readInt16LE(at + 4);
    case 3:
      return bytes.readInt32LE(at + 4);
    case 30: {
      const length = Math.min(bytes.readUInt32LE(at + 4), 65_536);
      return decodeString(bytes.subarray(at + 8, at + 8 + length), codePage);
    }
    case 31: {
      const length = Math.min(bytes.readUInt32LE(at + 4), 32_768) * 2;
      return decodeString(bytes.subarray(at + 8, at + 8 + length), 1200);
    }
    case 64: {
      if (at + 12 > bytes.length) return undefined;
      const ticks = bytes.readBigUInt64LE(at + 4);
      const date = new Date(Number(ticks / 10_000n) - 11_644_473_600_000);
      // Small values are durations (editing time), not dates.
      return date.getUTCFullYear() > 1970 && date.getUTCFullYear() < 2200 ? date : undefined;
    }
    default:
      return undefined;
  }
}

function decodeString(bytes: Buffer, codePage: number): string | undefined {
  const text = codePageDecoder(codePage).decode(bytes).split('\0')[0]?.trim();
  return text === '' ? undefined : text;
}
