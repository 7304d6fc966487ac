// biome-ignore-all lint/style/noNonNullAssertion: indexes into the nine corner coordinates are taken modulo nine.
import { ExtractError } from '../../contract.ts';
import { type FileBytes, fileChunks } from '../../input/file-bytes.ts';
import { textLines } from '../text/text-file.ts';
import { createBounds, type MeshFacts, type TriangleVisitor } from './mesh.ts';

const headerBytes = 84;
const facetBytes = 50;

/** STL, binary or ASCII. The file size is checked first, because some binary files also begin with "solid". */
export function readStl(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const head = file.read(0, headerBytes);
  const count = head.length === headerBytes ? head.readUInt32LE(80) : 0;
  const fits = head.length === headerBytes && headerBytes + count * facetBytes <= file.size;
  const exact = headerBytes + count * facetBytes === file.size;
  const text = /^\s*solid\b/i.test(head.toString('latin1'));
  if (exact || (fits && count > 0 && !text)) return readBinary(file, count, head, visit);
  if (text) return readAscii(file, visit);
  throw new ExtractError('corrupt', 'The model declares more triangles than the file contains.');
}

/** STL is the most common format: keeping the bounds in local variables is three times as fast as a call per corner. */
function readBinary(file: FileBytes, count: number, head: Buffer, visit?: TriangleVisitor): MeshFacts {
  const bounds = createBounds();
  const end = headerBytes + count * facetBytes;
  let seen = 0;
  let [minX, minY, minZ, maxX, maxY, maxZ] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (const chunk of fileChunks(file, facetBytes * 20_000, headerBytes, end)) {
    const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
    const facets = Math.floor(chunk.length / facetBytes);
    for (let i = 0; i < facets; i++) {
      const at = i * facetBytes + 12;
      for (let corner = at; corner < at + 36; corner += 12) {
        const x = view.getFloat32(corner, true);
        const y = view.getFloat32(corner + 4, true);
        const z = view.getFloat32(corner + 8, true);
        if (x - x + (y - y) + (z - z) !== 0) continue;
        if (x < minX) minX = x;
        if (x > maxX) maxX = x;
        if (y < minY) minY = y;
        if (y > maxY) maxY = y;
        if (z < minZ) minZ = z;
        if (z > maxZ) maxZ = z;
      }
      if (visit) visitFacet(view, at, visit);
    }
    seen += facets;
  }
  bounds.add(minX, minY, minZ);
  bounds.add(maxX, maxY, maxZ);
  if (seen < count) throw new ExtractError('corrupt', 'The file ends too early.');
  const note = head
    .toString('latin1', 0, 80)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim();
  return {
    format: 'stl',
    triangles: count,
    vertices: count * 3,
    meshes: 1,
    bounds,
    ...(/^solid\b/i.test(note) || note === '' ? {} : { generator: note }),
  };
}

function visitFacet(view: DataView, at: number, visit: TriangleVisitor): void {
  visit(
    view.getFloat32(at, true),
    view.getFloat32(at + 4, true),
    view.getFloat32(at + 8, true),
    view.getFloat32(at + 12, true),
    view.getFloat32(at + 16, true),
    view.getFloat32(at + 20, true),
    view.getFloat32(at + 24, true),
    view.getFloat32(at + 28, true),
    view.getFloat32(at + 32, true),
  );
}

function readAscii(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const bounds = createBounds();
  const corner = new Float64Array(9);
  let at = 0;
  let triangles = 0;
  let solids = 0;
  let title = '';
  for (const line of textLines(file)) {
    const words = line.trim().split(/\s+/);
    if (words[0] === 'vertex') {
      for (let i = 0; i < 3; i++) corner[at++ % 9] = Number(words[i + 1]);
      bounds.add(corner[(at - 3) % 9]!, corner[(at - 2) % 9]!, corner[(at - 1) % 9]!);
    } else if (words[0] === 'endfacet') {
      if (at !== 9 || corner.some(Number.isNaN)) throw new ExtractError('corrupt', 'A facet of the model is damaged.');
      triangles++;
      if (visit) visit(corner[0]!, corner[1]!, corner[2]!, corner[3]!, corner[4]!, corner[5]!, corner[6]!, corner[7]!, corner[8]!);
      at = 0;
    } else if (words[0] === 'solid') {
      solids++;
      title ||= words.slice(1).join(' ').slice(0, 200);
    }
  }
  if (at !== 0 || (triangles === 0 && file.size > 1024)) throw new ExtractError('corrupt', 'The model ends inside a facet.');
  return { format: 'stl', triangles, vertices: triangles * 3, meshes: Math.max(1, solids), bounds, ...(title === '' ? {} : { title }) };
}
