/** Tables of Pages, Numbers and Keynote since 2013: names, and the cells of each row in order. */
import type { BodyText } from '../../body-text.ts';
import { bytesOf, fieldsOf, type IworkMessage, referenceOf } from './iwork-archive.ts';

const types = { table: 6001, tile: 6002, list: 6005, listSegment: 6011 } as const;
const tableTypes = new Set<number>(Object.values(types));
const stringList = 1;
/** Bytes of tables that are kept until the last part is read, because a table refers to its cells by number. */
const keptMax = 128 * 1024 * 1024;

export interface TableCollector {
  /** Keeps the message if it belongs to a table. */
  add(message: IworkMessage): void;
  count(): number;
  /** Writes the names and cells of all tables. */
  write(body: BodyText): void;
}

export function createTableCollector(): TableCollector {
  const kept = new Map<number, IworkMessage>();
  let bytes = 0;
  let full = false;
  const tables = () => [...kept.values()].filter(({ type }) => type === types.table);
  return {
    add(message) {
      if (!tableTypes.has(message.type)) return;
      if (bytes + message.data.length > keptMax) {
        full = true;
        return;
      }
      bytes += message.data.length;
      kept.set(message.id, { ...message, data: Buffer.from(message.data) });
    },
    count: () => tables().length,
    write(body) {
      for (const { data } of tables()) writeTable(data, kept, body);
      if (full) body.markTruncated();
    },
  };
}

function writeTable(table: Buffer, kept: ReadonlyMap<number, IworkMessage>, body: BodyText): void {
  const store = bytesOf(table, 4);
  if (store === undefined) return;
  body.add(bytesOf(table, 8)?.toString('utf8') ?? '');
  body.break();
  const strings = readStrings(referenceOf(bytesOf(store, 4)), kept);
  for (const { field, bytes } of fieldsOf(bytesOf(store, 3) ?? Buffer.alloc(0))) {
    if (field !== 1 || bytes === undefined) continue;
    const tile = kept.get(referenceOf(bytesOf(bytes, 2)) ?? -1);
    if (tile?.type !== types.tile) continue;
    for (const row of fieldsOf(tile.data)) {
      if (row.field !== 5 || row.bytes === undefined) continue;
      for (const cell of cellsOf(row.bytes)) {
        body.add(cellText(cell, strings));
        body.break(' ');
      }
      body.break();
      if (body.full()) return;
    }
  }
}

/** The texts of a table by their key. Long lists are divided into segments. */
function readStrings(id: number | undefined, kept: ReadonlyMap<number, IworkMessage>): Map<number, string> {
  const strings = new Map<number, string>();
  const list = kept.get(id ?? -1);
  if (list === undefined) return strings;
  const read = ({ data, type }: IworkMessage): void => {
    for (const { field, number, bytes } of fieldsOf(data)) {
      if (field === 1 && number !== undefined && number !== stringList) return;
      if (field === 4 && bytes !== undefined && type === types.list) {
        const segment = kept.get(referenceOf(bytes) ?? -1);
        if (segment?.type === types.listSegment) read(segment);
      }
      if (field !== 3 || bytes === undefined) continue;
      const key = referenceOf(bytes);
      const text = bytesOf(bytes, 3);
      if (key !== undefined && text !== undefined) strings.set(key, text.toString('utf8'));
    }
  };
  read(list);
  return strings;
}

/** The cells of a row: a buffer and the offset of each column's cell in it. Rows of before 2017 have an older pair only. */
function* cellsOf(row: Buffer): Generator<Buffer> {
  const fields = new Map([...fieldsOf(row)].map((entry) => [entry.field, entry]));
  const current = fields.get(6)?.bytes;
  const isCurrent = current !== undefined && current.length > 0;
  const cells = isCurrent ? current : fields.get(3)?.bytes;
  const offsets = isCurrent ? fields.get(7)?.bytes : fields.get(4)?.bytes;
  if (cells === undefined || offsets === undefined) return;
  const unit = isCurrent && fields.get(8)?.number === 1 ? 4 : 1;
  for (let at = 0; at + 2 <= offsets.length; at += 2) {
    const offset = offsets.readUInt16LE(at);
    if (offset !== 0xffff && offset * unit < cells.length) yield cells.subarray(offset * unit);
  }
}

const flags5 = { decimal: 1, double: 2, seconds: 4, text: 8 } as const;
const [typeText, typeDate, typeBoolean, typeDuration] = [3, 5, 6, 7];

function cellText(cell: Buffer, strings: ReadonlyMap<number, string>): string {
  if (cell.length < 12) return '';
  return cell[0] === 5 ? currentCellText(cell, strings) : olderCellText(cell, strings);
}

/** A cell states which values it has; each follows in a fixed order. */
function currentCellText(cell: Buffer, strings: ReadonlyMap<number, string>): string {
  const type = cell[1] as number;
  const flags = cell.readUInt32LE(8);
  let at = 12;
  let number: number | undefined;
  if (flags & flags5.decimal) {
    if (cell.length < at + 16) return '';
    number = readDecimal(cell.subarray(at, at + 16));
    at += 16;
  }
  for (const flag of [flags5.double, flags5.seconds]) {
    if ((flags & flag) === 0) continue;
    if (cell.length < at + 8) return '';
    const value = cell.readDoubleLE(at);
    at += 8;
    if (flag === flags5.seconds) return dateText(value);
    number = value;
  }
  if (type === typeText && flags & flags5.text && cell.length >= at + 4) return strings.get(cell.readUInt32LE(at)) ?? '';
  return valueText(type, number);
}

/** Cells of before 2017: references to formats come first, then the text's key, the number and the date. */
function olderCellText(cell: Buffer, strings: ReadonlyMap<number, string>): string {
  const version = cell[0] as number;
  const type = (cell[1] || cell[2]) as number;
  const flags = cell.readUInt32LE(4);
  let at = 12 + 4 * bitsIn(flags & (version > 1 ? 0x0d8e : 0x018e));
  // The key of a text with formats; such texts are objects of their own.
  if (flags & 0x0200) at += 4;
  if (flags & 0x1000) at += 4;
  if (flags & 0x0010) {
    if (cell.length < at + 4) return '';
    const text = strings.get(cell.readUInt32LE(at)) ?? '';
    if (type === typeText) return text;
    at += 4;
  }
  let number: number | undefined;
  if (flags & 0x0020) {
    if (cell.length < at + 8) return '';
    number = cell.readDoubleLE(at);
    at += 8;
  }
  if (flags & 0x0040 && cell.length >= at + 8) return dateText(cell.readDoubleLE(at));
  return valueText(type, number);
}

function valueText(type: number, number: number | undefined): string {
  if (number === undefined || !Number.isFinite(number)) return '';
  if (type === typeBoolean) return number === 0 ? 'FALSE' : 'TRUE';
  // A duration is shown in units that only its format states.
  return type === typeDuration || type === typeDate ? '' : String(Number(number.toPrecision(15)));
}

function bitsIn(flags: number): number {
  let count = 0;
  for (let rest = flags; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** A decimal number of 128 bits: sign, exponent and 113 bits of digits. */
function readDecimal(bytes: Buffer): number {
  const high = bytes[15] as number;
  const exponent = (((high & 0x7f) << 7) | ((bytes[14] as number) >> 1)) - 0x1820;
  let digits = (bytes[14] as number) & 1;
  for (let n = 13; n >= 0; n--) digits = digits * 256 + (bytes[n] as number);
  // A power below one is not exact, so it is divided by.
  const value = exponent < 0 ? digits / 10 ** -exponent : digits * 10 ** exponent;
  return high & 0x80 ? -value : value;
}

/** Dates of Apple's programs count seconds since 2001. */
export function dateText(seconds: number): string {
  const date = new Date(Date.UTC(2001, 0, 1) + seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const iso = date.toISOString();
  return iso.slice(11, 16) === '00:00' ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}
