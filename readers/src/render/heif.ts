import { ExtractError, type Thumbnailer } from '../contract.ts';
import { itemTurns, readPrimaryItem } from '../formats/image/heif-items.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { decodeToEdge, loadSharp, maxPixels, type RenderedImage, readPictureFile } from './pixels.ts';
import { rgbTiff } from './tiff-picture.ts';
import { drawUncompressedHeif } from './uncompressed-heif/picture.ts';

/**
 * HEIC pictures. Our build of sharp reads the container but has no HEVC decoder, so libheif decodes them and sharp scales the result.
 * Some files hold AVIF, which only sharp decodes; of others only the small preview in the metadata is intact. Uncompressed pictures and
 * those that are a JPEG are read here.
 */
export const heifThumbnails: Thumbnailer = {
  name: 'heif',
  version: 3,
  extensions: ['heic', 'heics', 'heif', 'hif'],
  tools: [],
  async render(source, longestEdge) {
    const simple = await withFileBytes(source, (file) => drawSimpleItem(file, longestEdge));
    if (simple !== undefined) return simple;
    const bytes = readPictureFile(source);
    const attempts = [
      () => decodeHeif(bytes, longestEdge),
      () => decodeToEdge(bytes, longestEdge),
      () => drawMetadataPreview(bytes, longestEdge),
    ];
    for (const attempt of attempts) {
      try {
        const rendered = await attempt();
        if (rendered) return rendered;
      } catch (error) {
        // A picture that exceeds a limit must not be tried with another decoder.
        if (error instanceof ExtractError && error.kind === 'guard') throw error;
      }
    }
    throw new ExtractError('corrupt', 'The picture is damaged.');
  },
};

/** Returns undefined if the picture needs a decoder of libheif or sharp. */
async function drawSimpleItem(file: FileBytes, longestEdge: number): Promise<RenderedImage | null | undefined> {
  const item = readPrimaryItem(file);
  if (item?.type === 'unci') return drawUncompressedHeif(file, item, longestEdge);
  if (item !== null && undecoded.has(item.type)) return null;
  if (item?.type !== 'jpeg') return undefined;
  // The tables of the JPEG may be in a property, so that several pictures share them.
  const header = item.properties.find(({ type }) => type === 'jpgC')?.body ?? Buffer.alloc(0);
  const length = item.extents.reduce((sum, extent) => sum + extent.length, header.length);
  if (length > maxJpegBytes) throw new ExtractError('guard', 'The picture has more pixels than are decoded.');
  const picture = Buffer.concat([header, ...item.extents.map((extent) => file.read(extent.offset, extent.length))]);
  const turns = item.properties.reduce((sum, box) => sum + itemTurns(box), 0);
  return decodeToEdge(picture, longestEdge, { orientation: orientationOfTurns[turns & 3] ?? 1 });
}

/** Exif orientations by quarter turns counter-clockwise. */
const orientationOfTurns = [1, 8, 3, 6];

/** AVC, VVC and JPEG 2000: rare in HEIF files, and without a decoder here. */
const undecoded = new Set(['avc1', 'vvc1', 'j2k1']);

const maxJpegBytes = 128 << 20;

/** The functions of libheif's C interface used here. Functions that return an error write it to the address in their first argument. */
interface Libheif {
  HEAPU8: Uint8Array;
  HEAP32: Int32Array;
  _malloc(size: number): number;
  _free(pointer: number): void;
  _heif_context_alloc(): number;
  _heif_context_free(context: number): void;
  _heif_context_read_from_memory_without_copy(error: number, context: number, data: number, size: number, options: number): void;
  _heif_context_get_primary_image_handle(error: number, context: number, handle: number): void;
  _heif_image_handle_release(handle: number): void;
  _heif_image_handle_get_list_of_thumbnail_IDs(handle: number, ids: number, count: number): number;
  _heif_image_handle_get_thumbnail(error: number, handle: number, id: number, thumbnail: number): void;
  _heif_image_handle_get_width(handle: number): number;
  _heif_image_handle_get_height(handle: number): number;
  _heif_image_handle_get_raw_color_profile_size(handle: number): number;
  _heif_image_handle_get_raw_color_profile(error: number, handle: number, data: number): void;
  _heif_decode_image(error: number, handle: number, image: number, colorspace: number, chroma: number, options: number): void;
  _heif_image_release(image: number): void;
  _heif_image_get_width(image: number, channel: number): number;
  _heif_image_get_height(image: number, channel: number): number;
  _heif_image_get_plane_readonly(image: number, channel: number, stride: number): number;
}

const colorspaceRgb = 1;
const chromaInterleavedRgb = 10;
const channelInterleaved = 10;

let library: Promise<Libheif> | undefined;

function loadLibheif(): Promise<Libheif> {
  library ??= import('libheif-js/libheif-wasm/libheif-bundle.mjs').then(({ default: create }) => create() as unknown as Libheif);
  return library;
}

/** Decodes the primary picture upright, because libheif applies the rotation that the container states. Null when there is none. */
async function decodeHeif(bytes: Buffer, longestEdge: number): Promise<RenderedImage | null> {
  const heif = await loadLibheif();
  const memory = heif._malloc(bytes.length + 64);
  if (memory === 0) throw new ExtractError('guard', 'Reading the file needs more memory than a reader may use.');
  // The first 64 bytes take errors and returned pointers.
  const result = memory + 16;
  const failed = (): boolean => heif.HEAP32[memory >> 2] !== 0;
  const returned = (): number => heif.HEAP32[result >> 2] ?? 0;
  heif.HEAPU8.set(bytes, memory + 64);
  const context = heif._heif_context_alloc();
  let handle = 0;
  let image = 0;
  try {
    heif._heif_context_read_from_memory_without_copy(memory, context, memory + 64, bytes.length, 0);
    if (failed()) return null;
    heif._heif_context_get_primary_image_handle(memory, context, result);
    if (failed()) return null;
    handle = returned();
    if (hasTooManyPixels(heif, handle)) {
      const preview = storedPreview(heif, handle, memory);
      heif._heif_image_handle_release(handle);
      handle = preview;
    }
    if (handle === 0 || hasTooManyPixels(heif, handle)) throw new ExtractError('guard', 'The picture has more pixels than are decoded.');
    heif._heif_decode_image(memory, handle, result, colorspaceRgb, chromaInterleavedRgb, 0);
    if (failed()) return null;
    image = returned();
    const width = heif._heif_image_get_width(image, channelInterleaved);
    const height = heif._heif_image_get_height(image, channelInterleaved);
    const plane = heif._heif_image_get_plane_readonly(image, channelInterleaved, result);
    const pixels = packRows(heif, plane, width * 3, returned(), height);
    const sharp = await loadSharp();
    const { data, info } = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .resize({ width: longestEdge, height: longestEdge, fit: 'inside', withoutEnlargement: true })
      .raw()
      .toBuffer({ resolveWithObject: true });
    const profile = colorProfile(heif, handle, memory);
    if (profile === null) return { data, raw: { width: info.width, height: info.height, channels: 3 } };
    return await decodeToEdge(rgbTiff(data, info.width, info.height, profile), longestEdge);
  } catch (error) {
    // A failure inside libheif may corrupt its memory, so the next file gets a new instance.
    library = undefined;
    throw error;
  } finally {
    if (library !== undefined) {
      if (image !== 0) heif._heif_image_release(image);
      if (handle !== 0) heif._heif_image_handle_release(handle);
      heif._heif_context_free(context);
      heif._free(memory);
    }
  }
}

const hasTooManyPixels = (heif: Libheif, handle: number): boolean =>
  heif._heif_image_handle_get_width(handle) * heif._heif_image_handle_get_height(handle) > maxPixels;

/** Phones store a small picture beside one of 200 megapixels. Returns 0 if there is none. */
function storedPreview(heif: Libheif, handle: number, memory: number): number {
  const result = memory + 16;
  if (heif._heif_image_handle_get_list_of_thumbnail_IDs(handle, result, 1) !== 1) return 0;
  heif._heif_image_handle_get_thumbnail(memory, handle, heif.HEAP32[result >> 2] ?? 0, result);
  return heif.HEAP32[memory >> 2] === 0 ? (heif.HEAP32[result >> 2] ?? 0) : 0;
}

/** Moves rows together in place, because sharp takes no padding. The view is valid until libheif allocates memory again. */
function packRows(heif: Libheif, plane: number, rowBytes: number, stride: number, height: number): Buffer {
  if (stride !== rowBytes)
    for (let y = 1; y < height; y++) heif.HEAPU8.copyWithin(plane + y * rowBytes, plane + y * stride, plane + y * stride + rowBytes);
  return Buffer.from(heif.HEAPU8.buffer as ArrayBuffer, plane, rowBytes * height);
}

const maxProfileBytes = 4 * 1024 * 1024;

function colorProfile(heif: Libheif, handle: number, memory: number): Buffer | null {
  const size = heif._heif_image_handle_get_raw_color_profile_size(handle);
  if (size < 128 || size > maxProfileBytes) return null;
  const data = heif._malloc(size);
  heif._heif_image_handle_get_raw_color_profile(memory, handle, data);
  const profile = Buffer.from(heif.HEAPU8.subarray(data, data + size));
  heif._free(data);
  return profile;
}

async function drawMetadataPreview(bytes: Buffer, longestEdge: number): Promise<RenderedImage | null> {
  const { default: exifr } = await import('exifr');
  // Without readable metadata there is no preview.
  const preview = await exifr.thumbnail(bytes).catch(() => undefined);
  return preview ? decodeToEdge(Buffer.from(preview), longestEdge) : null;
}
