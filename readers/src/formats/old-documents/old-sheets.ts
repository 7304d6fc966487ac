import type { BodyText } from '../../body-text.ts';
import { ExtractError } from '../../contract.ts';
import { charsetDecoder } from '../../input/charset.ts';

const maxCells = 1_000_000;

interface Product {
  name: string;
  page: string;
  /** Where the text begins in the records that hold one, by type. */
  labels: Record<number, number>;
  /** Where the floating-point number begins, by type. */
  numbers: Record<number, number>;
  /** Where the whole number begins in records of type 13. */
  integer?: number;
  /** Texts are stored with their length in front instead of a zero behind. */
  counted?: boolean;
  /** Numbers in other encodings than a double, by type. */
  packed?: Record<number, (data: Buffer) => number>;
}
const lotus: Product = { name: 'Lotus 1-2-3', page: 'cp850', labels: { 15: 5, 51: 4 }, numbers: { 14: 5, 16: 5 }, integer: 5 };
const lotus3: Product = {
  name: 'Lotus 1-2-3',
  page: 'windows-1252',
  labels: { 22: 4, 26: 4 },
  numbers: { 39: 4, 40: 4 },
  packed: { 23: extendedNumber, 24: smallNumber, 25: extendedNumber, 37: scaledNumber },
};
// A byte for the alignment precedes the text, and can be zero.
const quattro: Product = { name: 'Quattro Pro', page: 'windows-1252', labels: { 15: 7, 51: 7 }, numbers: { 14: 6, 16: 6 }, integer: 6 };

const quattroDos: Product = {
  name: 'Quattro Pro',
  page: 'cp437',
  labels: { 15: 7, 51: 6 },
  numbers: { 14: 6, 16: 6 },
  integer: 6,
  counted: true,
};

/** The first record holds the version. Both makers use the same numbers, but Lotus writes a longer record since version 3. */
function findProduct(bytes: Buffer): Product | undefined {
  if (bytes.length < 6 || bytes.readUInt16LE(0) !== 0) return undefined;
  const version = bytes.readUInt16LE(4);
  if (version >= 0x404 && version <= 0x406) return lotus;
  if (version === 0x1400 || version === 0x1401 || version === 0x5120) return { ...lotus, name: 'Quattro Pro' };
  if (version === 0x5121) return quattroDos;
  if (version < 0x1000 || version > 0x1010) return undefined;
  return bytes.readUInt16LE(2) > 2 ? lotus3 : quattro;
}

interface OldSheet {
  name: string;
  cells: number;
}

/** Collects labels and numbers of Lotus 1-2-3 and Quattro Pro worksheets, which are lists of typed records with a length. */
export function collectSheetText(bytes: Buffer, body: BodyText): OldSheet {
  const product = findProduct(bytes);
  if (product === undefined) throw new ExtractError('corrupt', 'The file is not a known worksheet.');
  const decoder = charsetDecoder(product.page) ?? charsetDecoder('windows-1252');
  let cells = 0;
  for (let at = 0; at + 4 <= bytes.length && cells < maxCells; ) {
    const type = bytes.readUInt16LE(at);
    const data = bytes.subarray(at + 4, at + 4 + bytes.readUInt16LE(at + 2));
    at += 4 + bytes.readUInt16LE(at + 2);
    const labelAt = product.labels[type];
    const numberAt = product.numbers[type];
    let text = '';
    if (labelAt !== undefined) {
      const label = decoder?.decode(labelBytes(data, labelAt, product)) ?? '';
      // A label of Lotus begins with its alignment.
      text = product === quattro || product === quattroDos ? label : label.replace(/^['"^\\|]/, '');
    } else if (numberAt !== undefined && data.length >= numberAt + 8) text = numberText(data.readDoubleLE(numberAt));
    else if (type === 13 && product.integer !== undefined && data.length >= product.integer + 2)
      text = String(data.readInt16LE(product.integer));
    const packed = product.packed?.[type];
    if (packed !== undefined) text = numberText(packed(data));
    // Line breaks of Lotus are written with a control character before them.
    text = text.replace(/[\u0001\u000f](?=[\r\n])/g, '');
    if (text.trim() === '') continue;
    cells += 1;
    body.add(text);
    body.break(' ');
    if (body.full()) break;
  }
  return { name: product.name, cells };
}

function labelBytes(data: Buffer, at: number, { counted }: Product): Buffer {
  if (counted) return data.subarray(at + 1, at + 1 + (data[at] ?? 0));
  const end = data.indexOf(0, at);
  return data.subarray(at, end === -1 ? undefined : end);
}

const numberText = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(12))) : '');

/** A floating-point number of 80 bits. */
function extendedNumber(data: Buffer): number {
  if (data.length < 14) return Number.NaN;
  const head = data.readUInt16LE(12);
  const fraction = data.readUInt32LE(8) * 2 ** 32 + data.readUInt32LE(4);
  const exponent = head & 0x7fff;
  if (exponent === 0x7fff) return Number.NaN;
  const value = fraction * 2 ** (exponent - 16_383 - 63);
  return head & 0x8000 ? -value : value;
}

/** Factors of small numbers; a negative one divides. */
const factors = [5000, 500, -20, -200, -2000, -20_000, -16, -64];

/** A number of 16 bits: a whole number, or one of 12 bits with a factor. */
function smallNumber(data: Buffer): number {
  if (data.length < 6) return Number.NaN;
  const packed = data.readInt16LE(4);
  if ((packed & 1) === 0) return packed >> 1;
  const factor = factors[(packed >> 1) & 7] as number;
  return factor > 0 ? (packed >> 4) * factor : (packed >> 4) / -factor;
}

/** A number of 32 bits: 26 bits, a sign, and a power of ten. */
function scaledNumber(data: Buffer): number {
  if (data.length < 8) return Number.NaN;
  const packed = data.readUInt32LE(4);
  const value = (packed & 0x20 ? -1 : 1) * (packed >>> 6);
  return packed & 0x10 ? value / 10 ** (packed & 15) : value * 10 ** (packed & 15);
}
