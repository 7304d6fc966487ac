// biome-ignore-all lint/style/noNonNullAssertion: every index is below the length of an array that the loop or a check above bounds.
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { compose, createBounds, identity, type Matrix, type MeshFacts, multiply, type TriangleVisitor, transform } from './mesh.ts';

const maxInstances = 100_000;
const maxDepth = 64;

interface Instance {
  mesh: number;
  matrix: Matrix;
}

/** glTF: counts and bounds come from the JSON. Vertex data is read only if there is a visitor. */
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
  if (facts.triangles > Number.MAX_SAFE_INTEGER) throw new ExtractError('corrupt', 'The model declares an impossible number of triangles.');
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

/** Collects the mesh instances of the scene. The depth and instance limits stop cycles and exponential growth. */
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
    const nodeMatrix = node.matrix?.length === 16 ? node.matrix : compose(node.translation, node.rotation, node.scale);
    const matrix = multiply(parent, nodeMatrix);
    if (typeof node.mesh === 'number') found.push({ mesh: node.mesh, matrix });
    for (const child of node.children ?? []) walk(child, matrix, depth + 1);
  };
  for (const root of roots) walk(root, identity, 0);
  return found;
}

/** Returns false if the vertex data is compressed by an extension or stored in another file. */
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
    // In a triangle strip, every second triangle has the opposite winding order.
    const flip = mode === 5 && i % 2 === 1;
    const b = at(flip ? i + 2 : i + 1);
    const c = at(flip ? i + 1 : i + 2);
    if (Math.max(a, b, c) + 2 >= points.length) throw new ExtractError('corrupt', 'A face of the model refers to a missing point.');
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

/** The parts of a glTF document that are used here. All are optional because the file is untrusted. */
interface GltfDocument {
  asset?: { version?: string; generator?: string; copyright?: string };
  scene?: number;
  scenes?: { nodes?: number[]; name?: string }[];
  nodes?: GltfNode[];
  meshes?: { primitives?: GltfPrimitive[]; name?: string }[];
  accessors?: GltfAccessor[];
  bufferViews?: { buffer?: number; byteOffset?: number; byteLength?: number; byteStride?: number }[];
  buffers?: { uri?: string; byteLength?: number }[];
  materials?: unknown[];
  animations?: unknown[];
  extensionsRequired?: string[];
}
interface GltfNode {
  children?: number[];
  mesh?: number;
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}
interface GltfPrimitive {
  attributes?: { POSITION?: number };
  indices?: number;
  mode?: number;
  extensions?: Record<string, unknown>;
}
interface GltfAccessor {
  bufferView?: number;
  byteOffset?: number;
  componentType?: number;
  normalized?: boolean;
  count?: number;
  type?: string;
  min?: number[];
  max?: number[];
}

interface Gltf {
  document: GltfDocument;
  /** Byte range of the binary chunk in a .glb. */
  binary?: { offset: number; length: number };
}

const maxJsonBytes = 128 * 1024 * 1024;

/** Parses the JSON of a .gltf or .glb and locates the binary chunk. */
function openGltf(file: FileBytes): Gltf {
  const head = file.read(0, 20);
  if (head.length === 20 && head.toString('latin1', 0, 4) === 'glTF') {
    const length = head.readUInt32LE(12);
    if (head.readUInt32LE(16) !== 0x4e4f534a) throw new ExtractError('corrupt', 'The JSON of the model is missing.');
    const document = parse(file, 20, length);
    const next = 20 + length;
    const chunk = file.read(next, 8);
    if (chunk.length < 8 || chunk.readUInt32LE(4) !== 0x004e4942) return { document };
    const binary = { offset: next + 8, length: chunk.readUInt32LE(0) };
    if (binary.offset + binary.length > file.size) throw new ExtractError('corrupt', 'The file ends too early.');
    return { document, binary };
  }
  return { document: parse(file, 0, file.size) };
}

function parse(file: FileBytes, offset: number, length: number): GltfDocument {
  if (length > maxJsonBytes) throw new ExtractError('guard', 'The JSON of the model is larger than 128 MiB.');
  const text = file.need(offset, length).toString('utf8');
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new ExtractError('corrupt', 'The JSON of the model is damaged.');
  }
  if (typeof document !== 'object' || document === null || !('asset' in document))
    throw new ExtractError('corrupt', 'The file is not a glTF model.');
  return document as GltfDocument;
}

/** Reads accessor values from the binary chunk or from a data URI. Other files are never opened. */
function createAccessorReader(file: FileBytes, gltf: Gltf) {
  const inline = new Map<number, Buffer>();
  const bytesOf = (buffer: number, offset: number, length: number): Buffer | undefined => {
    const uri = gltf.document.buffers?.[buffer]?.uri;
    if (uri === undefined)
      return gltf.binary && offset + length <= gltf.binary.length ? file.need(gltf.binary.offset + offset, length) : undefined;
    const comma = uri.startsWith('data:') ? uri.indexOf('base64,') : -1;
    if (comma < 0) return undefined;
    if (!inline.has(buffer)) inline.set(buffer, Buffer.from(uri.slice(comma + 7), 'base64'));
    const data = inline.get(buffer)!;
    return offset + length <= data.length ? data.subarray(offset, offset + length) : undefined;
  };
  /** Returns undefined if the data is not in this file or out of range. */
  return (index: number | undefined, width: number): Float64Array | undefined => {
    const accessor = index === undefined ? undefined : gltf.document.accessors?.[index];
    const view = gltf.document.bufferViews?.[accessor?.bufferView ?? -1];
    const kind = componentKinds[accessor?.componentType ?? 0];
    const count = accessor?.count ?? 0;
    if (!accessor || !view || !kind || !Number.isSafeInteger(count) || count <= 0) return undefined;
    const step = view.byteStride || kind.bytes * width;
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const bytes = bytesOf(view.buffer ?? 0, start, step * (count - 1) + kind.bytes * width);
    if (!bytes) return undefined;
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const out = new Float64Array(count * width);
    const divide = accessor.normalized ? kind.largest : 1;
    for (let i = 0; i < count; i++) for (let c = 0; c < width; c++) out[i * width + c] = kind.get(data, i * step + c * kind.bytes) / divide;
    return out;
  };
}

const componentKinds: Record<number, { bytes: number; largest: number; get(view: DataView, at: number): number }> = {
  5120: { bytes: 1, largest: 127, get: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, largest: 255, get: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, largest: 32_767, get: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, largest: 65_535, get: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, largest: 1, get: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, largest: 1, get: (view, at) => view.getFloat32(at, true) },
};
