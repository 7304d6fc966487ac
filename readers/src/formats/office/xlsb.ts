/** Binary spreadsheets (xlsb): the parts of an xlsx package as records of numbers and texts. */
import { type BodyText, createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXml } from '../../input/xml.ts';
import type { Zip } from '../../input/zip.ts';
import { builtInFormat, numberTexts } from './number-format.ts';
import { officeKeys, openOfficePackage, readOfficeProperties } from './package.ts';

const MAX_SHEETS = 1000;
const PART_MAX = 256 * 1024 * 1024;

export const binarySpreadsheet: Extractor = {
  name: 'xlsb',
  version: 2,
  text: true,
  extensions: ['xlsb'],
  tools: [],
  keys: [...officeKeys, 'sheets', 'sheet_count', 'cells'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

/** Record types of [MS-XLSB]. */
const rowHeader = 0;
const cells = { rk: 2, boolean: 4, real: 5, text: 6, sharedText: 7, formulaText: 8, formulaNumber: 9, formulaBoolean: 10, richText: 62 };
const sharedItem = 19;
const numberFormat = 44;
const cellStyle = 47;
const workbookProperties = 153;
const bundledSheet = 156;
const cellStyles = { begin: 617, end: 618 };

function read(zip: Zip, source: Source): Extracted {
  const workbook = zip.find('xl/workbook.bin');
  if (workbook === undefined) throw new ExtractError('corrupt', 'The spreadsheet has no workbook part.');
  const { metadata, title } = readOfficeProperties(zip, []);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const links = sheetLinks(zip);
  const strings = sharedStrings(zip, source.limits.bodyTextMaxChars * 4);
  const names: string[] = [];
  const styles = { formats: cellFormats(zip), from1904: false };
  let count = 0;
  for (const [type, data] of records(zip.read(workbook, PART_MAX))) {
    if (type === workbookProperties) styles.from1904 = ((data[0] ?? 0) & 1) === 1;
    if (type !== bundledSheet || data.length < 12 || names.length >= MAX_SHEETS) continue;
    const link = wideString(data, 8);
    const name = wideString(data, link.end).text || `Sheet${names.length + 1}`;
    if (names.length > 0) body.add('\f');
    names.push(name);
    body.add(name);
    body.break();
    const part = zip.find(links.get(link.text) ?? `xl/worksheets/sheet${names.length}.bin`);
    if (part !== undefined && !body.full()) count += readSheet(zip.read(part, PART_MAX), strings, styles, body);
  }
  if (body.full()) body.markTruncated();
  Object.assign(metadata, { sheets: names, sheet_count: names.length, cells: body.full() ? undefined : count });
  return { metadata, ...(title !== undefined && { title }), ...body.result() };
}

function sheetLinks(zip: Zip): Map<string, string> {
  const found = new Map<string, string>();
  const part = zip.find('xl/_rels/workbook.bin.rels');
  if (part === undefined) return found;
  readXml(zip.read(part, 16 << 20).toString('utf8'), {
    open(name, { Id = '', Target = '' }) {
      if (name === 'Relationship') found.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`);
    },
  });
  return found;
}

function sharedStrings(zip: Zip, maxChars: number): string[] {
  const part = zip.find('xl/sharedStrings.bin');
  const strings: string[] = [];
  let chars = 0;
  if (part === undefined) return strings;
  for (const [type, data] of records(zip.read(part, PART_MAX))) {
    if (type !== sharedItem) continue;
    const { text } = wideString(data, 1);
    strings.push(text);
    chars += text.length;
    if (chars > maxChars) break;
  }
  return strings;
}

interface Styles {
  formats: readonly (string | undefined)[];
  from1904: boolean;
}

/** The number format of each cell style. */
function cellFormats(zip: Zip): (string | undefined)[] {
  const part = zip.find('xl/styles.bin');
  const own = new Map<number, string>();
  const formats: (string | undefined)[] = [];
  if (part === undefined) return formats;
  let inCellStyles = false;
  for (const [type, data] of records(zip.read(part, PART_MAX))) {
    if (type === cellStyles.begin || type === cellStyles.end) inCellStyles = type === cellStyles.begin;
    else if (type === numberFormat && data.length >= 6) own.set(data.readUInt16LE(0), wideString(data, 2).text);
    else if (type === cellStyle && inCellStyles && data.length >= 4) {
      const id = data.readUInt16LE(2);
      formats.push(own.get(id) ?? builtInFormat(id));
    }
  }
  return formats;
}

function readSheet(bytes: Buffer, strings: readonly string[], styles: Styles, body: BodyText): number {
  let count = 0;
  for (const [type, data] of records(bytes)) {
    if (type === rowHeader) body.break();
    const text = cellText(type, data, strings, styles);
    if (text === undefined || text === '') continue;
    count += 1;
    body.add(text);
    body.break(' ');
    if (body.full()) break;
  }
  body.break();
  return count;
}

/** A cell begins with its column and style in eight bytes. */
function cellText(type: number, data: Buffer, strings: readonly string[], { formats, from1904 }: Styles): string | undefined {
  if (data.length < 9) return undefined;
  const shown = (value: number): string => numberTexts(value, formats[data.readUIntLE(4, 3)], from1904);
  if (type === cells.sharedText) return data.length >= 12 ? strings[data.readUInt32LE(8)] : undefined;
  if (type === cells.text || type === cells.formulaText) return wideString(data, 8).text;
  if (type === cells.richText) return wideString(data, 9).text;
  if (type === cells.boolean || type === cells.formulaBoolean) return data[8] === 0 ? 'FALSE' : 'TRUE';
  if ((type === cells.real || type === cells.formulaNumber) && data.length >= 16) return shown(data.readDoubleLE(8));
  return type === cells.rk && data.length >= 12 ? shown(packedNumber(data.readInt32LE(8))) : undefined;
}

/** An integer or the upper half of a floating-point number in 30 bits, optionally divided by 100. */
function packedNumber(packed: number): number {
  let value = packed >> 2;
  if ((packed & 2) === 0) {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32LE(packed & ~3, 4);
    value = bytes.readDoubleLE(0);
  }
  return (packed & 1) === 0 ? value : value / 100;
}

function wideString(data: Buffer, at: number): { text: string; end: number } {
  if (at + 4 > data.length) return { text: '', end: data.length };
  const length = data.readUInt32LE(at);
  if (length === 0xffffffff) return { text: '', end: at + 4 };
  const end = Math.min(data.length, at + 4 + length * 2);
  return { text: data.toString('utf16le', at + 4, end), end };
}

/** Types and sizes are numbers of seven bits per byte. */
function* records(bytes: Buffer): Generator<[number, Buffer]> {
  for (let at = 0; at < bytes.length; ) {
    let type = bytes.readUInt8(at++);
    if (type & 0x80) type = (type & 0x7f) | ((bytes[at++] ?? 0) << 7);
    let size = 0;
    for (let i = 0; i < 4; i++) {
      const byte = bytes[at++] ?? 0;
      size |= (byte & 0x7f) << (i * 7);
      if ((byte & 0x80) === 0) break;
    }
    yield [type, bytes.subarray(at, at + size)];
    at += size;
  }
}
