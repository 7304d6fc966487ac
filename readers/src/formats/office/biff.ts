/** Excel workbooks of versions 2 to 2003: sheet names, cell values, comments, headers and footers. */
import type { BodyText } from '../../body-text.ts';
import { type CharsetDecoder, codePageDecoder } from '../../input/charset.ts';
import { openProtectedWorkbook } from './biff-encryption.ts';
import { continuedText, readSharedStrings } from './biff-strings.ts';
import { builtInFormat, numberTexts } from './number-format.ts';

export interface WorkbookFacts {
  sheets: string[];
  cells: number;
  encrypted: boolean;
}

const MAX_SHEETS = 1000;

/** Record types. Those of one meaning differ between versions in their high byte. */
const records = {
  filePass: 0x2f,
  codePage: 0x42,
  sheet: 0x85,
  sharedStrings: 0xfc,
  continue: 0x3c,
  dates1904: 0x22,
  header: 0x14,
  footer: 0x15,
  textObject: 0x1b6,
  note: 0x1c,
  chartText: 0x100d,
} as const;

const formatTypes = new Set([0x1e, 0x41e]);
/** Records of texts that can continue in the next record. */
const longTexts = new Set([0x204, 0x207]);

const errorTexts: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** Versions by the type of the record that begins a workbook or sheet. */
const starts: Record<number, number> = { 9: 2, 521: 3, 1033: 4, 2057: 8 };

interface BiffState {
  body: BodyText;
  facts: WorkbookFacts;
  /** 8 for Excel 97 and later, 5 for Excel 5 and 95, 2 to 4 before. */
  version: number;
  decoder: CharsetDecoder;
  strings: string[];
  row: number;
  /** Number formats by index, and the format index of each extended format. */
  formats: Map<number, string>;
  formatOf: number[];
  dates1904: boolean;
  /** Characters of a comment or shape that the next continuations hold. */
  expectedChars: number;
}

/** True for a worksheet of Excel 2 to 4, which is not in a compound file. */
export function isBareWorksheet(head: Buffer): boolean {
  return (
    head.length >= 8 && head[0] === 9 && [0, 2, 4].includes(head[1] as number) && [4, 6, 8].includes(head[2] as number) && head[3] === 0
  );
}

/** `maxChars` limits the shared strings that are kept in memory. */
export function collectWorkbookText(workbook: Buffer, body: BodyText, maxChars: number): WorkbookFacts {
  let book = workbook;
  const state: BiffState = {
    body,
    facts: { sheets: [], cells: 0, encrypted: false },
    version: 8,
    decoder: codePageDecoder(1252),
    strings: [],
    row: -1,
    formats: new Map(),
    formatOf: [],
    dates1904: false,
    expectedChars: 0,
  };
  for (let at = 0; at + 4 <= book.length && !body.full(); ) {
    const type = book.readUInt16LE(at);
    const length = book.readUInt16LE(at + 2);
    const record = book.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    if (type === records.filePass) {
      const opened = book === workbook ? openProtectedWorkbook(workbook, record) : null;
      if (opened === null) {
        state.facts.encrypted = true;
        return state.facts;
      }
      book = opened;
      continue;
    }
    if (type === records.sharedStrings || (longTexts.has(type) && state.version === 8)) {
      const parts = [record];
      while (at + 4 <= book.length && book.readUInt16LE(at) === records.continue) {
        const more = book.readUInt16LE(at + 2);
        parts.push(book.subarray(at + 4, at + 4 + more));
        at += 4 + more;
      }
      if (type === records.sharedStrings) state.strings = readSharedStrings(parts, maxChars);
      else if (parts.length === 1) readRecord(state, type, record);
      else if (type === 0x204) addCell(state, record, continuedText(parts, 6));
      else addText(state, continuedText(parts, 0));
    } else readRecord(state, type, record);
  }
  if (body.full()) body.markTruncated();
  return state.facts;
}

function readRecord(state: BiffState, type: number, record: Buffer): void {
  const { facts, body } = state;
  const start = starts[type];
  if (start !== undefined) {
    const version = start === 8 && record.length >= 2 && record[1] === 5 ? 5 : start;
    // Programs that write Excel 95 can state a later version for its sheets; that of the workbook counts.
    if (state.version !== 5 || version !== 8) state.version = version;
    body.break();
  } else if (type === records.codePage && record.length >= 2) state.decoder = codePageDecoder(record.readUInt16LE(0));
  else if (type === records.sheet && record.length > 7 && facts.sheets.length < MAX_SHEETS) {
    const name = state.version === 8 ? shortText(record.subarray(6)) : narrow(state, record, 7, record[6] as number);
    facts.sheets.push(name);
    body.add(name);
    body.break();
  } else if (type === records.dates1904) state.dates1904 = record[0] === 1;
  else if (formatTypes.has(type)) readFormat(state, record);
  else if (type === 0xe0 && record.length >= 4) state.formatOf.push(record.readUInt16LE(2));
  else if ((type === 0x243 || type === 0x443) && record.length >= 2) state.formatOf.push(record[1] as number);
  else if (type === records.textObject) state.expectedChars = record.length >= 12 ? record.readUInt16LE(10) : 0;
  else if (type === records.continue && state.expectedChars > 0) {
    const text = record[0] === 0 ? record.toString('latin1', 1) : record.toString('utf16le', 1);
    body.add(text.slice(0, state.expectedChars));
    state.expectedChars = Math.max(0, state.expectedChars - text.length);
    if (state.expectedChars === 0) body.break();
  } else if (type === records.note && state.version < 8 && record.length > 6) addLine(state, narrow(state, record, 6, record.length));
  else if ((type === records.header || type === records.footer) && record.length > 2)
    addLine(
      state,
      (state.version === 8 ? textAt(state, record, 0) : narrow(state, record, 1, record[0] as number)).replace(
        /&(?:"[^"]*"|\d{1,3}|[A-Z])/g,
        ' ',
      ),
    );
  else if (type === records.chartText && record.length > 4)
    addLine(state, state.version === 8 ? shortText(record.subarray(2)) : narrow(state, record, 3, record[2] as number));
  else readCell(state, type, record);
}

function readCell(state: BiffState, type: number, record: Buffer): void {
  const old = state.version === 2;
  // The data sheets of chart objects of Excel 95 have records of Excel 2.
  const isOldRecord = old || (state.version === 5 && (type === 0x03 || type === 0x04));
  const at = isOldRecord ? 7 : 6;
  if (type === 0xfd && record.length >= 10) addCell(state, record, state.strings[record.readUInt32LE(6)]);
  else if (type === 0x204 || type === 0xd6) addCell(state, record, textAt(state, record, 6));
  else if (type === 0x04 && isOldRecord && record.length > 8) addCell(state, record, narrow(state, record, 8, record[7] as number));
  else if (type === 0x203 || (type === 0x03 && isOldRecord)) {
    if (record.length >= at + 8) addCell(state, record, numberText(state, record, record.readDoubleLE(at)));
  } else if (type === 0x02 && old && record.length >= 9) addCell(state, record, String(record.readUInt16LE(7)));
  else if (type === 0x27e && record.length >= 10) addCell(state, record, numberText(state, record, packedNumber(record.readInt32LE(6))));
  else if (type === 0xbd) {
    for (let each = 4; each + 6 <= record.length - 2; each += 6)
      addCell(state, record, numberText(state, record, packedNumber(record.readInt32LE(each + 2)), record.readUInt16LE(each)));
  } else if ((type === 0x06 || type === 0x206 || type === 0x406) && record.length >= at + 8) {
    // The result of a formula is a number unless it ends in FFFF. Texts follow in a record of their own.
    if (record.readUInt16LE(at + 6) !== 0xffff) addCell(state, record, numberText(state, record, record.readDoubleLE(at)));
    else if (record[at] === 1) addCell(state, record, record[at + 2] === 1 ? 'TRUE' : 'FALSE');
    else if (record[at] === 2) addCell(state, record, errorTexts[record[at + 2] as number]);
  } else if (type === 0x207) addText(state, textAt(state, record, 0));
  else if (type === 0x07 && old && record.length > 1) addText(state, narrow(state, record, 1, record[0] as number));
  else if (type === 0x205 && record.length >= 8)
    addCell(state, record, record[7] === 0 ? (record[6] === 1 ? 'TRUE' : 'FALSE') : errorTexts[record[6] as number]);
}

function addCell(state: BiffState, record: Buffer, text: string | undefined): void {
  const row = record.length >= 2 ? record.readUInt16LE(0) : 0;
  if (row !== state.row) state.body.break();
  state.row = row;
  addText(state, text ?? '');
}

function addText(state: BiffState, text: string): void {
  if (text === '') return;
  state.facts.cells += 1;
  state.body.add(text);
  state.body.break(' ');
}

function addLine({ body }: BiffState, text: string): void {
  body.add(text);
  body.break();
}

/** A text with a 16-bit length: Unicode since Excel 97, before that in the workbook's code page. */
function textAt(state: BiffState, record: Buffer, at: number): string {
  if (record.length < at + 2) return '';
  if (state.version < 8)
    return state.version === 2
      ? narrow(state, record, at + 1, record[at] as number)
      : narrow(state, record, at + 2, record.readUInt16LE(at));
  return wideText(record.subarray(at + 2), record.readUInt16LE(at));
}

function shortText(bytes: Buffer): string {
  return wideText(bytes.subarray(1), bytes[0] ?? 0);
}

function wideText(bytes: Buffer, length: number): string {
  const wide = ((bytes[0] ?? 0) & 1) !== 0;
  return wide ? bytes.toString('utf16le', 1, 1 + length * 2) : bytes.toString('latin1', 1, 1 + length);
}

function narrow({ decoder }: BiffState, record: Buffer, at: number, length: number): string {
  return decoder.decode(record.subarray(at, at + length)).replaceAll('\0', '');
}

/** A number in 30 bits: an integer or the upper half of a double, optionally in hundredths. */
function packedNumber(packed: number): number {
  let value: number;
  if (packed & 2) value = packed >> 2;
  else {
    const double = Buffer.alloc(8);
    double.writeInt32LE(packed & ~3, 4);
    value = double.readDoubleLE(0);
  }
  return packed & 1 ? value / 100 : value;
}

function readFormat(state: BiffState, record: Buffer): void {
  const { formats, version } = state;
  if (version === 8) formats.set(record.length >= 5 ? record.readUInt16LE(0) : -1, textAt(state, record, 2));
  else if (version === 5) formats.set(record.length >= 3 ? record.readUInt16LE(0) : -1, narrow(state, record, 3, record[2] ?? 0));
  else {
    // Before Excel 5, formats are numbered in the order of their records.
    const at = version === 4 ? 2 : 0;
    formats.set(formats.size, narrow(state, record, at + 1, record[at] ?? 0));
  }
}

/** The format of a cell: its extended format refers to it, except in Excel 2, where the cell itself does. */
function formatOfCell({ version, formatOf, formats }: BiffState, record: Buffer, extended?: number): string | undefined {
  const cell = record.length < 6 ? undefined : version === 2 ? (record[5] as number) & 0x3f : record.readUInt16LE(4);
  const index = version === 2 ? cell : formatOf[extended ?? cell ?? -1];
  return index === undefined ? undefined : (formats.get(index) ?? (version > 4 ? builtInFormat(index) : undefined));
}

function numberText(state: BiffState, record: Buffer, value: number, extended?: number): string {
  return numberTexts(value, formatOfCell(state, record, extended), state.dates1904);
}
