// biome-ignore-all lint/style/noNonNullAssertion: indexes stay below the lengths that are checked first.
import type { RenderedImage } from './pixels.ts';

const maxEdge = 16_384;

/** Decodes an uncompressed Windows bitmap without its file header; null when it is compressed or incomplete. */
export function decodeBitmap(dib: Buffer, pixelsAt?: number): RenderedImage | null {
  if (dib.length < 40 || dib.readUInt32LE(0) < 40) return null;
  const width = dib.readInt32LE(4);
  const rows = dib.readInt32LE(8);
  const height = Math.abs(rows);
  const bits = dib.readUInt16LE(14);
  const compression = dib.readUInt32LE(16);
  if (![1, 4, 8, 24, 32].includes(bits) || (compression !== 0 && !(compression === 3 && bits === 32))) return null;
  if (!(width > 0 && width <= maxEdge && height > 0 && height <= maxEdge) || width * height > 50_000_000) return null;
  const colors = bits > 8 ? 0 : Math.min(dib.readUInt32LE(32) || 1 << bits, 256);
  const paletteAt = dib.readUInt32LE(0);
  const start = pixelsAt ?? paletteAt + colors * 4 + (compression === 3 && paletteAt === 40 ? 12 : 0);
  const stride = Math.ceil((width * bits) / 32) * 4;
  if (dib.length < start + stride * height || dib.length < paletteAt + colors * 4) return null;
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    const from = start + (rows > 0 ? height - 1 - y : y) * stride;
    for (let x = 0; x < width; x++) {
      const to = (y * width + x) * 3;
      let at: number;
      if (bits >= 24) at = from + (x * bits) / 8;
      else {
        const byte = dib[from + ((x * bits) >> 3)]!;
        const index = bits === 8 ? byte : (byte >> (8 - bits - ((x * bits) & 7))) & ((1 << bits) - 1);
        at = paletteAt + Math.min(index, colors - 1) * 4;
      }
      data[to] = dib[at + 2]!;
      data[to + 1] = dib[at + 1]!;
      data[to + 2] = dib[at]!;
    }
  }
  return { data, raw: { width, height, channels: 3 } };
}

/** Decodes a BMP file; null when it is compressed or incomplete. */
export function decodeBmpFile(bytes: Buffer): RenderedImage | null {
  if (bytes.toString('latin1', 0, 2) !== 'BM' || bytes.length < 54) return null;
  return decodeBitmap(bytes.subarray(14), bytes.readUInt32LE(10) - 14);
}
