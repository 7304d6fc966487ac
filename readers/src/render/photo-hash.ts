/** A perceptual hash: pictures that look alike have hashes that differ in few bits, whatever their size, compression or brightness. */
import type { Source } from '../contract.ts';
import { decodeToEdge, loadSharp } from './pixels.ts';
import { findThumbnailer } from './thumbnails.ts';

const side = 64;
const bits = 256;
/** A picture with less contrast, such as an empty page, looks like every other one. */
const minDeviation = 4;

/** The lowest frequencies of the cosine transform without the average, which is the brightness. */
const frequencies: readonly (readonly [u: number, v: number])[] = Array.from(
  { length: side * side },
  (_, n) => [Math.floor(n / side), n % side] as const,
)
  .filter(([u, v]) => u + v > 0)
  .sort(([a, b], [c, d]) => a + b - (c + d) || a - c)
  .slice(0, bits);
const highest = Math.max(...frequencies.flat()) + 1;
const cosines = Float64Array.from({ length: highest * side }, (_, n) =>
  Math.cos((Math.PI * Math.floor(n / side) * (2 * (n % side) + 1)) / (2 * side)),
);

/** 64 hexadecimal digits, or null when the file has no picture or the picture is too uniform to be compared. */
export async function hashPhoto(source: Source): Promise<string | null> {
  const thumbnailer = findThumbnailer(source.extension);
  const rendered = thumbnailer ? await thumbnailer.render(source, 4 * side) : null;
  if (rendered === null) return null;
  const pixels = rendered.raw ? rendered : await decodeToEdge(rendered.data, 4 * side);
  if (!pixels.raw) return null;
  const sharp = await loadSharp();
  const grey = await sharp(pixels.data, { raw: pixels.raw })
    .flatten({ background: '#fff' })
    .greyscale()
    .resize({ width: side, height: side, fit: 'fill' })
    .raw()
    .toBuffer();
  return hashGrey(grey);
}

/** The hash of 64 × 64 grey values. */
function hashGrey(grey: Uint8Array): string | null {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const deviation = Math.sqrt(grey.reduce((sum, value) => sum + (value - mean) ** 2, 0) / grey.length);
  if (deviation < minDeviation) return null;
  const rows = new Float64Array(side * highest);
  for (let y = 0; y < side; y += 1)
    for (let u = 0; u < highest; u += 1) {
      let sum = 0;
      for (let x = 0; x < side; x += 1) sum += (grey[y * side + x] as number) * (cosines[u * side + x] as number);
      rows[y * highest + u] = sum;
    }
  const values = frequencies.map(([u, v]) => {
    let sum = 0;
    for (let y = 0; y < side; y += 1) sum += (rows[y * highest + u] as number) * (cosines[v * side + y] as number);
    return sum;
  });
  const median = values.toSorted((a, b) => a - b)[bits / 2] as number;
  let text = '';
  for (let at = 0; at < bits; at += 4) {
    let digit = 0;
    for (let n = 0; n < 4; n += 1) digit = digit * 2 + ((values[at + n] as number) > median ? 1 : 0);
    text += digit.toString(16);
  }
  return text;
}
