import { ExtractError, type Thumbnailer } from '../contract.ts';
import { type RenderedImage, readPictureFile } from './pixels.ts';
import { drawSvg } from './svg.ts';

/** Windows metafiles (EMF, EMF+ and WMF), recorded drawing calls that are replayed as an SVG document. */
export const metafileThumbnails: Thumbnailer = {
  name: 'metafile',
  version: 1,
  extensions: ['emf', 'wmf'],
  tools: [],
  render: (source, longestEdge) => drawMetafile(readPictureFile(source), longestEdge),
};

export async function drawMetafile(bytes: Buffer, longestEdge: number): Promise<RenderedImage | null> {
  const { convertMetafileToSvg } = await import('emf-converter');
  const copy = new Uint8Array(bytes).buffer;
  let svg: string | null;
  try {
    svg = await convertMetafileToSvg(copy);
  } catch {
    throw new ExtractError('corrupt', 'The picture is damaged.');
  }
  return svg === null ? null : drawSvg(Buffer.from(svg), longestEdge);
}
