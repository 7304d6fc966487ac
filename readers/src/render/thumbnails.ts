import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { appleIconThumbnails } from './apple-icon.ts';
import { audioThumbnails, bookThumbnails, comicThumbnails } from './covers.ts';
import { drawingPreviewThumbnails } from './dwg-preview.ts';
import { dxfThumbnails } from './dxf.ts';
import { blendThumbnails, embeddedThumbnails, gcodeThumbnails } from './embedded.ts';
import { postScriptThumbnails } from './eps-preview.ts';
import { fitsThumbnails } from './fits.ts';
import { fontThumbnails } from './font.ts';
import { heifThumbnails } from './heif.ts';
import { imageThumbnails } from './image.ts';
import { inDesignThumbnails } from './indesign-preview.ts';
import { meshThumbnails } from './mesh.ts';
import { metafileThumbnails } from './metafile.ts';
import { officeThumbnails } from './office-page.ts';
import { otherImageThumbnails } from './other-images.ts';
import { pdfThumbnails } from './pdf.ts';
import { decodeToEdge, loadSharp, pictureError, type RenderedImage } from './pixels.ts';
import { rawPhotoThumbnails } from './raw-photo.ts';
import { summaryThumbnails } from './summary-preview.ts';
import { svgThumbnails } from './svg.ts';
import { type Acceleration, createVideoThumbnails } from './video.ts';

export interface RenderSettings {
  /** Whether ffmpeg may use a GPU for videos. */
  acceleration?: Acceleration;
}

/** All thumbnailers. They load their libraries on first use, so creating the list is cheap. */
export function createThumbnailers(settings: RenderSettings = {}): readonly Thumbnailer[] {
  return [
    imageThumbnails,
    heifThumbnails,
    otherImageThumbnails,
    fitsThumbnails,
    rawPhotoThumbnails,
    svgThumbnails,
    metafileThumbnails,
    appleIconThumbnails,
    postScriptThumbnails,
    drawingPreviewThumbnails,
    dxfThumbnails,
    createVideoThumbnails(settings.acceleration ?? 'auto'),
    pdfThumbnails,
    audioThumbnails,
    bookThumbnails,
    comicThumbnails,
    officeThumbnails,
    embeddedThumbnails,
    summaryThumbnails,
    inDesignThumbnails,
    gcodeThumbnails,
    blendThumbnails,
    meshThumbnails,
    fontThumbnails,
  ];
}

export const thumbnailers = createThumbnailers();

export function findThumbnailer(extension: string, from: readonly Thumbnailer[] = thumbnailers): Thumbnailer | undefined {
  return from.find((thumbnailer) => thumbnailer.extensions.includes(extension.toLowerCase()));
}

export interface ThumbnailTierSizes {
  gridPx: number;
  previewPx: number;
}

export interface ThumbnailTiers {
  grid: Buffer;
  preview: Buffer;
}

interface TierQuality {
  quality: number;
  effort: number;
  /** A larger result is encoded again at lower quality, because clients fetch thumbnails by the hundred. */
  maxBytes: number;
}
const grid: TierQuality = { quality: 70, effort: 3, maxBytes: 20_000 };
const preview: TierQuality = { quality: 78, effort: 2, maxBytes: 60_000 };
const lowestQuality = 40;

/**
 * Draws both tiers of a file from one decoded picture no larger than the preview tier. Null when the extension has no thumbnailer or the
 * file has no picture.
 */
export async function renderTiers(
  source: Source,
  sizes: ThumbnailTierSizes,
  from: readonly Thumbnailer[] = thumbnailers,
): Promise<ThumbnailTiers | null> {
  const thumbnailer = findThumbnailer(source.extension, from);
  if (thumbnailer === undefined) return null;
  const edge = Math.max(sizes.previewPx, sizes.gridPx);
  const rendered = await thumbnailer.render(source, edge);
  return rendered === null ? null : encodeTiers(rendered, sizes);
}

async function encodeTiers(rendered: RenderedImage, sizes: ThumbnailTierSizes): Promise<ThumbnailTiers> {
  const pixels = rendered.raw ? rendered : await decodeToEdge(rendered.data, Math.max(sizes.previewPx, sizes.gridPx));
  const raw = pixels.raw;
  if (raw === undefined || raw.width === 0 || raw.height === 0) throw new ExtractError('corrupt', 'The picture is empty.');
  const sharp = await loadSharp();
  const encode = (edge: number, quality: number, effort: number): Promise<Buffer> => {
    const picture = sharp(pixels.data, { raw });
    const fitted = Math.max(raw.width, raw.height) > edge ? picture.resize({ width: edge, height: edge, fit: 'inside' }) : picture;
    return fitted.webp({ quality, effort }).toBuffer();
  };
  const tier = async (edge: number, { quality, effort, maxBytes }: TierQuality): Promise<Buffer> => {
    const first = await encode(edge, quality, effort);
    if (first.length <= maxBytes) return first;
    // In this range the size falls slightly faster than the quality.
    return encode(edge, Math.max(lowestQuality, Math.round(quality * (maxBytes / first.length) ** 0.9)), effort);
  };
  try {
    return { preview: await tier(sizes.previewPx, preview), grid: await tier(sizes.gridPx, grid) };
  } catch (error) {
    throw pictureError(error);
  }
}
