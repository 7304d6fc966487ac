/** Documents of Pages, Numbers and Keynote. */
import { makeZip } from './archives.ts';
import { u16le, u32le } from './sample.ts';

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
};
const field = (number: number, content: Buffer | string): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
};
const numberField = (number: number, value: number): Buffer => Buffer.concat([varint(number * 8), varint(value)]);
const reference = (id: number): Buffer => numberField(1, id);

/** A part of an iWork document whose text is repeated, so that the compressed data contains a back reference. */
export function makeIwa(words: string): Buffer {
  const once = Buffer.from(`${words} `);
  const plain = object(7, 2001, Buffer.concat([numberField(1, 0), field(3, Buffer.concat([once, once]))]));
  const first = plain.subarray(0, plain.length - once.length);
  const copies: Buffer[] = [];
  for (let left = once.length; left > 0; left -= 64) copies.push(Buffer.from([((Math.min(64, left) - 1) << 2) | 2]), u16le(once.length));
  return block(Buffer.concat([varint(plain.length), Buffer.from([60 << 2, first.length - 1]), first, ...copies]));
}

function block(packed: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0]), u32le(packed.length).subarray(0, 3), packed]);
}

function object(id: number, type: number, data: Buffer): Buffer {
  const info = Buffer.concat([numberField(1, type), numberField(3, data.length)]);
  const header = Buffer.concat([numberField(1, id), field(2, info)]);
  return Buffer.concat([varint(header.length), header, data]);
}

/** Objects without compression. */
export function makeArchive(...objects: [id: number, type: number, data: Buffer][]): Buffer {
  const plain = Buffer.concat(objects.map(([id, type, data]) => object(id, type, data)));
  return block(Buffer.concat([varint(plain.length), Buffer.from([61 << 2]), u16le(plain.length - 1), plain]));
}

/** A cell with a value, as programs write it since 2017 (`5`) and before (`4`). */
export function makeCell(version: 4 | 5, type: number, flags: number, ...values: Buffer[]): Buffer {
  const head = Buffer.alloc(12);
  head[0] = version;
  head[1] = type;
  head.writeUInt32LE(flags, version === 5 ? 8 : 4);
  return Buffer.concat([head, ...values]);
}

export const doubleLe = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
};

/** A decimal number of 128 bits. */
export function makeDecimal(digits: number, exponent: number): Buffer {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntLE(Math.abs(digits), 0, 6);
  const biased = exponent + 0x1820;
  bytes[14] = (biased & 0x7f) << 1;
  bytes[15] = ((biased >> 7) & 0x7f) | (digits < 0 ? 0x80 : 0);
  return bytes;
}

const row = (cells: readonly Buffer[], wide: boolean): Buffer => {
  let at = 0;
  const offsets = cells.map((cell) => {
    const offset = wide ? at / 4 : at;
    at += cell.length;
    return u16le(offset);
  });
  const [cellsField, offsetsField] = cells[0]?.[0] === 5 ? [6, 7] : [3, 4];
  return Buffer.concat([
    numberField(1, 0),
    field(cellsField, Buffer.concat(cells)),
    field(offsetsField, Buffer.concat([u16le(0xffff), ...offsets])),
    ...(wide ? [numberField(8, 1)] : []),
  ]);
};

/** A table with its texts in a list, the last of them in a segment of the list. */
export function makeTableParts(name: string, texts: readonly string[], rows: readonly Buffer[][], wide = false) {
  const entries = texts.map((text, at) => field(3, Buffer.concat([numberField(1, at + 1), numberField(2, 1), field(3, text)])));
  const store = Buffer.concat([field(3, field(1, Buffer.concat([numberField(1, 0), field(2, reference(42))]))), field(4, reference(43))]);
  return [
    { name: 'Index/CalculationEngine.iwa', data: makeArchive([41, 6001, Buffer.concat([field(4, store), field(8, name)])]) },
    { name: 'Index/Tables/Tile.iwa', data: makeArchive([42, 6002, Buffer.concat(rows.map((cells) => field(5, row(cells, wide))))]) },
    {
      name: 'Index/Tables/DataList.iwa',
      data: makeArchive(
        [43, 6005, Buffer.concat([numberField(1, 1), ...entries.slice(0, -1), field(4, reference(44))])],
        [44, 6011, Buffer.concat([numberField(1, 1), ...entries.slice(-1)])],
      ),
    },
  ];
}

export const makeSheetObject = (name: string): Buffer => makeArchive([5, 2, field(1, name)]);
export const makeCommentObject = (text: string): Buffer => makeArchive([6, 3056, field(1, text)]);

/** A spreadsheet with one row: a text, a number and a date. */
export function makeNumbers(): Buffer {
  const cells = [makeCell(5, 3, 8, u32le(1)), makeCell(5, 2, 1, makeDecimal(-87_240, -2)), makeCell(5, 5, 4, doubleLe(276_048_000))];
  return makeZip([
    { name: 'Index/Document.iwa', data: makeSheetObject('Quarter') },
    ...makeTableParts('Total costs', ['Harbour dues', 'Crew'], [cells, [makeCell(5, 3, 8, u32le(2))]], true),
  ]);
}
