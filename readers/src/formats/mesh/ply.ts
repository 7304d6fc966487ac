// biome-ignore-all lint/style/noNonNullAssertion: columns are indexes of existing properties, and the length of a row is checked after it is read.
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { textLines } from '../text/text-file.ts';
import { createBounds, createPointList, type MeshFacts, type TriangleVisitor, visitPolygon } from './mesh.ts';

/** The values of one element: a number per scalar property, an array per list property. */
type Row = (number | number[])[];

const maxCorners = 100_000;

interface Sink {
  point(x: number, y: number, z: number): void;
  face(corners: readonly number[]): void;
}

/** PLY in all three encodings. Polygons are counted as triangle fans. */
export function readPly(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const header = readPlyHeader(file);
  const bounds = createBounds();
  const points = createPointList();
  let triangles = 0;
  let vertices = 0;
  const sink: Sink = {
    point(x, y, z) {
      bounds.add(x, y, z);
      if (visit) points.add(x, y, z);
      vertices++;
    },
    face(corners) {
      triangles += Math.max(0, corners.length - 2);
      if (visit && corners.length > 2) visitPolygon(points, corners, visit);
    },
  };
  if (header.encoding === 'ascii') readAscii(file, header, sink);
  else readBinary(file, header, sink);
  const generator = header.comments[0]?.slice(0, 200);
  return { format: 'ply', triangles, vertices, meshes: 1, bounds, ...(generator ? { generator } : {}) };
}

const truncatedModel = (): ExtractError => new ExtractError('corrupt', 'The model ends before all declared points and faces.');

/** Indexes of the properties that are used: the coordinates, or the list of corners. */
function usedColumns(element: PlyElement): { xyz?: [number, number, number]; list?: number } {
  const names = element.properties.map((property) => property.name);
  const xyz = ['x', 'y', 'z'].map((name) => names.indexOf(name)) as [number, number, number];
  const list = element.properties.findIndex((property) => property.list !== undefined && /^vertex_ind(ex|ices)$/.test(property.name));
  if (element.name === 'vertex' && xyz.every((index) => index >= 0 && !element.properties[index]!.list)) return { xyz };
  return element.name === 'face' && list >= 0 ? { list } : {};
}

function readAscii(file: FileBytes, header: PlyHeader, sink: Sink): void {
  const lines = textLines(file, header.bodyOffset);
  for (const element of header.elements) {
    const { xyz, list } = usedColumns(element);
    for (let i = 0; i < element.count; i++) {
      const row = asciiRow(element, nextLine(lines));
      if (xyz) sink.point(row[xyz[0]] as number, row[xyz[1]] as number, row[xyz[2]] as number);
      else if (list !== undefined) sink.face(row[list] as number[]);
    }
  }
}

function nextLine(lines: Generator<string>): string {
  for (;;) {
    const { value, done } = lines.next();
    if (done) throw truncatedModel();
    const line = value.trim();
    if (line !== '') return line;
  }
}

function asciiRow(element: PlyElement, line: string): Row {
  const words = line.split(/\s+/).map(Number);
  const row: Row = [];
  let at = 0;
  for (const property of element.properties) {
    if (property.list === undefined) row.push(words[at++]!);
    else {
      const length = words[at++]!;
      row.push(words.slice(at, at + length));
      at += length;
    }
  }
  if (!(at <= words.length)) throw new ExtractError('corrupt', 'A line of the model is damaged.');
  return row;
}

function readBinary(file: FileBytes, header: PlyHeader, sink: Sink): void {
  const window = createWindow(file, header.bodyOffset, header.encoding === 'binary_little_endian');
  for (const element of header.elements) {
    const { xyz, list } = usedColumns(element);
    const types = element.properties.map((property) => property.type);
    if (element.properties.every((property) => property.list === undefined)) {
      const offsets = types.map((_, index) => types.slice(0, index).reduce((sum, type) => sum + plySize[type], 0));
      const stride = types.reduce((sum, type) => sum + plySize[type], 0);
      for (let i = 0; i < element.count; i++) {
        const at = window.take(stride);
        if (xyz)
          sink.point(
            window.at(at + offsets[xyz[0]]!, types[xyz[0]]!),
            window.at(at + offsets[xyz[1]]!, types[xyz[1]]!),
            window.at(at + offsets[xyz[2]]!, types[xyz[2]]!),
          );
      }
      continue;
    }
    const corners: number[] = [];
    for (let i = 0; i < element.count; i++) {
      element.properties.forEach((property, index) => {
        if (property.list === undefined) {
          window.take(plySize[property.type]);
          return;
        }
        const length = window.at(window.take(plySize[property.list]), property.list);
        if (!(length >= 0 && length <= maxCorners))
          throw new ExtractError('corrupt', 'A face of the model has an impossible number of corners.');
        const width = plySize[property.type];
        const start = window.take(length * width);
        if (index !== list) return;
        corners.length = 0;
        for (let c = 0; c < length; c++) corners.push(window.at(start + c * width, property.type));
        sink.face(corners);
      });
    }
  }
}

/** Reads the file one megabyte at a time. `take` ensures that `length` bytes are available and returns their position in the buffer. */
function createWindow(file: FileBytes, from: number, little: boolean) {
  let offset = from;
  let at = 0;
  let bytes = file.read(offset, 1 << 20);
  let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    take(length: number): number {
      if (at + length > bytes.length) {
        offset += at;
        at = 0;
        bytes = file.read(offset, Math.max(length, 1 << 20));
        view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        if (bytes.length < length) throw truncatedModel();
      }
      at += length;
      return at - length;
    },
    at: (position: number, type: PlyNumber): number => readPlyNumber(view, position, type, little),
  };
}

function readPlyNumber(view: DataView, position: number, type: PlyNumber, little: boolean): number {
  switch (type) {
    case 'f4':
      return view.getFloat32(position, little);
    case 'u1':
      return view.getUint8(position);
    case 'i4':
      return view.getInt32(position, little);
    case 'u4':
      return view.getUint32(position, little);
    case 'f8':
      return view.getFloat64(position, little);
    case 'i1':
      return view.getInt8(position);
    case 'i2':
      return view.getInt16(position, little);
    case 'u2':
      return view.getUint16(position, little);
  }
}

type PlyEncoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';
type PlyNumber = 'i1' | 'u1' | 'i2' | 'u2' | 'i4' | 'u4' | 'f4' | 'f8';

interface PlyProperty {
  name: string;
  type: PlyNumber;
  /** Type of the length field, for lists. */
  list?: PlyNumber;
}

interface PlyElement {
  name: string;
  count: number;
  properties: PlyProperty[];
}

interface PlyHeader {
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
const plySize: Record<PlyNumber, number> = { i1: 1, u1: 1, i2: 2, u2: 2, i4: 4, u4: 4, f4: 4, f8: 8 };

/** The minimum size of one element: two characters per property in text, the fixed part in binary. */
function minimumBytes(element: PlyElement, encoding: PlyEncoding): number {
  return element.properties.reduce((sum, property) => sum + (encoding === 'ascii' ? 2 : plySize[property.list ?? property.type]), 0);
}

function readPlyHeader(file: FileBytes): PlyHeader {
  const text = file.read(0, 65_536).toString('latin1');
  const end = /(^|\n)end_header\r?\n/.exec(text);
  if (!/^ply\r?\n/.test(text) || !end) throw new ExtractError('corrupt', 'The model has no valid header.');
  const header: PlyHeader = { encoding: 'ascii', elements: [], bodyOffset: end.index + end[0].length, comments: [] };
  for (const line of text.slice(0, end.index).split(/\r?\n/)) readHeaderLine(line, header);
  let least = 0;
  for (const element of header.elements) least += element.count * minimumBytes(element, header.encoding);
  if (least > file.size - header.bodyOffset + 2)
    throw new ExtractError('corrupt', 'The model declares more points and faces than the file contains.');
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
