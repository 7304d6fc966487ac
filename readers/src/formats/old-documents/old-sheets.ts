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
}
const lotus: Product = { name: 'Lotus 1-2-3', page: 'cp850', labels: { 15: 5, 51: 4 }, numbers: { 14: 5, 16: 5 }, integer: 5 };
const lotus3: Product = { name: 'Lotus 1-2-3', page: 'windows-1252', labels: { 22: 4, 26: 4 }, numbers: { 39: 4 } };
const quattro: Product = { name: 'Quattro Pro', page: 'windows-1252', labels: { 15: 6, 51: 6 }, numbers: { 14: 6, 16: 6 }, integer: 6 };

/** The first record holds the version. Both makers use the same numbers, but Lotus writes a longer record since version 3. */
function findProduct(bytes: Buffer): Product | undefined {
  if (bytes.length < 6 || bytes.readUInt16LE(0) !== 0) return undefined;
  const version = bytes.readUInt16LE(4);
  if (version >= 0x404 && version <= 0x406) return lotus;
  if (version === 0x1400 || version === 0x1401 || version === 0x5120) return { ...lotus, name: 'Quattro Pro' };
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
      const end = data.indexOf(0, labelAt);
      // A label begins with its alignment.
      text = (decoder?.decode(data.subarray(labelAt, end === -1 ? undefined : end)) ?? '').replace(/^['"^\\|]/, '');
    } else if (numberAt !== undefined && data.length >= numberAt + 8) text = numberText(data.readDoubleLE(numberAt));
    else if (type === 13 && product.integer !== undefined && data.length >= product.integer + 2)
      text = String(data.readInt16LE(product.integer));
    if (text.trim() === '') continue;
    cells += 1;
    body.add(text);
    body.break(' ');
    if (body.full()) break;
  }
  return { name: product.name, cells };
}

const numberText = (value: number): string => (Number.isFinite(value) ? String(Number(value.toPrecision(12))) : '');
