import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { createAccessorReader, type Gltf, type GltfPrimitive, openGltf } from './gltf-document.ts';
import { compose, identity, type Matrix, multiply, transform } from './matrix.ts';
import { createBounds, type MeshFacts, type TriangleVisitor } from './mesh.ts';

const maxInstances = 100_000;
const maxDepth = 64;

/** One mesh placed in the scene. */
interface Instance {
  mesh: number;
  matrix: Matrix;
}

/** glTF: counts and bounds come from the description alone; the visitor makes the numbers themselves be read. */
export function readGltf(file: FileBytes, visit?: TriangleVisitor): MeshFacts {
  const gltf = openGltf(file);
  const { document } = gltf;
  const bounds = createBounds();
  const placed = instances(gltf);
  const facts: MeshFacts = {
    format: gltf.binary ? 'glb' : 'gltf',
    triangles: 0,
    vertices: 0,
    meshes: document.meshes?.length ?? 0,
    bounds,
  };
  const read = createAccessorReader(file, gltf);
  for (const { mesh, matrix } of placed) {
    for (const primitive of document.meshes?.[mesh]?.primitives ?? []) {
      const positions = document.accessors?.[primitive.attributes?.POSITION ?? -1];
      const points = count(positions?.count);
      facts.vertices += points;
      facts.triangles += triangleCount(
        primitive.mode,
        primitive.indices === undefined ? points : count(document.accessors?.[primitive.indices]?.count),
      );
      addCorners(positions?.min, positions?.max, matrix, bounds);
      if (visit && !visitPrimitive(primitive, matrix, read, visit)) facts.unvisited = true;
    }
  }
  if (facts.triangles > Number.MAX_SAFE_INTEGER) throw new ExtractError('corrupt', 'The model states an impossible number of triangles.');
  if (document.materials?.length) facts.materials = document.materials.length;
  if (document.animations?.length) facts.animations = document.animations.length;
  if (typeof document.asset?.generator === 'string') facts.generator = document.asset.generator.slice(0, 200);
  return facts;
}

const count = (value: unknown): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0);

function triangleCount(mode = 4, corners: number): number {
  if (mode === 4) return Math.floor(corners / 3);
  return mode === 5 || mode === 6 ? Math.max(0, corners - 2) : 0;
}

function addCorners(min: number[] | undefined, max: number[] | undefined, matrix: Matrix, bounds: MeshFacts['bounds']): void {
  if (!Array.isArray(min) || !Array.isArray(max) || min.length < 3 || max.length < 3) return;
  for (let corner = 0; corner < 8; corner++) {
    const pick = (axis: number): number => ((corner >> axis) & 1 ? max[axis]! : min[axis]!);
    bounds.add(...transform(matrix, pick(0), pick(1), pick(2)));
  }
}

/** Walks the scene's nodes. Cycles and node bombs end at the depth and instance ceilings. */
function instances(gltf: Gltf): Instance[] {
  const { nodes = [], scenes = [], meshes = [] } = gltf.document;
  const roots = scenes[gltf.document.scene ?? 0]?.nodes;
  if (!roots) return meshes.map((_, mesh) => ({ mesh, matrix: identity }));
  const found: Instance[] = [];
  let visited = 0;
  const walk = (index: number, parent: Matrix, depth: number): void => {
    const node = nodes[index];
    if (!node) return;
    if (++visited > maxInstances || depth > maxDepth) throw new ExtractError('guard', 'The scene has too many or too deeply nested nodes.');
    const own = node.matrix?.length === 16 ? node.matrix : compose(node.translation, node.rotation, node.scale);
    const matrix = multiply(parent, own);
    if (typeof node.mesh === 'number') found.push({ mesh: node.mesh, matrix });
    for (const child of node.children ?? []) walk(child, matrix, depth + 1);
  };
  for (const root of roots) walk(root, identity, 0);
  return found;
}

/** False when the numbers cannot be read here: packed by an extension or kept in another file. */
function visitPrimitive(
  primitive: GltfPrimitive,
  matrix: Matrix,
  read: ReturnType<typeof createAccessorReader>,
  visit: TriangleVisitor,
): boolean {
  const mode = primitive.mode ?? 4;
  if (mode < 4) return true;
  const local = read(primitive.attributes?.POSITION, 3);
  const indices = primitive.indices === undefined ? undefined : read(primitive.indices, 1);
  if (!local || (primitive.indices !== undefined && !indices)) return false;
  const points = new Float64Array(local.length);
  for (let i = 0; i < local.length; i += 3) points.set(transform(matrix, local[i]!, local[i + 1]!, local[i + 2]!), i);
  const corners = indices?.length ?? points.length / 3;
  const at = (i: number): number => (indices ? indices[i]! : i) * 3;
  const step = mode === 4 ? 3 : 1;
  for (let i = 0; i + 2 < corners; i += step) {
    const a = at(mode === 6 ? 0 : i);
    // Every other triangle of a strip is turned round.
    const flip = mode === 5 && i % 2 === 1;
    const b = at(flip ? i + 2 : i + 1);
    const c = at(flip ? i + 1 : i + 2);
    if (Math.max(a, b, c) + 2 >= points.length) throw new ExtractError('corrupt', 'A face of the model names a point that is not there.');
    visit(
      points[a]!,
      points[a + 1]!,
      points[a + 2]!,
      points[b]!,
      points[b + 1]!,
      points[b + 2]!,
      points[c]!,
      points[c + 1]!,
      points[c + 2]!,
    );
  }
  return true;
}
