import { ExtractError, type Limits } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { openZip, type Zip, type ZipEntry } from '../../input/zip.ts';
import { identity, type Matrix, multiply, transform } from './matrix.ts';
import { type CornerList, createBounds, type MeshFacts, type PointList, type TriangleVisitor } from './mesh.ts';
import { type ModelPart, parseModelPart, type PlacedObject } from './three-mf-part.ts';

const maxInstances = 100_000;
const maxDepth = 64;

/** 3MF: a zip of XML parts. Objects are placed by build items and components, each with its own transform. */
export async function readThreeMf(file: FileBytes, limits: Limits, visit?: TriangleVisitor): Promise<MeshFacts> {
  const zip = openZip(file, limits);
  const parts = new Map<string, ModelPart>();
  for (const entry of zip.entries) {
    if (/\.model$/i.test(entry.name)) parts.set(absoluteName(entry.name), await readPart(zip, entry));
  }
  const root = [...parts.keys()].find((name) => /^\/3d\/[^/]*\.model$/i.test(name)) ?? [...parts.keys()][0];
  if (root === undefined) throw new ExtractError('corrupt', 'The model part is missing.');
  const main = parts.get(root)!;
  const bounds = createBounds();
  const facts: MeshFacts = { format: '3mf', triangles: 0, vertices: 0, meshes: 0, bounds, units: main.unit };
  let placed = 0;
  const place = (item: PlacedObject, from: string, parent: Matrix, depth: number): void => {
    const name = item.path === undefined ? from : absoluteName(item.path);
    const object = parts.get(name)?.objects.get(item.objectId);
    if (!object) return;
    if (++placed > maxInstances || depth > maxDepth) throw new ExtractError('guard', 'The model has too many or too deeply nested parts.');
    const matrix = multiply(parent, item.matrix);
    if (object.triangles.count > 0 || object.points.count > 0) {
      facts.meshes++;
      facts.triangles += object.triangles.count;
      facts.vertices += object.points.count;
      visitObject(object.points, object.triangles, matrix, bounds, visit);
    }
    for (const component of object.components) place(component, name, matrix, depth + 1);
  };
  const items = main.items.length > 0 ? main.items : [...main.objects.keys()].map((objectId) => ({ objectId, matrix: identity }));
  for (const item of items) place(item, root, identity, 0);
  if (main.title !== undefined) facts.title = main.title;
  if (main.designer !== undefined) facts.author = main.designer;
  if (main.application !== undefined) facts.generator = main.application;
  return facts;
}

const absoluteName = (name: string): string => (name.startsWith('/') ? name : `/${name}`);

async function readPart(zip: Zip, entry: ZipEntry): Promise<ModelPart> {
  const parser = parseModelPart();
  const decoder = new TextDecoder();
  for await (const piece of zip.stream(entry)) parser.write(decoder.decode(piece, { stream: true }));
  return parser.end();
}

function visitObject(points: PointList, triangles: CornerList, matrix: Matrix, bounds: MeshFacts['bounds'], visit?: TriangleVisitor): void {
  const world = new Float32Array(points.count * 3);
  for (let i = 0; i < world.length; i += 3) {
    const [x, y, z] = transform(matrix, points.data[i]!, points.data[i + 1]!, points.data[i + 2]!);
    world[i] = x;
    world[i + 1] = y;
    world[i + 2] = z;
    bounds.add(x, y, z);
  }
  const corners = triangles.data;
  for (let i = 0; i < triangles.count * 3; i += 3) {
    const a = corners[i]! * 3;
    const b = corners[i + 1]! * 3;
    const c = corners[i + 2]! * 3;
    if (Math.max(a, b, c) >= world.length) throw new ExtractError('corrupt', 'A face of the model names a point that is not there.');
    visit?.(world[a]!, world[a + 1]!, world[a + 2]!, world[b]!, world[b + 1]!, world[b + 2]!, world[c]!, world[c + 1]!, world[c + 2]!);
  }
}
