import type { BodyText } from '../../body-text.ts';
import { charsetDecoder } from '../../input/charset.ts';

const maxCells = 1_000_000;
const records = { strings: 0x407, sheet: 0x601, cells: 0xc01, formulaText: 0xc02 } as const;

export interface QuattroNotebook {
  sheets: string[];
  cells: number;
}

/**
 * Collects sheet names, texts and numbers of a notebook of Quattro Pro 9 and later: a list of typed records with a length. The texts are in
 * one list, and each column has its cells in one record.
 */
export function collectQuattroNotebook(bytes: Buffer, body: BodyText): QuattroNotebook {
  const decoder = charsetDecoder('windows-1252');
  const decode = (text: Buffer): string => decoder?.decode(text) ?? '';
  const found: QuattroNotebook = { sheets: [], cells: 0 };
  let strings: string[] = [];
  const add = (text: string, separator = ' '): void => {
    if (text === '') return;
    body.add(text);
    body.break(separator);
  };
  for (let at = 0; at + 4 <= bytes.length && found.cells < maxCells && !body.full(); ) {
    const type = bytes.readUInt16LE(at);
    const length = bytes.readUInt16LE(at + 2);
    const record = bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
    if (type === records.strings) strings = readStrings(record, decode);
    else if (type === records.sheet) {
      const name = decode(textAt(record, 18));
      body.break();
      if (name !== '') found.sheets.push(name);
      add(name, '\n');
    } else if (type === records.formulaText) {
      found.cells += 1;
      add(decode(textAt(record, 6)));
    } else if (type === records.cells) {
      for (const value of cellValues(record)) {
        found.cells += 1;
        add(value.string === undefined ? String(Number(value.number.toPrecision(12))) : (strings[value.string - 1] ?? ''));
      }
      body.break();
    }
  }
  if (body.full()) body.markTruncated();
  return found;
}

/** A text has its length, a byte for its kind, and a final zero. */
function textAt(record: Buffer, at: number): Buffer {
  return record.length < at + 3 ? Buffer.alloc(0) : record.subarray(at + 3, at + 3 + record.readUInt16LE(at));
}

function readStrings(record: Buffer, decode: (text: Buffer) => string): string[] {
  const strings: string[] = [];
  for (let at = 12; at + 3 <= record.length; at += 4 + record.readUInt16LE(at)) strings.push(decode(textAt(record, at)));
  return strings;
}

type CellValue = { number: number; string?: undefined } | { string: number };

const [isRepeated, isSeries, hasFormat] = [0x40, 0x20, 0x80];

/**
 * The cells of a column from top to bottom. The first byte of a cell has its type and says whether a format, a number of equal cells, or
 * a series with its step follows.
 */
function* cellValues(record: Buffer): Generator<CellValue> {
  let at = 8;
  const has = (bytes: number): boolean => at + bytes <= record.length;
  while (has(1)) {
    const head = record[at++] as number;
    const type = head & 0x1f;
    if (head & hasFormat) at += 2;
    let count = 1;
    if (head & isRepeated) {
      if (!has(2)) return;
      count = record.readUInt16LE(at);
      at += 2;
    }
    if (type === 1) continue;
    const size = type === 2 || type === 3 ? 2 : type === 7 ? 4 : type === 5 ? 8 : type === 8 ? 14 : 0;
    if (size === 0) return;
    if (head & isSeries) {
      if (size !== 2 || !has(4)) return;
      const [start, step] = [readShort(record, at, type), record.readInt16LE(at + 2)];
      at += 4;
      for (let n = 0; n < count; n++) yield { number: start + n * step };
      continue;
    }
    for (let n = 0; n < count && has(size); n++, at += size) {
      if (type === 7) yield { string: record.readUInt32LE(at) };
      else {
        const number = size === 2 ? readShort(record, at, type) : record.readDoubleLE(at);
        // The result of a formula that is a text follows in a record of its own.
        if (Number.isFinite(number)) yield { number };
      }
    }
  }
}

const readShort = (record: Buffer, at: number, type: number): number => (type === 3 ? record.readInt16LE(at) : record.readUInt16LE(at));
