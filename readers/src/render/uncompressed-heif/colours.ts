// biome-ignore-all lint/style/noNonNullAssertion: indexes stay below the length of the pixel data.
/** Turns planes of samples into an upright picture. */
import { type HeifItem, itemTurns } from '../../formats/image/heif-items.ts';
import type { ComponentKind } from './layout.ts';

/** Sums of samples per cell of the thumbnail, from which the mean is taken. */
export interface Plane {
  width: number;
  height: number;
  sums: Uint32Array;
  counts: Uint32Array;
}

interface Picture {
  data: Buffer;
  width: number;
  height: number;
  channels: 3 | 4;
}

type Sample = (x: number, y: number) => number;

/** Returns null if the planes are neither colours nor grey. */
export function toColours(planes: ReadonlyMap<ComponentKind, Plane>, item: HeifItem): Picture | null {
  const size = planes.get('g') ?? planes.get('y') ?? planes.get('grey');
  if (size === undefined) return null;
  const { width, height } = size;
  const from = (kind: ComponentKind): Sample | null => {
    const plane = planes.get(kind);
    if (plane === undefined) return null;
    return (x, y) => {
      const column = Math.min(plane.width - 1, Math.floor((x * plane.width) / width));
      const cell = Math.min(plane.height - 1, Math.floor((y * plane.height) / height)) * plane.width + column;
      return plane.sums[cell]! / Math.max(1, plane.counts[cell]!);
    };
  };
  const colour = colourOf(from, item);
  if (colour === null) return null;
  const alpha = from('alpha');
  const channels = alpha === null ? 3 : 4;
  const data = Buffer.allocUnsafe(width * height * channels);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += channels) {
      colour(x, y, data, at);
      if (alpha !== null) data[at + 3] = Math.round(alpha(x, y));
    }
  return { data, width, height, channels };
}

type Colour = (x: number, y: number, data: Buffer, at: number) => void;

function colourOf(from: (kind: ComponentKind) => Sample | null, item: HeifItem): Colour | null {
  const [r, g, b, cb, cr] = [from('r'), from('g'), from('b'), from('cb'), from('cr')];
  if (r && g && b)
    return (x, y, data, at) => {
      data[at] = r(x, y);
      data[at + 1] = g(x, y);
      data[at + 2] = b(x, y);
    };
  const bright = from('y') ?? from('grey');
  if (bright === null) return null;
  if (!cb || !cr)
    return (x, y, data, at) => {
      data.fill(bright(x, y), at, at + 3);
    };
  const { red, blue, full } = matrixOf(item);
  const green = 1 - red - blue;
  return (x, y, data, at) => {
    const value = full ? bright(x, y) : ((bright(x, y) - 16) * 255) / 219;
    const stretch = full ? 1 : 255 / 224;
    const [u, v] = [(cb(x, y) - 128) * stretch, (cr(x, y) - 128) * stretch];
    data[at] = clamp(value + 2 * (1 - red) * v);
    data[at + 1] = clamp(value - (2 * blue * (1 - blue) * u + 2 * red * (1 - red) * v) / green);
    data[at + 2] = clamp(value + 2 * (1 - blue) * u);
  };
}

const clamp = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

/** The shares of red and blue in brightness (BT.709, BT.2020, else BT.601), and whether samples use the full range. */
function matrixOf(item: HeifItem): { red: number; blue: number; full: boolean } {
  const body = item.properties.find(({ type, body }) => type === 'colr' && body.toString('latin1', 0, 4) === 'nclx')?.body;
  const matrix = body !== undefined && body.length >= 11 ? body.readUInt16BE(8) : 6;
  const full = body === undefined || body.length < 11 || (body.readUInt8(10) & 0x80) !== 0;
  if (matrix === 1) return { red: 0.2126, blue: 0.0722, full };
  return matrix === 9 ? { red: 0.2627, blue: 0.0593, full } : { red: 0.299, blue: 0.114, full };
}

/** Applies the turns and reflections of the container in their order. */
export function turnPicture(picture: Picture, item: HeifItem): Picture {
  let turned = picture;
  for (const box of item.properties) {
    for (let i = itemTurns(box); i > 0; i--) {
      const { width, height } = turned;
      turned = mapped(turned, height, width, (x, y) => x * width + (width - 1 - y));
    }
    if (box.type !== 'imir') continue;
    const { width, height } = turned;
    const vertical = ((box.body[0] ?? 0) & 1) === 0;
    turned = mapped(turned, width, height, (x, y) => (vertical ? (height - 1 - y) * width + x : y * width + (width - 1 - x)));
  }
  return turned;
}

/** `from` returns the pixel that belongs at a position of the new picture. */
function mapped({ data, channels }: Picture, width: number, height: number, from: (x: number, y: number) => number): Picture {
  const out = Buffer.allocUnsafe(data.length);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++, at += channels) {
      const source = from(x, y) * channels;
      for (let i = 0; i < channels; i++) out[at + i] = data[source + i]!;
    }
  return { data: out, width, height, channels };
}
