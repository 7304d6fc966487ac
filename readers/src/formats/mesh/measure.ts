// biome-ignore-all lint/style/noNonNullAssertion: hash slots are masked to the capacity of the typed arrays, so no index is out of range.
import type { TriangleVisitor } from './mesh.ts';

/**
 * Result of measuring a mesh: surface area, volume (sum of signed tetrahedra to the origin) and whether the surface is closed. Vertices
 * with equal coordinates are merged; a surface is watertight if every edge belongs to exactly two triangles. Both hash tables use open
 * addressing in typed arrays, because a Map with a million string keys needs ten times the memory.
 */
export interface Measured {
  surfaceArea: number;
  volume: number;
  watertight: boolean;
  /** Number of distinct vertices. */
  points: number;
}

interface Measure {
  visit: TriangleVisitor;
  finish(): Measured;
}

export function createMeasure(): Measure {
  const points = createPointTable();
  const edges = createEdgeTable();
  let area = 0;
  let volume = 0;
  let triangles = 0;
  return {
    visit(ax, ay, az, bx, by, bz, cx, cy, cz) {
      const ux = bx - ax;
      const uy = by - ay;
      const uz = bz - az;
      const vx = cx - ax;
      const vy = cy - ay;
      const vz = cz - az;
      const nx = uy * vz - uz * vy;
      const ny = uz * vx - ux * vz;
      const nz = ux * vy - uy * vx;
      area += Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
      volume += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
      const a = points.index(ax, ay, az);
      const b = points.index(bx, by, bz);
      const c = points.index(cx, cy, cz);
      // A degenerate triangle does not affect whether the surface is closed.
      if (a === b || b === c || a === c) return;
      triangles++;
      edges.add(a, b);
      edges.add(b, c);
      edges.add(c, a);
    },
    finish: () => ({ surfaceArea: area, volume: Math.abs(volume), watertight: triangles > 0 && edges.allTwice(), points: points.count() }),
  };
}

function createPointTable() {
  let capacity = 1 << 14;
  let slots = new Int32Array(capacity).fill(-1);
  let coordinates = new Float32Array(3 * (capacity >> 1));
  let used = 0;
  const bits = new Int32Array(3);
  const floats = new Float32Array(bits.buffer);
  const slotOf = (x: number, y: number, z: number): number => {
    // Adding zero turns -0 into 0, so that both hash to the same slot.
    floats[0] = x + 0;
    floats[1] = y + 0;
    floats[2] = z + 0;
    let hash = Math.imul(bits[0]!, 73856093) ^ Math.imul(bits[1]!, 19349663) ^ Math.imul(bits[2]!, 83492791);
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    let slot = (hash ^ (hash >>> 13)) & (capacity - 1);
    for (;;) {
      const index = slots[slot]!;
      if (index === -1) return slot;
      const at = index * 3;
      if (coordinates[at] === floats[0] && coordinates[at + 1] === floats[1] && coordinates[at + 2] === floats[2]) return slot;
      slot = (slot + 1) & (capacity - 1);
    }
  };
  const grow = (): void => {
    capacity *= 4;
    slots = new Int32Array(capacity).fill(-1);
    const larger = new Float32Array(3 * (capacity >> 1));
    larger.set(coordinates);
    coordinates = larger;
    for (let i = 0; i < used; i++) slots[slotOf(coordinates[i * 3]!, coordinates[i * 3 + 1]!, coordinates[i * 3 + 2]!)] = i;
  };
  return {
    index(x: number, y: number, z: number): number {
      if (used + 1 >= capacity >> 1) grow();
      const sum = x + y + z;
      // NaN never equals itself, so all NaN points share one slot instead of filling the table.
      const slot = Number.isNaN(sum) ? slotOf(0, 0, 0) : slotOf(x, y, z);
      const known = slots[slot]!;
      if (known !== -1) return known;
      slots[slot] = used;
      coordinates[used * 3] = floats[0]!;
      coordinates[used * 3 + 1] = floats[1]!;
      coordinates[used * 3 + 2] = floats[2]!;
      return used++;
    },
    count: () => used,
  };
}

function createEdgeTable() {
  let capacity = 1 << 15;
  let keys = new Float64Array(capacity).fill(-1);
  let uses = new Uint8Array(capacity);
  let used = 0;
  const slotOf = (key: number): number => {
    const low = key >>> 0;
    const high = Math.floor(key / 4294967296) >>> 0;
    let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
    hash ^= hash >>> 15;
    let slot = hash & (capacity - 1);
    while (keys[slot] !== -1 && keys[slot] !== key) slot = (slot + 1) & (capacity - 1);
    return slot;
  };
  const grow = (): void => {
    const oldKeys = keys;
    const oldUses = uses;
    capacity *= 4;
    keys = new Float64Array(capacity).fill(-1);
    uses = new Uint8Array(capacity);
    for (let i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] === -1) continue;
      const slot = slotOf(oldKeys[i]!);
      keys[slot] = oldKeys[i]!;
      uses[slot] = oldUses[i]!;
    }
  };
  return {
    add(a: number, b: number): void {
      if (used + 1 > capacity * 0.6) grow();
      // Point numbers stay below 2^26, so the pair is exact in a double.
      const key = a < b ? a * 67108864 + b : b * 67108864 + a;
      const slot = slotOf(key);
      if (keys[slot] === -1) {
        keys[slot] = key;
        used++;
      }
      if (uses[slot]! < 3) uses[slot]!++;
    },
    allTwice(): boolean {
      for (let i = 0; i < capacity; i++) if (keys[i] !== -1 && uses[i] !== 2) return false;
      return true;
    },
  };
}
