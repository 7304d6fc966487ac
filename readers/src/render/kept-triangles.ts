import type { Canvas } from './rasterise.ts';

/** Triangles kept between two passes over a model: 36 bytes each. */
const maxKept = 1024 * 1024;

/** Triangles kept up to a ceiling of memory; past it all are let go. */
export function createTriangleBuffer() {
  let data: Float32Array | null = new Float32Array(9 * 1024);
  let used = 0;
  return {
    add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, cx: number, cy: number, cz: number): void {
      if (data === null) return;
      if (used + 9 > data.length) {
        if (data.length >= maxKept * 9) {
          data = null;
          return;
        }
        const larger: Float32Array = new Float32Array(data.length * 2);
        larger.set(data);
        data = larger;
      }
      data[used] = ax;
      data[used + 1] = ay;
      data[used + 2] = az;
      data[used + 3] = bx;
      data[used + 4] = by;
      data[used + 5] = bz;
      data[used + 6] = cx;
      data[used + 7] = cy;
      data[used + 8] = cz;
      used += 9;
    },
    holds: (): boolean => data !== null,
    /** False when they were let go. */
    visit(triangle: Canvas['triangle']): boolean {
      if (data === null) return false;
      for (let i = 0; i < used; i += 9) {
        triangle(data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!, data[i + 4]!, data[i + 5]!, data[i + 6]!, data[i + 7]!, data[i + 8]!);
      }
      return true;
    },
  };
}
