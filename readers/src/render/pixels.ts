// biome-ignore-all lint/style/noNonNullAssertion: indexes stay below the length of the pixel data.
import type sharpModule from 'sharp';
import { ExtractError, type Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';

/** An encoded picture, or raw pixels when `raw` is set. */
export interface RenderedImage {
  data: Buffer;
  raw?: { width: number; height: number; channels: 3 | 4 };
}

/** Larger pictures are not decoded, because a small file can declare enough pixels to fill the memory. */
export const maxPixels = 50_000_000;
/** JPEG may be larger, because it can be decoded at an eighth of its size. */
const maxJpegPixels = 400_000_000;

let loaded: Promise<typeof sharpModule> | undefined;

/** Loads sharp on first use, with one thread and no cache, because each file is decoded once. */
export function loadSharp(): Promise<typeof sharpModule> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.concurrency(1);
    sharp.cache(false);
    return sharp;
  });
  return loaded;
}

/** Converts an error of sharp to an ExtractError. */
export function pictureError(error: unknown): ExtractError {
  if (error instanceof ExtractError) return error;
  const message = error instanceof Error ? error.message : '';
  if (/pixel limit|exceeds|too large/i.test(message)) return new ExtractError('guard', 'The picture has more pixels than are decoded.');
  return new ExtractError('corrupt', 'The picture is damaged.');
}

const isJpeg = (head: Buffer): boolean => head[0] === 0xff && head[1] === 0xd8;

/** Degrees clockwise that make a picture upright, by its Exif orientation. Cameras do not write the mirrored ones. */
const turns: Readonly<Record<number, number>> = { 3: 180, 6: 90, 8: 270 };

interface DecodeOptions {
  density?: number;
  /** The orientation of a picture that states none itself. */
  orientation?: number;
}

/**
 * Decodes a picture to raw pixels, upright, in sRGB and scaled down to `longestEdge`. A truncated picture is decoded as far as possible.
 */
export async function decodeToEdge(
  input: Buffer,
  longestEdge: number,
  { orientation = 1, ...options }: DecodeOptions = {},
): Promise<RenderedImage> {
  const sharp = await loadSharp();
  try {
    const picture = sharp(input, {
      limitInputPixels: isJpeg(input) ? maxJpegPixels : maxPixels,
      failOn: 'none',
      autoOrient: true,
      ...options,
    });
    const turn = turns[orientation];
    if (turn !== undefined && (await picture.metadata()).orientation === undefined) picture.rotate(turn);
    const { data, info } = await picture
      .resize({ width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    if (info.channels === 3 || info.channels === 4)
      return { data, raw: { width: info.width, height: info.height, channels: info.channels } };
    return {
      data: expandGrey(data, info.channels),
      raw: { width: info.width, height: info.height, channels: info.channels === 2 ? 4 : 3 },
    };
  } catch (error) {
    throw pictureError(error);
  }
}

/** Expands grey pixels, with or without alpha, to colour. */
function expandGrey(data: Buffer, channels: number): Buffer {
  const out = Buffer.allocUnsafe((data.length / channels) * (channels === 2 ? 4 : 3));
  for (let from = 0, to = 0; from < data.length; from += channels) {
    out[to++] = data[from]!;
    out[to++] = data[from]!;
    out[to++] = data[from]!;
    if (channels === 2) out[to++] = data[from + 1]!;
  }
  return out;
}

/** Larger picture files are not drawn. */
const maxPictureBytes = 512 * 1024 * 1024;

/** Reads a picture into memory. Decoders get a buffer instead of a path, so formats that refer to other files cannot open them. */
export function readPictureFile(source: Source): Buffer {
  return readWholeFile(source, maxPictureBytes);
}
