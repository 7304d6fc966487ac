import type sharpModule from 'sharp';
import { ExtractError, type Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';

/** What a renderer gives: an encoded picture or raw pixels. */
export interface RenderedImage {
  data: Buffer;
  raw?: { width: number; height: number; channels: 3 | 4 };
}

/** More pixels than this are not decoded: a flood of them is how a small file fills a large memory. */
export const maxPixels = 50_000_000;
/** JPEG is decoded at an eighth of its size, so that the largest cameras and stitched panoramas stay cheap. */
export const maxJpegPixels = 400_000_000;

let loaded: Promise<typeof sharpModule> | undefined;

/** The image library, loaded on first use, one thread a file and no cache: a reader sees each file once. */
export function loadSharp(): Promise<typeof sharpModule> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}

/** The library's complaint in our terms. */
export function pictureError(error: unknown): ExtractError {
  if (error instanceof ExtractError) return error;
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds|too large/i.test(message)) return new ExtractError('guard', 'The picture has more pixels than are decoded.');
  return new ExtractError('corrupt', 'The picture is damaged.');
}

const isJpeg = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xd8;

/**
 * Decodes a picture once, upright and in sRGB, no larger than `longestEdge`, into raw pixels. Pictures that end early are shown as far
 * as they go.
 */
export async function decodeToEdge(input: Buffer, longestEdge: number, options: { density?: number } = {}): Promise<RenderedImage> {
  const sharp = await loadSharp();
  try {
    const { data, info } = await sharp(input, {
      limitInputPixels: isJpeg(input) ? maxJpegPixels : maxPixels,
      failOn: 'none',
      autoOrient: true,
      ...options,
    })
      .resize({ width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 3 || info.channels === 4)
      return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
    return { data: spread(data, info.channels), raw: { width: info.width, height: info.height, channels: info.channels === 2 ? 4 : 3 } };
  } catch (error) {
    throw pictureError(error);
  }
}

/** Grey, with or without transparency, as colour. */
function spread(data: Buffer, channels: number): Buffer {
  const out = Buffer.allocUnsafe((data.length / channels) * (channels === 2 ? 4 : 3));
  for (let from = 0, to = 0; from < data.length; from += channels) {
    out[to++] = data[from]!;
    out[to++] = data[from]!;
    out[to++] = data[from]!;
    if (channels === 2) out[to++] = data[from + 1]!;
  }
  return out;
}

/** A picture file larger than this is not drawn. */
const maxPictureBytes = 512 * 1024 * 1024;

/**
 * The bytes of a picture. They are handed over as a buffer, not as a path: formats that can name other files then have no folder to
 * look in, and names of files never reach the library.
 */
export function readPictureFile(source: Source): Buffer {
  return readWholeFile(source, maxPictureBytes);
}
