import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../reading/file-bytes.ts';
import { createBounds, createPointList, type MeshFacts, type TriangleVisitor, visitPolygon } from './mesh.ts';
import { type PlyElement, type PlyHeader, type PlyNumber, plySize, readPlyHeader } from './ply-header.ts';
import { textLines } from './text-lines.ts';

/** Takes the numbers of one element: one per plain property, one array per list. */
type Row = (number | number[])[];

const maxCorners = 100_000;

/** PLY in all three encodings: points, and polygons counted as the triangles of their fans. */
export function readPly(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const header = readPlyHeader(file);
  const bounds = createBounds();
  const points = createPointList();
  const rows = header.encoding === 'ascii' ? asciiRows(file, header) : binaryRows(file, header);
  let triangles = 0;
  let vertices = 0;
  for (const element of header.elements) {
    const names = element.properties.map((property) => property.name);
    const [x, y, z] = ['x', 'y', 'z'].map((name) => names.indexOf(name)) as [number, number, number];
    const list = names.findIndex((name) => /^vertex_ind(ex|ices)$/.test(name));
    for (let i = 0; i < element.count; i++) {
      const row = rows.next().value as Row;
      if (element.name === 'vertex' && x >= 0 && y >= 0 && z >= 0) {
        bounds.add(row[x] as number, row[y] as number, row[z] as number);
        if (visit) points.add(row[x] as number, row[y] as number, row[z] as number);
        vertices++;
      } else if (element.name === 'face' && list >= 0) {
        const corners = row[list] as number[];
        triangles += Math.max(0, corners.length - 2);
        if (visit && corners.length > 2) visitPolygon(points, corners, visit);
      }
    }
  }
  const generator = header.comments[0]?.slice(0, 200);
  return { format: 'ply', triangles, vertices, meshes: 1, bounds, ...(generator ? { generator } : {}) };
}

const ended = (): ExtractError => new ExtractError('corrupt', 'The model ends before its stated points and faces.');

function* asciiRows(file: FileBytes, header: PlyHeader): Generator<Row, never> {
  const lines = textLines(file, header.bodyOffset);
  for (const element of header.elements) {
    for (let i = 0; i < element.count; i++) yield asciiRow(element, nextLine(lines));
  }
  throw ended();
}

function nextLine(lines: Generator<string>): string {
  for (;;) {
    const { value, done } = lines.next();
    if (done) throw ended();
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

function* binaryRows(file: FileBytes, header: PlyHeader): Generator<Row, never> {
  const little = header.encoding === 'binary_little_endian';
  const window = createWindow(file, header.bodyOffset);
  for (const element of header.elements) {
    const row: Row = new Array(element.properties.length).fill(0);
    for (let i = 0; i < element.count; i++) {
      element.properties.forEach((property, index) => {
        if (property.list === undefined) {
          row[index] = window.number(property.type, little);
          return;
        }
        const length = window.number(property.list, little);
        if (!(length >= 0 && length <= maxCorners))
          throw new ExtractError('corrupt', 'A face of the model has an impossible number of corners.');
        const corners: number[] = [];
        for (let c = 0; c < length; c++) corners.push(window.number(property.type, little));
        row[index] = corners;
      });
      yield row;
    }
  }
  throw ended();
}

/** Numbers read one after another from a file, a megabyte at a time. */
function createWindow(file: FileBytes, from: number) {
  let offset = from;
  let at = 0;
  let bytes = file.read(offset, 1 << 20);
  let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return {
    number(type: PlyNumber, little: boolean): number {
      if (at + plySize[type] > bytes.length) {
        offset += at;
        at = 0;
        bytes = file.read(offset, 1 << 20);
        view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
        if (bytes.length < plySize[type]) throw ended();
      }
      const here = at;
      at += plySize[type];
      switch (type) {
        case 'f4':
          return view.getFloat32(here, little);
        case 'u1':
          return view.getUint8(here);
        case 'i4':
          return view.getInt32(here, little);
        case 'u4':
          return view.getUint32(here, little);
        case 'f8':
          return view.getFloat64(here, little);
        case 'i1':
          return view.getInt8(here);
        case 'i2':
          return view.getInt16(here, little);
        case 'u2':
          return view.getUint16(here, little);
      }
    },
  };
}
