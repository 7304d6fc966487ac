import type { Thumbnailer } from '../contract.ts';
import { blendThumbnails } from './blend-preview.ts';
import { audioThumbnails, bookThumbnails, comicThumbnails } from './covers.ts';
import { embeddedThumbnails, gcodeThumbnails } from './embedded.ts';
import { fontThumbnails } from './font.ts';
import { heifThumbnails } from './heif.ts';
import { imageThumbnails } from './image.ts';
import { meshThumbnails } from './mesh.ts';
import { otherImageThumbnails } from './other-images.ts';
import { pdfThumbnails } from './pdf.ts';
import { rawPhotoThumbnails } from './raw-photo.ts';
import { svgThumbnails } from './svg.ts';
import { type Acceleration, createVideoThumbnails } from './video.ts';

export interface RenderSettings {
  /** SVC_THUMB_ACCEL: use a render device for videos when there is one. */
  acceleration?: Acceleration;
}

/** Every renderer. Libraries are loaded by the first file that needs them, so that the list is cheap to have anywhere. */
export function createThumbnailers(settings: RenderSettings = {}): readonly Thumbnailer[] {
  return [
    imageThumbnails,
    heifThumbnails,
    otherImageThumbnails,
    rawPhotoThumbnails,
    svgThumbnails,
    createVideoThumbnails(settings.acceleration ?? 'auto'),
    pdfThumbnails,
    audioThumbnails,
    bookThumbnails,
    comicThumbnails,
    embeddedThumbnails,
    gcodeThumbnails,
    blendThumbnails,
    meshThumbnails,
    fontThumbnails,
  ];
}

export const thumbnailers = createThumbnailers();

/** The renderer of an extension, or undefined. */
export function findThumbnailer(extension: string, from: readonly Thumbnailer[] = thumbnailers): Thumbnailer | undefined {
  return from.find((thumbnailer) => thumbnailer.extensions.includes(extension.toLowerCase()));
}
