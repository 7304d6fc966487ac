import type { Source, Thumbnailer } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { readPictureFile } from './picture-file.ts';
import { decodeToEdge } from './pixels.ts';

/** Pictures that the image library decodes by itself. */
export const imageThumbnails: Thumbnailer = {
  name: 'image',
  version: 1,
  extensions: ['jpg', 'jpeg', 'jpe', 'jfif', 'jif', 'png', 'apng', 'webp', 'gif', 'tif', 'tiff', 'avif', 'avifs'],
  tools: [],
  render: async (source, longestEdge) => decodeToEdge(await readPictureFile(source), longestEdge),
};

/** True when the bytes are of a kind the image library reads, whatever the name says. */
export async function hasSharpSignature(source: Source): Promise<boolean> {
  return withFileBytes(source, (file) => {
    const head = file.read(0, 16);
    const mark = head.toString('latin1');
    return (
      (head[0] === 0xff && head[1] === 0xd8) ||
      mark.startsWith('\x89PNG') ||
      mark.startsWith('GIF8') ||
      mark.slice(8, 12) === 'WEBP' ||
      /^(II\*\0|MM\0\*)/.test(mark)
    );
  });
}
