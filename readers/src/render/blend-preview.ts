import type { Thumbnailer } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';

const maxBlocks = 64;
const maxEdge = 1024;

/** Blender scenes: the small preview that the program writes near the start of the file. */
export const blendThumbnails: Thumbnailer = {
  name: 'blend',
  version: 1,
  extensions: ['blend', 'blend1'],
  tools: [],
  render: (source) =>
    withFileBytes(source, (file) => {
      const head = file.read(0, 12).toString('latin1');
      const mark = /^BLENDER([_-])([vV])\d{3}/.exec(head);
      if (!mark) return null;
      const pointer = mark[1] === '_' ? 4 : 8;
      const little = mark[2] === 'v';
      const u32 = (bytes: Buffer, at: number): number => (little ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
      let at = 12;
      for (let i = 0; i < maxBlocks; i++) {
        const block = file.read(at, 16 + pointer);
        if (block.length < 16 + pointer) return null;
        const size = u32(block, 4);
        const body = at + 16 + pointer;
        if (block.toString('latin1', 0, 4) === 'TEST') {
          const [width, height] = [u32(file.need(body, 8), 0), u32(file.need(body, 8), 4)];
          if (width === 0 || height === 0 || width > maxEdge || height > maxEdge || size < 8 + width * height * 4) return null;
          return { data: upright(file.need(body + 8, width * height * 4), width, height), raw: { width, height, channels: 4 } };
        }
        at = body + size;
      }
      return null;
    }),
};

/** The rows are stored from the bottom up. */
function upright(pixels: Buffer, width: number, height: number): Buffer {
  const out = Buffer.allocUnsafe(pixels.length);
  const row = width * 4;
  for (let y = 0; y < height; y++) pixels.copy(out, (height - 1 - y) * row, y * row, (y + 1) * row);
  return out;
}
