import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { decoderOf, detectLegacyEncoding } from '../../input/text-encoding.ts';
import { type CompoundFile, isCompoundFile, openCompoundFile } from '../office/compound-file.ts';
import { legacyOffice } from '../office/legacy-office.ts';
import { collectChunkedText } from './chunked-text.ts';
import { collectHangulText } from './hwp.ts';
import { isHangul3, readHangul3 } from './hwp3.ts';
import { collectSheetText } from './old-sheets.ts';
import { collectQuattroNotebook } from './quattro-notebook.ts';
import { collectLengthPrefixed, utf16Text } from './text-runs.ts';
import { collectWordPerfectText } from './word-perfect.ts';

const streamMax = 64 * 1024 * 1024;

const readers: Record<string, (file: FileBytes, source: Source, body: BodyText) => Record<string, unknown>> = {
  ...byExtension('wpd wp wp5 wp6 wpt', (file, _source, body) => ({
    format: `WordPerfect ${collectWordPerfectText(file.read(0, streamMax), body)}`,
    word_count: body.words(),
  })),
  ...byExtension('wk1 wks wk3 wk4 123 wq1 wq2 wb1 wb2 wb3 qpw', readWorksheet),
  ...byExtension('hwp', (file, _source, body) => {
    if (isHangul3(file)) return readHangul3(file, body);
    collectHangulText(openCompoundFile(file), body);
    return { format: 'Hangul', word_count: body.words() };
  }),
  ...byExtension('wri', readWrite),
  ...byExtension('sdw sdc sdd sda vor', readStarOffice),
  ...byExtension('one onetoc2', readOneNote),
  ...byExtension('wps', readWorks),
};

function byExtension<T>(extensions: string, reader: T): Record<string, T> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, reader]));
}

/** Documents of programs that are rare today: WordPerfect, Works, Lotus, Quattro Pro, StarOffice, Write, Hangul and OneNote. */
export const oldDocument: Extractor = {
  name: 'old-document',
  version: 3,
  text: true,
  extensions: Object.keys(readers),
  tools: [],
  keys: [...new Set([...legacyOffice.keys, 'format'])],
  read: (source) =>
    withFileBytes(source, async (file): Promise<Extracted> => {
      if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
      if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
      const body = createBodyText(source.limits.bodyTextMaxChars);
      const facts = readers[source.extension]?.(file, source, body) ?? {};
      // The properties of a compound document are the same in all programs.
      const common: Extracted = isCompoundFile(file.read(0, 8)) ? await legacyOffice.read(source) : { metadata: {} };
      const own = body.result();
      return { ...common, metadata: { ...common.metadata, ...facts }, ...(own.bodyText === undefined ? {} : own) };
    }),
};

/** Since version 7, Quattro Pro wraps the worksheet in a compound document; since version 9, in a format of its own. */
function readWorksheet(file: FileBytes, _source: Source, body: BodyText): Record<string, unknown> {
  if (!isCompoundFile(file.read(0, 8))) {
    const { name, cells } = collectSheetText(file.read(0, streamMax), body);
    return { format: name, cells };
  }
  const ole = openCompoundFile(file);
  const notebook = ole.stream('NativeContent_MAIN', streamMax);
  if (notebook !== undefined) {
    const { sheets, cells } = collectQuattroNotebook(notebook, body);
    return { format: 'Quattro Pro', cells, ...(sheets.length > 0 && { sheets, sheet_count: sheets.length }) };
  }
  const stream = ole.stream('PerfectOffice_MAIN', streamMax);
  if (stream === undefined) throw new ExtractError('corrupt', 'The file is not a known worksheet.');
  return { format: 'Quattro Pro', cells: collectSheetText(stream, body).cells };
}

function anyStream(ole: CompoundFile, names: readonly string[]): Buffer | undefined {
  for (const name of names) {
    const stream = ole.stream(name, streamMax);
    if (stream !== undefined) return stream;
  }
  return undefined;
}

/** Text of a single-byte charset without control characters; null for other bytes. */
function singleByteText(data: Buffer): string | null {
  for (const byte of data) if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return null;
  const text = data.toString('latin1');
  return /^[\x20-\x7e\t\r\n]{3}|^[\wÀ-ÿ .,'"-]+$/.test(text) && /[A-Za-zÀ-ÿ]{2}/.test(text) ? text : null;
}

/** Windows Write: the text follows a header of 128 bytes. */
function readWrite(file: FileBytes, _source: Source, body: BodyText): Record<string, unknown> {
  const head = file.need(0, 128);
  if (![0xbe31, 0xbe32].includes(head.readUInt16LE(0))) throw new ExtractError('corrupt', 'The file is not a Write document.');
  const text = file.read(128, Math.min(streamMax, Math.max(0, head.readUInt32LE(14) - 128)));
  body.add(decoderOf(detectLegacyEncoding(text)).decode(text).replaceAll('\r', '').replaceAll('\f', '\n').replaceAll('\u0001', ' '));
  return { format: 'Write', word_count: body.words() };
}

function readStarOffice(file: FileBytes, _source: Source, body: BodyText): Record<string, unknown> {
  const stream = anyStream(openCompoundFile(file), ['StarWriterDocument', 'StarCalcDocument', 'StarDrawDocument3', 'StarDrawDocument']);
  if (stream === undefined) throw new ExtractError('corrupt', 'The file is not a StarOffice document.');
  collectLengthPrefixed(stream, body, { prefix: 2, minBytes: 3, maxBytes: 8192, decode: singleByteText });
  return { format: 'StarOffice' };
}

const oneNoteTypes = new Set(['e4525c7b8cd8a74daeb15378d02996d3', 'a12ff643d9ef764c9ee210ea5722765f']);

/** Texts of a OneNote section have their length before them. The revisions of a page share most of theirs. */
function readOneNote(file: FileBytes, _source: Source, body: BodyText): Record<string, unknown> {
  if (!oneNoteTypes.has(file.need(0, 16).toString('hex'))) throw new ExtractError('corrupt', 'The file is not a OneNote section.');
  const bytes = file.read(0, 256 * 1024 * 1024);
  const decode = (data: Buffer): string | null => {
    const text = utf16Text(data);
    return text !== null && /^(PageTitle|PageDateTime|<resolutionId.*)$/s.test(text) ? null : text;
  };
  collectLengthPrefixed(bytes, body, { prefix: 4, minBytes: 6, maxBytes: 65_536, decode });
  return { format: 'OneNote', word_count: body.words() };
}

/** Works: a stream of chunks since 2000, a stream named MN0 before, and the content of that stream as a file in the first versions. */
function readWorks(file: FileBytes, _source: Source, body: BodyText): Record<string, unknown> {
  if (!isCompoundFile(file.read(0, 8))) {
    addWorksText(file.read(0, streamMax), body);
    return { format: 'Works' };
  }
  const ole = openCompoundFile(file);
  const contents = ole.stream('CONTENTS', streamMax);
  if (contents !== undefined) collectChunkedText(contents, body);
  else addWorksText(ole.stream('MN0', streamMax) ?? Buffer.alloc(0), body);
  return { format: 'Works' };
}

/** The text follows a header of 256 bytes, which states where it ends. */
function addWorksText(bytes: Buffer, body: BodyText): void {
  if (bytes.length < 256 || bytes[1] !== 0xfe) throw new ExtractError('corrupt', 'The file is not a Works document.');
  const text = bytes.subarray(256, bytes.readUInt32LE(0x26));
  const decoded = decoderOf(detectLegacyEncoding(text)).decode(text);
  body.add(decoded.replaceAll('\r', '\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, ' '));
}
