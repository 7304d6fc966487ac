import { ExtractError, type Source, type Thumbnailer } from '../../extract/index.ts';
import { decodeToEdge, imageLibrary, pictureError, type Rendered } from './pixels.ts';
import { findThumbnailer, thumbnailers } from './thumbnailers.ts';

export interface TierSizes {
  gridPx: number;
  previewPx: number;
}

export interface Tiers {
  grid: Buffer;
  preview: Buffer;
}

const gridQuality = 70;
const previewQuality = 78;

/**
 * Draws both tiers of a file in one decode: the renderer gives pixels no larger than the preview, and the grid tier is made from those.
 * Null when nothing can be shown: no renderer for the extension, or a file without a picture in it.
 */
export async function renderTiers(source: Source, sizes: TierSizes, from: readonly Thumbnailer[] = thumbnailers): Promise<Tiers | null> {
  const thumbnailer = findThumbnailer(source.extension, from);
  if (thumbnailer === undefined) return null;
  const edge = Math.max(sizes.previewPx, sizes.gridPx);
  const rendered = await thumbnailer.render(source, edge);
  return rendered === null ? null : encodeTiers(rendered, sizes);
}

/** Scales and encodes what a renderer gave. */
export async function encodeTiers(rendered: Rendered, sizes: TierSizes): Promise<Tiers> {
  const pixels = rendered.raw ? rendered : await decodeToEdge(rendered.data, Math.max(sizes.previewPx, sizes.gridPx));
  const raw = pixels.raw;
  if (raw === undefined || raw.width === 0 || raw.height === 0) throw new ExtractError('corrupt', 'The picture is empty.');
  const sharp = await imageLibrary();
  const tier = (edge: number, quality: number, effort: number): Promise<Buffer> => {
    const picture = sharp(pixels.data, { raw });
    const fitted = Math.max(raw.width, raw.height) > edge ? picture.resize({ width: edge, height: edge, fit: 'inside' }) : picture;
    return fitted.webp({ quality, effort, smartSubsample: false }).toBuffer();
  };
  try {
    const preview = await tier(sizes.previewPx, previewQuality, 2);
    return { preview, grid: await tier(sizes.gridPx, gridQuality, 3) };
  } catch (error) {
    throw pictureError(error);
  }
}
