import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { jxlHasLastCodestreamBox } from '../formats/image/jxl.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { decodeBmpFile } from './bitmap.ts';
import { hasSharpSignature } from './image.ts';
import { decodeToEdge, type RenderedImage, readPictureFile } from './pixels.ts';

const timeoutSeconds = 30;

/** The start of playlists and manifests. ffmpeg would open the files and URLs they name, so they are rejected. */
const playlistStart = /^\s*(#EXTM3U|ffconcat|v=0|\[playlist\]|<\?xml|<MPD|<AssetMap)/i;

/** Decodes one frame with ffmpeg as PNG, scaled down to `longestEdge`; null when there is none. */
export async function extractFrame(source: Source, longestEdge: number, inputOptions: readonly string[] = []): Promise<Buffer | null> {
  const ffmpeg = findTool('ffmpeg');
  if (ffmpeg === null) throw new ExtractError('dependency', 'ffmpeg is not installed.');
  const head = await withFileBytes(source, (file) => file.read(0, 64).toString('latin1'));
  if (playlistStart.test(head)) throw new ExtractError('corrupt', 'The file is a playlist, not a picture or a video.');
  const scale = `scale=w='min(${longestEdge},iw)':h='min(${longestEdge},ih)':force_original_aspect_ratio=decrease`;
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-protocol_whitelist',
    'file',
    ...inputOptions,
    '-i',
    `file:${source.path}`,
    '-an',
    '-sn',
    '-dn',
    '-frames:v',
    '1',
  ];
  const result = await runTool(ffmpeg, [...args, '-vf', scale, '-pix_fmt', 'rgba', '-f', 'image2pipe', '-c:v', 'png', '-'], {
    timeoutSeconds,
    maxOutputBytes: 64 * 1024 * 1024,
  });
  return result.stdout.length > 0 ? result.stdout : null;
}

async function drawWithFfmpeg(source: Source, longestEdge: number): Promise<RenderedImage> {
  const frame = await extractFrame(source, longestEdge);
  if (frame === null) throw new ExtractError('corrupt', 'The picture is damaged.');
  return decodeToEdge(frame, longestEdge);
}

/** Pictures that sharp cannot decode. Some contain a preview that it can decode; the others need ffmpeg. */
export const otherImageThumbnails: Thumbnailer = {
  name: 'other-image',
  version: 1,
  extensions: (
    'bmp dib ico cur psd psb jp2 j2k jpf jpx jpc jxl ppm pgm pbm pnm pam tga targa dds exr hdr qoi pcx sgi rgb ras xbm xpm ' + 'xwd wbmp'
  ).split(' '),
  tools: [{ name: 'ffmpeg', lost: 'Thumbnails of packed BMP, JPEG 2000, JPEG XL, TGA, EXR and other rare picture formats.' }],
  async render(source, longestEdge) {
    if (await hasSharpSignature(source)) return decodeToEdge(readPictureFile(source), longestEdge);
    if (source.extension === 'psd' || source.extension === 'psb') {
      const preview = await photoshopPreview(source);
      // The preview is small, so the picture itself is preferred where ffmpeg can decode it.
      return findTool('ffmpeg') !== null && source.extension === 'psd'
        ? drawWithFfmpeg(source, longestEdge).catch((error: unknown) =>
            preview ? decodeToEdge(preview, longestEdge) : Promise.reject(error),
          )
        : preview && decodeToEdge(preview, longestEdge);
    }
    if (source.extension === 'bmp' || source.extension === 'dib') {
      const bitmap = decodeBmpFile(readPictureFile(source));
      if (bitmap) return bitmap;
    }
    if (source.extension === 'ico' || source.extension === 'cur') {
      const icon = await largestIcon(source);
      if (icon) return decodeToEdge(icon, longestEdge);
    }
    if (source.extension === 'hdr' && !(await withFileBytes(source, (file) => file.read(0, 2).toString('latin1') === '#?'))) {
      // Geodata programs use the extension for texts beside a picture.
      return null;
    }
    if (source.extension === 'jxl' && !(await withFileBytes(source, jxlHasLastCodestreamBox))) {
      throw new ExtractError('corrupt', 'The picture is damaged.');
    }
    return drawWithFfmpeg(source, longestEdge);
  },
};

/** The JPEG preview in Photoshop's image resource 1036. */
function photoshopPreview(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const head = file.need(0, 30);
    if (head.toString('latin1', 0, 4) !== '8BPS') return null;
    const resourcesAt = 30 + head.readUInt32BE(26);
    const length = file.need(resourcesAt, 4).readUInt32BE(0);
    const end = Math.min(file.size, resourcesAt + 4 + length);
    for (let at = resourcesAt + 4; at + 12 <= end; ) {
      const block = file.need(at, 12);
      if (block.toString('latin1', 0, 4) !== '8BIM') return null;
      const nameBytes = (block.readUInt8(6) + 2) & ~1;
      const sizeAt = at + 6 + nameBytes;
      const size = file.need(sizeAt, 4).readUInt32BE(0);
      // The JPEG follows a header of 28 bytes.
      if (block.readUInt16BE(4) === 1036 && size > 28 && sizeAt + 4 + size <= end) return file.need(sizeAt + 4 + 28, size - 28);
      at = sizeAt + 4 + ((size + 1) & ~1);
    }
    return null;
  });
}

/** The largest PNG in an icon file; null when it has only bitmaps. */
function largestIcon(source: Source): Promise<Buffer | null> {
  return withFileBytes(source, (file) => {
    const count = Math.min(256, file.need(0, 6).readUInt16LE(4));
    const entries = file.need(6, count * 16);
    let best: { offset: number; size: number } | undefined;
    for (let i = 0; i < count; i++) {
      const size = entries.readUInt32LE(i * 16 + 8);
      const offset = entries.readUInt32LE(i * 16 + 12);
      if (file.read(offset, 4).toString('latin1') === '\x89PNG' && size > (best?.size ?? 0)) best = { offset, size };
    }
    return best ? file.read(best.offset, best.size) : null;
  });
}
