import { ExtractError, type Thumbnailer } from '../contract.ts';
import { isActivity } from '../formats/image/rare-headers.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import type { RenderedImage } from './pixels.ts';

const blockBytes = 2880;
const maxCards = 36 * 200;
const maxUnits = 100;

/** Astronomical pictures: the first plane of the first unit that holds a picture, between its darkest and its brightest half percent. */
export const fitsThumbnails: Thumbnailer = {
  name: 'fits',
  version: 1,
  extensions: ['fits', 'fit', 'fts'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, (file) => {
      if (isActivity(file)) return null;
      for (let at = 0, unit = 0; unit < maxUnits && at < file.size; unit++) {
        const { cards, end } = readCards(file, at);
        if (unit === 0 && !cards.has('SIMPLE')) throw new ExtractError('corrupt', 'The picture is damaged.');
        const number = (name: string, otherwise: number): number => Number(cards.get(name) ?? otherwise);
        const bits = number('BITPIX', 0);
        const sizes = Array.from({ length: Math.min(number('NAXIS', 0), 999) }, (_, axis) => number(`NAXIS${axis + 1}`, 0));
        const pictured = sizes.length >= 2 && !String(cards.get('XTENSION') ?? "'IMAGE").includes('TABLE');
        const values = sizes.length === 0 ? 0 : sizes.reduce((product, size) => product * size, 1);
        const bytes = (Math.abs(bits) / 8) * number('GCOUNT', 1) * (number('PCOUNT', 0) + values);
        if (pictured && values > 0 && file.size >= end + (Math.abs(bits) / 8) * values)
          return drawPlane(file, end, bits, sizes[0] as number, sizes[1] as number, longestEdge);
        if (!(bytes >= 0) || !Number.isFinite(bytes)) return null;
        at = end + Math.ceil(bytes / blockBytes) * blockBytes;
      }
      return null;
    }),
};

/** A header is a list of lines of 80 characters up to END, padded to a whole block. */
function readCards(file: FileBytes, from: number): { cards: Map<string, string>; end: number } {
  const cards = new Map<string, string>();
  for (let i = 0; i < maxCards; i++) {
    const card = file.need(from + i * 80, 80).toString('latin1');
    const name = card.slice(0, 8).trim();
    if (name === 'END') return { cards, end: from + Math.ceil(((i + 1) * 80) / blockBytes) * blockBytes };
    if (card[8] === '=') cards.set(name, (card.slice(10).split('/')[0] ?? '').trim());
  }
  throw new ExtractError('corrupt', 'The header of the picture does not end.');
}

/** Numbers are stored big end first; a negative size is that of floating point numbers. */
const readValue: Record<number, (bytes: Buffer, at: number) => number> = {
  8: (bytes, at) => bytes.readUInt8(at),
  16: (bytes, at) => bytes.readInt16BE(at),
  32: (bytes, at) => bytes.readInt32BE(at),
  [-32]: (bytes, at) => bytes.readFloatBE(at),
  [-64]: (bytes, at) => bytes.readDoubleBE(at),
};

/** Takes every n-th value, so that a large picture costs no more than a small one. The first row is the lowest. */
function drawPlane(file: FileBytes, from: number, bits: number, columns: number, rows: number, longestEdge: number): RenderedImage | null {
  const valueAt = readValue[bits];
  if (valueAt === undefined || !Number.isInteger(columns) || !Number.isInteger(rows)) return null;
  const step = Math.max(1, Math.ceil(Math.max(columns, rows) / longestEdge));
  const [width, height] = [Math.ceil(columns / step), Math.ceil(rows / step)];
  const size = Math.abs(bits) / 8;
  const values = new Float64Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = file.need(from + y * step * columns * size, columns * size);
    for (let x = 0; x < width; x++) values[(height - 1 - y) * width + x] = valueAt(row, x * step * size);
  }
  const sorted = values.filter(Number.isFinite).sort();
  if (sorted.length === 0) return null;
  const low = sorted[Math.floor(sorted.length * 0.005)] as number;
  const high = sorted[Math.ceil(sorted.length * 0.995) - 1] as number;
  const data = Buffer.alloc(width * height * 3);
  values.forEach((value, i) => {
    const level = Number.isFinite(value) ? Math.max(0, Math.min(1, (value - low) / (high - low || 1))) : 0;
    data.fill(Math.round(level * 255), i * 3, i * 3 + 3);
  });
  return { data, raw: { width, height, channels: 3 } };
}
