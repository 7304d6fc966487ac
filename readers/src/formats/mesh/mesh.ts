// biome-ignore-all lint/style/noNonNullAssertion: corners are checked against the number of points, and matrices have sixteen elements.
import { ExtractError } from '../../contract.ts';

/** Receives one triangle in model coordinates. */
export type TriangleVisitor = (
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
  cx: number,
  cy: number,
  cz: number,
) => void;

/** Facts collected in one pass over a mesh. */
export interface MeshFacts {
  format: string;
  triangles: number;
  /** As stored in the file: formats without shared vertices store three per triangle. */
  vertices: number;
  meshes: number;
  bounds: MeshBounds;
  units?: string;
  title?: string;
  author?: string;
  materials?: number;
  animations?: number;
  generator?: string;
  /** Set when some triangles could not be visited (compressed geometry, data in another file). */
  unvisited?: boolean;
}

export interface MeshBounds {
  readonly min: [number, number, number];
  readonly max: [number, number, number];
  add(x: number, y: number, z: number): void;
  readonly hasPoints: boolean;
}

/** A bounding box that grows with each point. Points that are not finite are ignored. */
export function createBounds(): MeshBounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  return {
    min,
    max,
    add(x, y, z) {
      if (!Number.isFinite(x + y + z)) return;
      if (x < min[0]) min[0] = x;
      if (y < min[1]) min[1] = y;
      if (z < min[2]) min[2] = z;
      if (x > max[0]) max[0] = x;
      if (y > max[1]) max[1] = y;
      if (z > max[2]) max[2] = z;
    },
    get hasPoints() {
      return max[0] >= min[0];
    },
  };
}

/** A growable list of points, three coordinates each. */
export interface PointList {
  add(x: number, y: number, z: number): void;
  readonly count: number;
  readonly data: Float32Array;
}

export function createPointList(): PointList {
  return createTripleList(Float32Array);
}

/** A growable list of triangles, three point numbers each. */
export interface CornerList {
  add(a: number, b: number, c: number): void;
  readonly count: number;
  readonly data: Uint32Array;
}

export function createCornerList(): CornerList {
  return createTripleList(Uint32Array);
}

/** Uses typed arrays that double in size, because plain arrays need ten times the memory. */
function createTripleList<T extends Float32Array | Uint32Array>(Numbers: new (length: number) => T) {
  let data = new Numbers(3 * 1024);
  let used = 0;
  return {
    add(x: number, y: number, z: number): void {
      if (used + 3 > data.length) {
        const larger = new Numbers(data.length * 2);
        larger.set(data);
        data = larger;
      }
      data[used] = x;
      data[used + 1] = y;
      data[used + 2] = z;
      used += 3;
    },
    get count(): number {
      return used / 3;
    },
    get data(): T {
      return data;
    },
  };
}

/** Visits a polygon as a triangle fan. Throws if a corner refers to a missing point. */
export function visitPolygon(points: PointList, corners: readonly number[], visit: TriangleVisitor): void {
  const { data, count } = points;
  for (const corner of corners) {
    if (!(corner >= 0 && corner < count)) throw new ExtractError('corrupt', 'A face of the model refers to a missing point.');
  }
  const a = corners[0]! * 3;
  for (let i = 2; i < corners.length; i++) {
    const b = corners[i - 1]! * 3;
    const c = corners[i]! * 3;
    visit(data[a]!, data[a + 1]!, data[a + 2]!, data[b]!, data[b + 1]!, data[b + 2]!, data[c]!, data[c + 1]!, data[c + 2]!);
  }
}

/** A 4×4 affine transform in column-major order, as in glTF. */
export type Matrix = readonly number[];

export const identity: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

export function multiply(a: Matrix, b: Matrix): Matrix {
  const out = new Array<number>(16).fill(0);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      for (let k = 0; k < 4; k++) out[column * 4 + row]! += a[k * 4 + row]! * b[column * 4 + k]!;
    }
  }
  return out;
}

export function transform(m: Matrix, x: number, y: number, z: number): [number, number, number] {
  return [
    m[0]! * x + m[4]! * y + m[8]! * z + m[12]!,
    m[1]! * x + m[5]! * y + m[9]! * z + m[13]!,
    m[2]! * x + m[6]! * y + m[10]! * z + m[14]!,
  ];
}

/** Combines translation, rotation (quaternion) and scale. */
export function compose(t: readonly number[] = [0, 0, 0], r: readonly number[] = [0, 0, 0, 1], s: readonly number[] = [1, 1, 1]): Matrix {
  const [x = 0, y = 0, z = 0, w = 1] = r;
  const [sx = 1, sy = 1, sz = 1] = s;
  return [
    ...[(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0],
    ...[2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0],
    ...[2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0],
    ...[t[0] ?? 0, t[1] ?? 0, t[2] ?? 0, 1],
  ];
}
