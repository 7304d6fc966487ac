import type { Source, Thumbnailer } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { decodeToEdge, readPictureFile } from './pixels.ts';

/** Pictures that sharp decodes without help. */
export const imageThumbnails: Thumbnailer = {
  name: 'image',
  version: 1,
  extensions: [
    'jpg',
    'jpeg',
    'jpe',
    'jfif',
    'jif',
    'jps',
    'mpo',
    'thm',
    'insp',
    'png',
    'apng',
    'webp',
    'gif',
    'tif',
    'tiff',
    'avif',
    'avifs',
  ],
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
