// biome-ignore-all lint/style/noNonNullAssertion: indexes stay below the lengths that are checked first.
import { ExtractError, type Thumbnailer } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';

/** Icons of macOS: the largest PNG, or else the largest of the old run-length pictures with its mask. */
export const appleIconThumbnails: Thumbnailer = {
  name: 'apple-icon',
  version: 1,
  extensions: ['icns'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, async (file) => {
      const parts = readParts(file);
      const pngs = [...parts.values()].filter((part) => part.toString('latin1', 1, 4) === 'PNG').sort((a, b) => b.length - a.length);
      for (const png of pngs) {
        // A damaged size is skipped; the next smaller one may be intact.
        const rendered = await decodeToEdge(png, longestEdge).catch(() => null);
        if (rendered) return rendered;
      }
      return drawOldIcon(parts);
    }),
};

const maxParts = 200;
const maxPartBytes = 16 * 1024 * 1024;

function readParts(file: FileBytes): Map<string, Buffer> {
  if (file.read(0, 4).toString('latin1') !== 'icns') throw new ExtractError('corrupt', 'The file is not an icon.');
  const parts = new Map<string, Buffer>();
  for (let at = 8, count = 0; count < maxParts; count++) {
    const head = file.read(at, 8);
    if (head.length < 8) break;
    const length = head.readUInt32BE(4);
    if (length < 8) break;
    if (length <= maxPartBytes) parts.set(head.toString('latin1', 0, 4), file.read(at + 8, length - 8));
    at += length;
  }
  return parts;
}

const oldSizes = [
  { color: 'it32', mask: 't8mk', edge: 128, skip: 4 },
  { color: 'ih32', mask: 'h8mk', edge: 48, skip: 0 },
  { color: 'il32', mask: 'l8mk', edge: 32, skip: 0 },
  { color: 'is32', mask: 's8mk', edge: 16, skip: 0 },
];

function drawOldIcon(parts: ReadonlyMap<string, Buffer>): RenderedImage | null {
  for (const { color, mask, edge, skip } of oldSizes) {
    const packed = parts.get(color);
    if (packed === undefined) continue;
    const planes = unpack(packed.subarray(skip), edge * edge * 3);
    const alpha = parts.get(mask);
    const data = Buffer.alloc(edge * edge * 4, 255);
    for (let i = 0; i < edge * edge; i++) {
      for (let c = 0; c < 3; c++) data[i * 4 + c] = planes[c * edge * edge + i]!;
      if (alpha && i < alpha.length) data[i * 4 + 3] = alpha[i]!;
    }
    return { data, raw: { width: edge, height: edge, channels: 4 } };
  }
  return null;
}

/** Bytes from 128 on repeat the next byte; lower ones are followed by that many bytes and one more. */
function unpack(packed: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size);
  for (let at = 0, to = 0; at < packed.length && to < size; ) {
    const code = packed[at++]!;
    if (code >= 128) {
      out.fill(packed[at++] ?? 0, to, Math.min(size, to + code - 125));
      to += code - 125;
    } else {
      packed.copy(out, to, at, at + Math.min(code + 1, size - to));
      at += code + 1;
      to += code + 1;
    }
  }
  return out;
}
