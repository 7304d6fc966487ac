import { gunzipSync } from 'node:zlib';
import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { decodeToEdge, loadSharp, maxPixels, pictureError, readPictureFile } from './pixels.ts';

/** Pictures that sharp decodes without help. */
export const imageThumbnails: Thumbnailer = {
  name: 'image',
  version: 1,
  extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'jif', 'png', 'apng', 'webp', 'gif', 'tif', 'tiff', 'avif', 'avifs'],
  tools: [],
  render: async (source, longestEdge) => decodeToEdge(await readPictureFile(source), longestEdge),
};

/** Whether the first bytes are of a format that sharp decodes, whatever the extension. */
export async function hasSharpSignature(source: Source): Promise<boolean> {
  return withFileBytes(source, (file) => {
    const head = file.read(0, 16);
    const signature = head.toString('latin1');
    return (
      (head[0] === 0xff && head[1] === 0xd8) ||
      signature.startsWith('\x89PNG') ||
      signature.startsWith('GIF8') ||
      signature.slice(8, 12) === 'WEBP' ||
      /^(II\*\0|MM\0\*)/.test(signature)
    );
  });
}

const maxSvgBytes = 32 * 1024 * 1024;

/** Vector pictures, rendered at the requested size instead of scaled up from their own. */
export const svgThumbnails: Thumbnailer = {
  name: 'svg',
  version: 1,
  extensions: ['svg', 'svgz'],
  tools: [],
  async render(source, longestEdge) {
    const svg = gunzipSvg(readPictureFile(source));
    const sharp = await loadSharp();
    let width: number;
    let height: number;
    try {
      ({ width, height } = await sharp(svg, { limitInputPixels: maxPixels }).metadata());
    } catch (error) {
      throw pictureError(error);
    }
    // sharp offers only a density to choose the rendered size; 72 dpi is one pixel per unit.
    const density = Math.min(100_000, Math.max(1, (72 * longestEdge) / Math.max(1, width, height)));
    return decodeToEdge(svg, longestEdge, { density });
  },
};

function gunzipSvg(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxSvgBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ExtractError('guard', 'The packed drawing is too large.');
    throw new ExtractError('corrupt', 'The packed drawing is damaged.');
  }
}
