// biome-ignore-all lint/style/noNonNullAssertion: indexes are 0, 1 or 2 into three-element arrays.
import { ExtractError, type Source } from '../contract.ts';
import { readMesh } from '../formats/mesh/model3d.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { createTriangleBuffer, upAxisOf } from './mesh.ts';
import { loadSharp } from './pixels.ts';
import { type CameraFrame, type Canvas, cameraElevation, createCanvas, threeQuarterCamera } from './rasterise.ts';

const turntableLayout = { columns: 6, rows: 4, tile: 320 } as const;
const viewCount = turntableLayout.columns * turntableLayout.rows;
/** Lower than for thumbnails, because every triangle is drawn once per view. */
const maxTriangles = 4_000_000;
const margin = 0.06;

/**
 * Draws 24 views of a model, 15 degrees apart, as tiles of one picture. All views share the frame of the cylinder that encloses the
 * turning model, so that the model does not jump between views. Null when the model is empty.
 */
export function drawTurntable(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, async (file) => {
    const upAxis = upAxisOf(source.extension);
    const buffer = createTriangleBuffer();
    const bounds = createBounds();
    const { triangles } = await readMesh(file, source, (ax, ay, az, bx, by, bz, cx, cy, cz) => {
      bounds.add(ax, ay, az);
      bounds.add(bx, by, bz);
      bounds.add(cx, cy, cz);
      buffer.add(ax, ay, az, bx, by, bz, cx, cy, cz);
    });
    if (triangles > maxTriangles) throw new ExtractError('guard', 'The model has too many triangles for a turntable view.');
    const cylinder = createCylinder(bounds.low, bounds.high, upAxis);
    const measure: Canvas['triangle'] = (ax, ay, az, bx, by, bz, cx, cy, cz) => {
      cylinder.add(ax, ay, az);
      cylinder.add(bx, by, bz);
      cylinder.add(cx, cy, cz);
    };
    if (!buffer.forEach(measure)) await readMesh(file, source, measure);
    if (!(cylinder.side() > 0)) return null;
    const canvases = Array.from({ length: viewCount }, (_, n) => {
      const camera = threeQuarterCamera(upAxis, (n * 360) / viewCount);
      return createCanvas(turntableLayout.tile, camera, cylinder.frame(camera.right, camera.up, camera.towards));
    });
    const drawAll: Canvas['triangle'] = (...corners) => {
      for (const canvas of canvases) canvas.triangle(...corners);
    };
    if (buffer.isComplete()) for (const canvas of canvases) buffer.forEach(canvas.triangle);
    else await readMesh(file, source, drawAll);
    return joinTiles(canvases);
  });
}

function createBounds() {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  return {
    low,
    high,
    add(x: number, y: number, z: number): void {
      if (!Number.isFinite(x + y + z)) return;
      if (x < low[0]!) low[0] = x;
      if (y < low[1]!) low[1] = y;
      if (z < low[2]!) low[2] = z;
      if (x > high[0]!) high[0] = x;
      if (y > high[1]!) high[1] = y;
      if (z > high[2]!) high[2] = z;
    },
  };
}

/** The upright cylinder around the centre of the model that contains every point. */
function createCylinder(low: readonly number[], high: readonly number[], upAxis: 'y' | 'z') {
  const centre = [0, 1, 2].map((axis) => (low[axis]! + high[axis]!) / 2) as [number, number, number];
  const [across, up] = upAxis === 'z' ? [1, 2] : [2, 1];
  const height = high[up]! - low[up]!;
  let radiusSquared = 0;
  const side = (): number =>
    Math.max(2 * Math.sqrt(radiusSquared), height * Math.cos(cameraElevation) + 2 * Math.sqrt(radiusSquared) * Math.sin(cameraElevation)) *
    (1 + 2 * margin);
  const along = (axis: readonly [number, number, number]): number => centre[0] * axis[0] + centre[1] * axis[1] + centre[2] * axis[2];
  return {
    add(x: number, y: number, z: number): void {
      const point = [x, y, z];
      const distance = (x - centre[0]) ** 2 + (point[across]! - centre[across]!) ** 2;
      if (distance > radiusSquared && Number.isFinite(distance)) radiusSquared = distance;
    },
    side: () => (Number.isFinite(side()) ? side() : 0),
    frame(
      right: readonly [number, number, number],
      upwards: readonly [number, number, number],
      towards: readonly [number, number, number],
    ): CameraFrame {
      const half = side() / 2;
      return {
        left: along(right) - half,
        bottom: along(upwards) - half,
        side: 2 * half,
        near: along(towards) - half,
        far: along(towards) + half,
      };
    },
  };
}

async function joinTiles(canvases: readonly Canvas[]): Promise<Buffer | null> {
  const { columns, rows, tile } = turntableLayout;
  const sheet = Buffer.alloc(columns * rows * tile * tile * 4);
  let hasPicture = false;
  for (const [n, canvas] of canvases.entries()) {
    const picture = canvas.finish();
    if (picture === null) continue;
    hasPicture = true;
    const left = (n % columns) * tile;
    const top = Math.floor(n / columns) * tile;
    for (let y = 0; y < tile; y++) picture.data.copy(sheet, ((top + y) * columns * tile + left) * 4, y * tile * 4, (y + 1) * tile * 4);
  }
  if (!hasPicture) return null;
  const sharp = await loadSharp();
  return sharp(sheet, { raw: { width: columns * tile, height: rows * tile, channels: 4 } })
    .webp({ quality: 74, effort: 2 })
    .toBuffer();
}
