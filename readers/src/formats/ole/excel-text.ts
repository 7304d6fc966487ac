/** Sheet names and cell texts of an Excel 97-2003 workbook: records of a type and a length, the shared texts in one long table. */
import type { BodyText } from '../../body-text.ts';

export interface ExcelFacts {
  sheets: string[];
  encrypted: boolean;
}

const MAX_SHEETS = 1000;

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

/** A text may run on into the next record, which then begins with a byte that says how wide its characters are. */
function readSharedTexts(records: readonly Buffer[], body: BodyText): void {
  let which = 0;
  let at = 8;
  const here = (): Buffer | undefined => records[which];
  while (here() !== undefined && !body.full()) {
    const record = here() as Buffer;
    if (at + 3 > record.length) {
      which += 1;
      at = 0;
      continue;
    }
    let left = record.readUInt16LE(at);
    const flags = record[at + 2] as number;
    at += 3;
    let runs = 0;
    let extra = 0;
    if (flags & 8 && at + 2 <= record.length) {
      runs = record.readUInt16LE(at);
      at += 2;
    }
    if (flags & 4 && at + 4 <= record.length) {
      extra = record.readUInt32LE(at);
      at += 4;
    }
    let wide = (flags & 1) !== 0;
    let text = '';
    for (let part: Buffer | undefined = record; part !== undefined && left > 0; part = here()) {
      const room = Math.floor((part.length - at) / (wide ? 2 : 1));
      const take = Math.min(left, Math.max(0, room));
      text += wide ? part.toString('utf16le', at, at + take * 2) : part.toString('latin1', at, at + take);
      at += take * (wide ? 2 : 1);
      left -= take;
      if (left > 0) {
        which += 1;
        wide = ((here()?.[0] ?? 0) & 1) !== 0;
        at = 1;
      }
    }
    body.add(text);
    body.break(' ');
    at += runs * 4 + extra;
    while (here() !== undefined && at >= (here() as Buffer).length) {
      at -= (here() as Buffer).length;
      which += 1;
    }
  }
  if (body.full() && here() !== undefined) body.leaveOut();
}
