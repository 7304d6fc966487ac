/** Formats whose header libvips reads: PNG, WebP, GIF, TIFF, AVIF, HEIC. Only the header is read, never the pixels. */
import { ExtractError } from '../../contract.ts';
import { profileName } from './color-profile.ts';
import { exifFromBlock } from './exif.ts';
import type { ImageFacts } from './facts.ts';
import { readXmp } from './xmp.ts';

export async function readSharpHeader(path: string): Promise<ImageFacts> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  const header = await sharp(path, { limitInputPixels: false, failOn: 'none' })
    .metadata()
    .catch((error: Error) => {
      throw new ExtractError('corrupt', `The image is damaged: ${error.message.replace(/\s+/g, ' ').slice(0, 120)}`);
    });
  const facts: ImageFacts = { format: formatName(header.format, header.compression), width: header.width, height: header.height };
  const alpha = header.hasAlpha === true;
  facts.mode = modeName(header.space, alpha, header.isPalette === true);
  facts.color_space = header.space;
  facts.has_alpha = alpha;
  if (header.bitsPerSample !== undefined) facts.bit_depth = header.bitsPerSample;
  if (header.isProgressive) facts.progressive = true;
  if (header.density !== undefined && header.density > 1) facts.dpi = header.density;
  if (header.orientation !== undefined) facts.orientation = header.orientation;
  const pages = header.pages ?? 1;
  if (header.delay !== undefined && pages > 1) {
    facts.animated = true;
    facts.frames = pages;
    facts.duration = header.delay.slice(0, 100_000).reduce((sum, delay) => sum + delay, 0) / 1000;
    if (header.pageHeight !== undefined) facts.height = header.pageHeight;
  } else if (header.format === 'tiff' && pages > 1) facts.pages = pages;
  if (header.exif !== undefined) {
    const exif = exifFromBlock(header.exif);
    if (exif !== null) facts.exif = exif;
  }
  if (header.xmp !== undefined) facts.xmp = readXmp(header.xmp);
  const profile = header.icc === undefined ? undefined : profileName(header.icc);
  if (profile !== undefined) facts.color_profile = profile;
  return facts;
}

function formatName(format: string | undefined, compression: string | undefined): string {
  if (format === 'heif') return compression === 'av1' ? 'AVIF' : 'HEIC';
  return (format ?? 'unknown').toUpperCase();
}

function modeName(space: string | undefined, alpha: boolean, palette: boolean): string {
  if (palette) return 'P';
  if (space === 'b-w' || space === 'grey16') return alpha ? 'LA' : 'L';
  if (space === 'cmyk') return 'CMYK';
  if (space === 'lab') return 'LAB';
  return alpha ? 'RGBA' : 'RGB';
}
