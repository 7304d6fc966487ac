// biome-ignore-all lint/style/noNonNullAssertion: pixel indexes are clamped to the size of the canvas.
/**
 * A small software rasteriser. It takes triangles one at a time and keeps only a depth and a shade per pixel, at twice the requested size
 * for antialiasing. The model itself is not stored, so a larger model takes more time but no more memory.
 */
export interface Camera {
  /** The camera's axes in model coordinates; `towards` points to the viewer. */
  readonly right: Vector3;
  readonly up: Vector3;
  readonly towards: Vector3;
}
type Vector3 = readonly [number, number, number];

/** The square of the image plane that is drawn. */
export interface CameraFrame {
  left: number;
  bottom: number;
  /** Model units along one edge of the picture. */
  side: number;
  near: number;
  far: number;
}

/** The camera's angle above the horizon. */
export const cameraElevation = (24 * Math.PI) / 180;

/** A view from the front right and slightly above. `turned` rotates the camera around the model, in degrees. */
export function threeQuarterCamera(upAxis: 'y' | 'z', turned = 0): Camera {
  const azimuth = ((32 + turned) * Math.PI) / 180;
  const right: Vector3 = [Math.cos(azimuth), Math.sin(azimuth), 0];
  const towards: Vector3 = [
    Math.sin(azimuth) * Math.cos(cameraElevation),
    -Math.cos(azimuth) * Math.cos(cameraElevation),
    Math.sin(cameraElevation),
  ];
  const up: Vector3 = [
    -Math.sin(azimuth) * Math.sin(cameraElevation),
    Math.cos(azimuth) * Math.sin(cameraElevation),
    Math.cos(cameraElevation),
  ];
  // The axes assume Z up; for models with Y up, Y and Z are swapped.
  const toModelAxes = ([x, y, z]: Vector3): Vector3 => (upAxis === 'z' ? [x, y, z] : [x, z, -y]);
  return { right: toModelAxes(right), up: toModelAxes(up), towards: toModelAxes(towards) };
}

// Lights in camera space: a key light from the upper left, a weak fill light from the right, and ambient light.
const keyLight = normalize(-0.45, 0.65, 0.62);
const fillLight = normalize(0.8, 0.1, 0.5);
const ambient = 0.34;
const material: Vector3 = [142, 164, 190];

function normalize(x: number, y: number, z: number): Vector3 {
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

export interface Canvas {
  triangle(ax: number, ay: number, az: number, bx: number, by: number, bz: number, cx: number, cy: number, cz: number): void;
  /** The picture on a transparent background; null when nothing was drawn. */
  finish(): { data: Buffer; width: number; height: number } | null;
}

export function createCanvas(edge: number, camera: Camera, frame: CameraFrame): Canvas {
  const size = edge * 2;
  const depth = new Float32Array(size * size).fill(-Infinity);
  const shade = new Float32Array(size * size);
  const scale = size / frame.side;
  const { right: r, up: u, towards: t } = camera;
  let drawn = false;

  const fillTriangle = (
    x0: number,
    y0: number,
    z0: number,
    x1: number,
    y1: number,
    z1: number,
    x2: number,
    y2: number,
    z2: number,
    light: number,
  ): void => {
    const minX = Math.max(0, Math.ceil(Math.min(x0, x1, x2) - 0.5));
    const maxX = Math.min(size - 1, Math.floor(Math.max(x0, x1, x2) - 0.5));
    const minY = Math.max(0, Math.ceil(Math.min(y0, y1, y2) - 0.5));
    const maxY = Math.min(size - 1, Math.floor(Math.max(y0, y1, y2) - 0.5));
    if (minX > maxX || minY > maxY) return;
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    if (area === 0 || !Number.isFinite(area)) return;
    const a1 = (y2 - y0) / area;
    const b1 = (x0 - x2) / area;
    const a2 = (y0 - y1) / area;
    const b2 = (x1 - x0) / area;
    for (let y = minY; y <= maxY; y++) {
      const py = y + 0.5 - y0;
      for (let x = minX; x <= maxX; x++) {
        const px = x + 0.5 - x0;
        const w1 = a1 * px + b1 * py;
        const w2 = a2 * px + b2 * py;
        if (w1 < 0 || w2 < 0 || w1 + w2 > 1) continue;
        const z = z0 + w1 * (z1 - z0) + w2 * (z2 - z0);
        const at = y * size + x;
        if (z <= depth[at]!) continue;
        depth[at] = z;
        shade[at] = light;
        drawn = true;
      }
    }
  };

  return {
    triangle(ax, ay, az, bx, by, bz, cx, cy, cz) {
      const x0 = (ax * r[0] + ay * r[1] + az * r[2] - frame.left) * scale;
      const y0 = size - (ax * u[0] + ay * u[1] + az * u[2] - frame.bottom) * scale;
      const z0 = (ax * t[0] + ay * t[1] + az * t[2]) * scale;
      const x1 = (bx * r[0] + by * r[1] + bz * r[2] - frame.left) * scale;
      const y1 = size - (bx * u[0] + by * u[1] + bz * u[2] - frame.bottom) * scale;
      const z1 = (bx * t[0] + by * t[1] + bz * t[2]) * scale;
      const x2 = (cx * r[0] + cy * r[1] + cz * r[2] - frame.left) * scale;
      const y2 = size - (cx * u[0] + cy * u[1] + cz * u[2] - frame.bottom) * scale;
      const z2 = (cx * t[0] + cy * t[1] + cz * t[2]) * scale;
      fillTriangle(x0, y0, z0, x1, y1, z1, x2, y2, z2, shadeOf(x1 - x0, y0 - y1, z1 - z0, x2 - x0, y0 - y2, z2 - z0));
    },
    finish: () => (drawn ? resolvePixels(depth, shade, edge, size, (frame.far - frame.near) * scale) : null),
  };
}

/** The shade of a face. The visible side is always lit, because files often have a wrong winding order. */
function shadeOf(ux: number, uy: number, uz: number, vx: number, vy: number, vz: number): number {
  let nx = uy * vz - uz * vy;
  let ny = uz * vx - ux * vz;
  let nz = ux * vy - uy * vx;
  const length = Math.hypot(nx, ny, nz) || 1;
  const side = nz < 0 ? -1 : 1;
  nx = (nx / length) * side;
  ny = (ny / length) * side;
  nz = (nz / length) * side;
  const main = Math.max(0, nx * keyLight[0] + ny * keyLight[1] + nz * keyLight[2]);
  const second = Math.max(0, nx * fillLight[0] + ny * fillLight[1] + nz * fillLight[2]);
  return ambient + 0.66 * main + 0.24 * second;
}

/** Darkens edges where the depth jumps, averages four samples into a pixel and adds colour. */
function resolvePixels(
  depth: Float32Array,
  shade: Float32Array,
  edge: number,
  size: number,
  range: number,
): { data: Buffer; width: number; height: number } {
  const data = Buffer.alloc(edge * edge * 4);
  const jump = Math.max(2, range * 0.02);
  for (let y = 0; y < edge; y++) {
    for (let x = 0; x < edge; x++) {
      let light = 0;
      let covered = 0;
      for (let sub = 0; sub < 4; sub++) {
        const sx = x * 2 + (sub & 1);
        const sy = y * 2 + (sub >> 1);
        const at = sy * size + sx;
        const here = depth[at]!;
        if (here === -Infinity) continue;
        covered++;
        const nearest = Math.max(
          sx > 0 ? depth[at - 1]! : here,
          sx + 1 < size ? depth[at + 1]! : here,
          sy > 0 ? depth[at - size]! : here,
          sy + 1 < size ? depth[at + size]! : here,
        );
        // The farther side of an edge is darkened, which looks like a shadow.
        light += nearest - here > jump ? shade[at]! * 0.55 : shade[at]!;
      }
      if (covered === 0) continue;
      const to = (y * edge + x) * 4;
      const mean = light / covered;
      const highlight = Math.max(0, mean - 0.95) * 160;
      for (let c = 0; c < 3; c++) data[to + c] = Math.min(255, material[c]! * mean * 1.05 + highlight);
      data[to + 3] = (covered * 255) / 4;
    }
  }
  return { data, width: edge, height: edge };
}
