import type { BodyText } from '../../body-text.ts';

const MAX_PIECES = 100_000;

/**
 * Collects the text of a Word 97-2003 document. The piece table states the position of each run and whether it uses one or two bytes per
 * character. Returns false if the document is encrypted.
 */
export function collectWordText(word: Buffer, stream: (name: string) => Buffer | undefined, body: BodyText): boolean {
  if (word.length < 0x1aa) return true;
  const flags = word.readUInt16LE(10);
  if ((flags & 0x0100) !== 0) return false;
  const table = stream((flags & 0x0200) !== 0 ? '1Table' : '0Table');
  const at = word.readUInt32LE(0x01a2);
  const length = word.readUInt32LE(0x01a6);
  if (table === undefined || length === 0 || at + length > table.length) return true;
  const pieces = findPieces(table.subarray(at, at + length));
  if (pieces === undefined) return true;
  const count = Math.min(Math.floor((pieces.length - 4) / 12), MAX_PIECES);
  for (let i = 0; i < count; i++) {
    const chars = pieces.readUInt32LE((i + 1) * 4) - pieces.readUInt32LE(i * 4);
    const position = pieces.readUInt32LE((count + 1) * 4 + i * 8 + 2);
    if (chars <= 0 || chars > word.length) break;
    const singleByte = (position & 0x40000000) !== 0;
    const from = singleByte ? (position & 0x3fffffff) >> 1 : position;
    const bytes = word.subarray(from, from + (singleByte ? chars : chars * 2));
    const text = singleByte ? new TextDecoder('windows-1252').decode(bytes) : bytes.toString('utf16le');
    if (!body.add(removeFieldCodes(text))) {
      if (i + 1 < count) body.markTruncated();
      break;
    }
  }
  return true;
}

/** Skips the property blocks before the piece table. */
function findPieces(clx: Buffer): Buffer | undefined {
  for (let at = 0; at + 5 <= clx.length; ) {
    if (clx[at] === 2) {
      const length = clx.readUInt32LE(at + 1);
      const table = clx.subarray(at + 5, at + 5 + length);
      return table.length >= 16 ? table : undefined;
    }
    if (clx[at] !== 1) return undefined;
    at += 3 + clx.readUInt16LE(at + 1);
  }
  return undefined;
}

/** Removes field codes, which are between characters 19 and 20. The field's result, between 20 and 21, is kept. */
function removeFieldCodes(text: string): string {
  return text
    .replace(/\u0013[^\u0014\u0015]*\u0014/g, '')
    .replace(/\u0013[^\u0015]*\u0015/g, '')
    .replace(/[\r\u000b\u000c\u0007]/g, '\n')
    .replace(/[\u0000-\u0008\u000e-\u001f]/g, '');
}

const TEXT_CHARS = 4000;
const TEXT_BYTES = 4008;
const STRING = 4026;

/** Collects the text atoms of a PowerPoint 97-2003 presentation. Containers are entered, other records skipped. */
export function collectPowerPointText(document: Buffer, body: BodyText): void {
  for (let at = 0; at + 8 <= document.length; ) {
    const container = ((document[at] as number) & 0x0f) === 0x0f;
    const type = document.readUInt16LE(at + 2);
    const length = document.readUInt32LE(at + 4);
    at += 8;
    if (container) continue;
    if (type === TEXT_CHARS || type === STRING) body.add(clean(document.toString('utf16le', at, Math.min(at + length, document.length))));
    else if (type === TEXT_BYTES) body.add(clean(document.toString('latin1', at, Math.min(at + length, document.length))));
    if (type === TEXT_CHARS || type === TEXT_BYTES || type === STRING) body.break();
    if (body.full()) {
      body.markTruncated();
      return;
    }
    at += length;
  }
}

function clean(text: string): string {
  return text.replace(/[\r\u000b]/g, '\n').replace(/[\u0000-\u0008\u000e-\u001f]/g, '');
}

export interface ExcelFacts {
  sheets: string[];
  encrypted: boolean;
}

const MAX_SHEETS = 1000;

/** Collects sheet names, cell labels and shared strings of an Excel 97-2003 workbook. */
export function collectExcelText(book: Buffer, body: BodyText): ExcelFacts {
  const facts: ExcelFacts = { sheets: [], encrypted: false };
  const strings: Buffer[] = [];
  let inStrings = false;
  for (let at = 0; at + 4 <= book.length; ) {
    const type = book.readUInt16LE(at);
    const length = book.readUInt16LE(at + 2);
    const record = book.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    if (type === 0x2f) {
      facts.encrypted = true;
      return facts;
    }
    if (type === 0x85 && record.length > 8 && facts.sheets.length < MAX_SHEETS) facts.sheets.push(shortText(record.subarray(6)));
    else if (type === 0xfc || (type === 0x3c && inStrings)) strings.push(record);
    else if (type === 0x204 && record.length > 8) {
      body.add(longText(record.subarray(6)));
      body.break();
    }
    inStrings = type === 0xfc || (type === 0x3c && inStrings);
    if (body.full()) break;
  }
  for (const name of facts.sheets) {
    body.add(name);
    body.break();
  }
  readSharedTexts(strings, body);
  return facts;
}

function shortText(bytes: Buffer): string {
  const length = bytes[0] as number;
  return bytes[1] === 0 ? bytes.toString('latin1', 2, 2 + length) : bytes.toString('utf16le', 2, 2 + length * 2);
}

function longText(bytes: Buffer): string {
  if (bytes.length < 3) return '';
  const length = bytes.readUInt16LE(0);
  return (bytes[2] as number) & 1 ? bytes.toString('utf16le', 3, 3 + length * 2) : bytes.toString('latin1', 3, 3 + length);
}

/** A string can continue in the next record, which then begins with a byte that states the character width. */
function readSharedTexts(records: readonly Buffer[], body: BodyText): void {
  let recordIndex = 0;
  let at = 8;
  const currentRecord = (): Buffer | undefined => records[recordIndex];
  while (currentRecord() !== undefined && !body.full()) {
    const record = currentRecord() as Buffer;
    if (at + 3 > record.length) {
      recordIndex += 1;
      at = 0;
      continue;
    }
    let left = record.readUInt16LE(at);
    const flags = record[at + 2] as number;
    at += 3;
    let formattingRuns = 0;
    let extra = 0;
    if (flags & 8 && at + 2 <= record.length) {
      formattingRuns = record.readUInt16LE(at);
      at += 2;
    }
    if (flags & 4 && at + 4 <= record.length) {
      extra = record.readUInt32LE(at);
      at += 4;
    }
    let wide = (flags & 1) !== 0;
    let text = '';
    for (let part: Buffer | undefined = record; part !== undefined && left > 0; part = currentRecord()) {
      const available = Math.floor((part.length - at) / (wide ? 2 : 1));
      const taken = Math.min(left, Math.max(0, available));
      text += wide ? part.toString('utf16le', at, at + taken * 2) : part.toString('latin1', at, at + taken);
      at += taken * (wide ? 2 : 1);
      left -= taken;
      if (left > 0) {
        recordIndex += 1;
        wide = ((currentRecord()?.[0] ?? 0) & 1) !== 0;
        at = 1;
      }
    }
    body.add(text);
    body.break(' ');
    at += formattingRuns * 4 + extra;
    while (currentRecord() !== undefined && at >= (currentRecord() as Buffer).length) {
      at -= (currentRecord() as Buffer).length;
      recordIndex += 1;
    }
  }
  if (body.full() && currentRecord() !== undefined) body.markTruncated();
}
