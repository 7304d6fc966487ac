// biome-ignore-all lint/style/noNonNullAssertion: the indexes are constants of three-element arrays, or stay below `used`.
import { ExtractError, type Thumbnailer } from '../contract.ts';
import { meshExtensions, readMesh } from '../formats/mesh/model3d.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { type Camera, type CameraFrame, type Canvas, createCanvas, threeQuarterCamera } from './rasterise.ts';

/** More triangles take too long to draw. */
const maxTriangles = 20_000_000;
const margin = 0.06;

const yUp = new Set(['obj', 'gltf', 'gltf2', 'glb']);

/** The up axis that is customary for the format. */
export function upAxisOf(extension: string): 'y' | 'z' {
  return yUp.has(extension) ? 'y' : 'z';
}

/**
 * 3D models, drawn in two passes: the first finds their extent as seen by the camera, the second draws. The triangles of smaller models
 * are buffered between the passes; a larger file is read twice.
 */
export const meshThumbnails: Thumbnailer = {
  name: 'mesh',
  version: 1,
  extensions: meshExtensions,
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, async (file) => {
      const camera = threeQuarterCamera(upAxisOf(source.extension));
      const extent = createExtent(camera);
      const buffer = createTriangleBuffer();
      const facts = await readMesh(file, source, (ax, ay, az, bx, by, bz, cx, cy, cz) => {
        extent.triangle(ax, ay, az, bx, by, bz, cx, cy, cz);
        buffer.add(ax, ay, az, bx, by, bz, cx, cy, cz);
      });
      if (facts.triangles > maxTriangles) throw new ExtractError('guard', 'The model has too many triangles to be drawn.');
      const frame = extent.frame();
      if (frame === null) return null;
      const canvas = createCanvas(longestEdge, camera, frame);
      if (!buffer.forEach(canvas.triangle)) await readMesh(file, source, canvas.triangle);
      const picture = canvas.finish();
      return picture && { data: picture.data, raw: { width: picture.width, height: picture.height, channels: 4 } };
    }),
};

/** Measures triangles along the axes of the camera, ignoring points with NaN or infinite coordinates. */
function createExtent(camera: Camera) {
  const min = [Infinity, Infinity, Infinity];
  const max = [-Infinity, -Infinity, -Infinity];
  const axes = [camera.right, camera.up, camera.towards];
  const add = (x: number, y: number, z: number): void => {
    if (!Number.isFinite(x + y + z)) return;
    for (let i = 0; i < 3; i++) {
      const axis = axes[i]!;
      const value = x * axis[0] + y * axis[1] + z * axis[2];
      if (value < min[i]!) min[i] = value;
      if (value > max[i]!) max[i] = value;
    }
  };
  return {
    triangle(ax: number, ay: number, az: number, bx: number, by: number, bz: number, cx: number, cy: number, cz: number): void {
      add(ax, ay, az);
      add(bx, by, bz);
      add(cx, cy, cz);
    },
    /** The square around all points, with a margin; null when there are none. */
    frame(): CameraFrame | null {
      const side = Math.max(max[0]! - min[0]!, max[1]! - min[1]!) * (1 + 2 * margin);
      if (!(side > 0) || !Number.isFinite(side)) return null;
      return { left: (min[0]! + max[0]! - side) / 2, bottom: (min[1]! + max[1]! - side) / 2, side, near: min[2]!, far: max[2]! };
    },
  };
}

/** Buffered triangles take 36 bytes each. */
const maxBuffered = 1024 * 1024;

/** Buffers triangles up to a limit; beyond it, all are discarded. */
export function createTriangleBuffer() {
  let data: Float32Array | null = new Float32Array(9 * 1024);
  let used = 0;
  return {
    add(ax: number, ay: number, az: number, bx: number, by: number, bz: number, cx: number, cy: number, cz: number): void {
      if (data === null) return;
      if (used + 9 > data.length) {
        if (data.length >= maxBuffered * 9) {
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
    isComplete: (): boolean => data !== null,
    /** Returns false, without a call, when the triangles were discarded. */
    forEach(triangle: Canvas['triangle']): boolean {
      if (data === null) return false;
      for (let i = 0; i < used; i += 9) {
        triangle(data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!, data[i + 4]!, data[i + 5]!, data[i + 6]!, data[i + 7]!, data[i + 8]!);
      }
      return true;
    },
  };
}
