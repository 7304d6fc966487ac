import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { textLines } from '../text/text-file.ts';
import { createBounds, createPointList, type MeshFacts, type TriangleVisitor, visitPolygon } from './mesh.ts';

/** Object File Format (text): signature, three counts, points, polygons. */
export function readOff(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const lines = significantLines(file);
  const damaged = (): ExtractError => new ExtractError('corrupt', 'The model is damaged.');
  const numbers = (line: string | undefined): number[] => {
    if (line === undefined) throw new ExtractError('corrupt', 'The model ends before all declared points and faces.');
    return line.split(/\s+/).map(Number);
  };
  const next = (): string | undefined => lines.next().value ?? undefined;
  const signature = /^(ST)?(C)?(N)?(4)?OFF\b\s*(.*)$/.exec(next() ?? '');
  if (!signature || signature[4] || signature[5] === 'BINARY') throw new ExtractError('corrupt', 'The file is not a supported OFF model.');
  const [points = -1, faces = -1] = numbers(signature[5] !== '' ? signature[5] : next());
  if (!(points >= 0 && faces >= 0)) throw damaged();
  if ((points + faces) * 2 > file.size)
    throw new ExtractError('corrupt', 'The model declares more points and faces than the file contains.');
  const bounds = createBounds();
  const list = createPointList();
  for (let i = 0; i < points; i++) {
    const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = numbers(next());
    if (Number.isNaN(x + y + z)) throw damaged();
    bounds.add(x, y, z);
    if (visit) list.add(x, y, z);
  }
  let triangles = 0;
  for (let i = 0; i < faces; i++) {
    const [corners = -1, ...indices] = numbers(next());
    if (!(corners >= 0 && indices.length >= corners)) throw damaged();
    triangles += Math.max(0, corners - 2);
    if (visit && corners >= 3) visitPolygon(list, indices.slice(0, corners), visit);
  }
  return { format: 'off', triangles, vertices: points, meshes: 1, bounds };
}

function* significantLines(file: FileBytes): Generator<string> {
  for (const raw of textLines(file)) {
    const line = raw.replace(/#.*$/, '').trim();
    if (line !== '') yield line;
  }
}
