import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ExtractError, type Thumbnailer } from '../contract.ts';
import { eastAsianFontFolders } from '../formats/pdf/fallback-fonts.ts';
import { decodeToEdge, loadSharp, pictureError, type RenderedImage, readPictureFile } from './pixels.ts';

const maxSvgBytes = 32 * 1024 * 1024;

/** Vector pictures, rendered at the requested size instead of scaled up from their own. */
export const svgThumbnails: Thumbnailer = {
  name: 'svg',
  version: 2,
  extensions: ['svg', 'svgz'],
  tools: [],
  render: (source, longestEdge) => drawSvg(gunzipSvg(readPictureFile(source)), longestEdge),
};

/**
 * Draws an SVG document. librsvg follows references only to files beside a document with a path, and this one is a buffer, so nothing
 * else is read.
 */
export async function drawSvg(svg: Buffer, longestEdge: number): Promise<RenderedImage> {
  shipFont();
  const sharp = await loadSharp();
  try {
    const sizeAt = async (density: number): Promise<number> => {
      // The declared size may be huge, but only the size at the chosen density is drawn.
      const { width, height } = await sharp(svg, { limitInputPixels: false, density }).metadata();
      return Math.max(1, width, height);
    };
    // sharp offers only a density to choose the rendered size; 72 dpi is one pixel per unit.
    const scale = longestEdge / (await sizeAt(72));
    const limited = (density: number): number => Math.min(100_000, Math.max(1, density));
    // Sizes in centimetres or inches grow with the square of the density.
    const grown = await sizeAt(limited(72 * scale)).catch(() => longestEdge);
    const density = limited(72 * (grown > longestEdge * 1.5 || grown < longestEdge / 1.5 ? Math.sqrt(scale) : scale));
    return await decodeToEdge(svg, longestEdge, { density });
  } catch (error) {
    throw pictureError(error);
  }
}

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

export const shippedFont = 'DejaVu Sans';

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Makes the shipped fonts known beside those of the system, because servers often have none and text would be drawn as boxes. */
function shipFont(): void {
  if (process.env['FONTCONFIG_FILE'] !== undefined) return;
  const latin = join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');
  const folders = [latin, ...eastAsianFontFolders()].map((folder) => `<dir>${escapeXml(folder)}</dir>`).join('');
  const config = join(tmpdir(), 'fonts.conf');
  writeFileSync(
    config,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include>${folders}<cachedir>${escapeXml(tmpdir())}</cachedir></fontconfig>`,
  );
  process.env['FONTCONFIG_FILE'] = config;
}
