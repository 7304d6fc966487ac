import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

export type PlyEncoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';
export type PlyNumber = 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8';

export interface PlyProperty {
  name: string;
  type: PlyNumber;
  /** Type of the length, for lists. */
  list?: PlyNumber;
}

export interface PlyElement {
  name: string;
  count: number;
  properties: PlyProperty[];
}

export interface PlyHeader {
  encoding: PlyEncoding;
  elements: PlyElement[];
  bodyOffset: number;
  comments: string[];
}

const numberTypes: Record<string, PlyNumber> = {
  char: 'i1',
  int8: 'i1',
  uchar: 'u1',
  uint8: 'u1',
  short: 'i2',
  int16: 'i2',
  ushort: 'u2',
  uint16: 'u2',
  int: 'i4',
  int32: 'i4',
  uint: 'u4',
  uint32: 'u4',
  float: 'f4',
  float32: 'f4',
  double: 'f8',
  float64: 'f8',
};
export const plySize: Record<PlyNumber, number> = { i1: 1, u1: 1, i2: 2, u2: 2, i4: 4, u4: 4, f4: 4, f8: 8 };

/** The fewest bytes one element can take: in text one digit and a space a property, in binary its fixed part. */
export function minimumBytes(element: PlyElement, encoding: PlyEncoding): number {
  return element.properties.reduce((sum, property) => sum + (encoding === 'ascii' ? 2 : plySize[property.list ?? property.type]), 0);
}

export function readPlyHeader(file: FileBytes): PlyHeader {
  const text = file.read(0, 65_536).toString('latin1');
  const end = /(^|\n)end_header\r?\n/.exec(text);
  if (!/^ply\r?\n/.test(text) || !end) throw new ExtractError('corrupt', 'The header of the model is missing.');
  const header: PlyHeader = { encoding: 'ascii', elements: [], bodyOffset: end.index + end[0].length, comments: [] };
  for (const line of text.slice(0, end.index).split(/\r?\n/)) readHeaderLine(line, header);
  let least = 0;
  for (const element of header.elements) least += element.count * minimumBytes(element, header.encoding);
  if (least > file.size - header.bodyOffset + 2)
    throw new ExtractError('corrupt', 'The model states more points and faces than the file holds.');
  return header;
}

function readHeaderLine(line: string, header: PlyHeader): void {
  const words = line.trim().split(/\s+/);
  const damaged = (): never => {
    throw new ExtractError('corrupt', 'The header of the model is damaged.');
  };
  if (words[0] === 'comment') header.comments.push(words.slice(1).join(' '));
  else if (words[0] === 'format') {
    if (!/^(ascii|binary_little_endian|binary_big_endian)$/.test(words[1] ?? '')) damaged();
    header.encoding = words[1] as PlyEncoding;
  } else if (words[0] === 'element') {
    const count = Number(words[2]);
    if (!Number.isSafeInteger(count) || count < 0) damaged();
    header.elements.push({ name: words[1] ?? '', count, properties: [] });
  } else if (words[0] === 'property') {
    const element = header.elements.at(-1) ?? damaged();
    const list = words[1] === 'list' ? (numberTypes[words[2] ?? ''] ?? damaged()) : undefined;
    const type = numberTypes[words[list ? 3 : 1] ?? ''] ?? damaged();
    element.properties.push({ name: words[list ? 4 : 2] ?? '', type, ...(list ? { list } : {}) });
  }
}
