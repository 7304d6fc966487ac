import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { textLines } from '../text/text-file.ts';
import { createBounds, createPointList, type MeshFacts, type TriangleVisitor, visitPolygon } from './mesh.ts';

const maxCorners = 100_000;

/** Wavefront OBJ: points, polygons (counted as triangle fans), objects and materials. Referenced files are not opened. */
export function readObj(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const bounds = createBounds();
  const points = createPointList();
  const materials = new Set<string>();
  let triangles = 0;
  let vertices = 0;
  let objects = 0;
  let groups = 0;
  let understood = 0;
  for (const raw of joinedLines(file)) {
    const line = raw.trim();
    if (line.startsWith('v ') || line.startsWith('v\t')) {
      const [, x, y, z] = splitWords(line);
      const px = Number(x);
      const py = Number(y);
      const pz = Number(z);
      if (Number.isNaN(px + py + pz)) throw new ExtractError('corrupt', 'A point of the model is damaged.');
      bounds.add(px, py, pz);
      if (visit) points.add(px, py, pz);
      vertices++;
    } else if (line.startsWith('f ') || line.startsWith('f\t')) {
      const words = splitWords(line);
      if (words.length > maxCorners) throw new ExtractError('guard', 'A face of the model has too many corners.');
      triangles += Math.max(0, words.length - 3);
      if (visit) visitPolygon(points, cornersOf(words, vertices), visit);
    } else if (line.startsWith('o ')) objects++;
    else if (line.startsWith('g ')) groups++;
    else if (line.startsWith('usemtl ')) materials.add(line.slice(7).trim());
    else if (!/^(#|vn|vt|vp|s|mtllib|l|p)\b|^$/.test(line)) continue;
    understood++;
  }
  if (understood === 0 || (vertices === 0 && file.size > 4096)) throw new ExtractError('corrupt', 'The file is not a Wavefront model.');
  return {
    format: 'obj',
    triangles,
    vertices,
    meshes: Math.max(1, objects || groups),
    bounds,
    ...(materials.size > 0 ? { materials: materials.size } : {}),
  };
}

/** Most files separate words by single spaces, where the plain split is several times faster. */
function splitWords(line: string): string[] {
  return line.includes('  ') || line.includes('\t') ? line.split(/\s+/) : line.split(' ');
}

/** `12/3/4` refers to point 12. Negative numbers count back from the latest point. */
function cornersOf(words: readonly string[], vertices: number): number[] {
  const corners: number[] = [];
  for (let i = 1; i < words.length; i++) {
    const index = Number.parseInt(words[i] ?? '', 10);
    corners.push(index < 0 ? vertices + index : index - 1);
  }
  return corners;
}

/** Joins lines that end with a backslash. */
function* joinedLines(file: FileBytes): Generator<string> {
  let pending = '';
  for (const line of textLines(file)) {
    if (line.endsWith('\\') || line.endsWith('\\\r')) {
      pending += `${line.replace(/\\\r?$/, '')} `;
      if (pending.length > 1 << 22) throw new ExtractError('guard', 'A line of the model is too long.');
      continue;
    }
    yield pending === '' ? line : pending + line;
    pending = '';
  }
  if (pending !== '') yield pending;
}
