import type { Thumbnailer } from '../contract.ts';
import { postScriptRange } from '../formats/page-description.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { drawMetafile } from './metafile.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';
import { drawPostScript } from './postscript/index.ts';

const searchedBytes = 8 * 1024 * 1024;
const maxPreviewBytes = 32 * 1024 * 1024;

/**
 * The preview of an EPS file: a TIFF or metafile beside the program, a picture in its XMP block, or a bitmap in comments. Without one, the
 * program is run.
 */
export const postScriptThumbnails: Thumbnailer = {
  name: 'postscript-preview',
  version: 2,
  extensions: ['eps', 'epsf', 'epsi', 'ps'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, async (file) => {
      for (const attempt of [headerPreview, xmpPreview, commentPreview, drawProgram]) {
        // A damaged preview is skipped; there may be one of another kind.
        const rendered = await attempt(file, longestEdge).catch(() => null);
        if (rendered) return rendered;
      }
      return null;
    }),
};

/** The binary header that DOS programs write states where a metafile and a TIFF begin. */
async function headerPreview(file: FileBytes, longestEdge: number): Promise<RenderedImage | null> {
  const head = file.read(0, 30);
  if (head.length < 30 || head.readUInt32BE(0) !== 0xc5d0d3c6) return null;
  const part = (at: number): Buffer | null => {
    const size = head.readUInt32LE(at + 4);
    return size > 0 && size <= maxPreviewBytes ? file.read(head.readUInt32LE(at), size) : null;
  };
  const tiff = part(20);
  if (tiff) return decodeToEdge(tiff, longestEdge);
  const metafile = part(12);
  return metafile ? drawMetafile(metafile, longestEdge) : null;
}

/** Adobe programs store a JPEG in base64 in the metadata. */
async function xmpPreview(file: FileBytes, longestEdge: number): Promise<RenderedImage | null> {
  const text = file.read(0, searchedBytes).toString('latin1');
  const image = /<xmpG?Img:image>([^<]{100,})</.exec(text)?.[1];
  if (image === undefined) return null;
  return decodeToEdge(Buffer.from(image.replaceAll('&#xA;', ''), 'base64'), longestEdge);
}

/** EPSI: rows of hexadecimal digits from the top, where 0 is white. */
async function commentPreview(file: FileBytes): Promise<RenderedImage | null> {
  const text = file.read(0, searchedBytes).toString('latin1');
  const match = /%%BeginPreview:\s*(\d{1,5})\s+(\d{1,5})\s+(\d)\s+\d+([\s\S]*?)%%EndPreview/.exec(text);
  if (!match) return null;
  const [width, height, depth] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (![1, 2, 4, 8].includes(depth) || width === 0 || height === 0 || width * height > 50_000_000) return null;
  const bits = Buffer.from((match[4] ?? '').replace(/[^0-9a-fA-F]/g, ''), 'hex');
  const rowBytes = Math.ceil((width * depth) / 8);
  if (bits.length < rowBytes * height) return null;
  const highest = (1 << depth) - 1;
  const data = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const byte = bits.readUInt8(y * rowBytes + ((x * depth) >> 3));
      const value = (byte >> (8 - depth - ((x * depth) & 7))) & highest;
      data.fill(255 - Math.round((value * 255) / highest), (y * width + x) * 3, (y * width + x) * 3 + 3);
    }
  return { data, raw: { width, height, channels: 3 } };
}

const maxProgramBytes = 16 * 1024 * 1024;

function drawProgram(file: FileBytes, longestEdge: number): Promise<RenderedImage | null> {
  const { from, to } = postScriptRange(file);
  return drawPostScript(file.read(from, Math.min(to - from, maxProgramBytes)).toString('latin1'), longestEdge);
}
