import type { Source, Thumbnailer } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { decodeToEdge, type RenderedImage } from './pixels.ts';
import { embeddedJpegs } from './raw-previews.ts';

const maxPreviewBytes = 64 * 1024 * 1024;

/** Camera raw files: they are not developed; every camera puts a finished JPEG beside the sensor data. */
export const rawPhotoThumbnails: Thumbnailer = {
  name: 'raw-photo',
  version: 1,
  extensions: [
    ...[
      '3fr',
      'ari',
      'arw',
      'bay',
      'cap',
      'cr2',
      'cr3',
      'crw',
      'dcr',
      'dcs',
      'dng',
      'drf',
      'erf',
      'fff',
      'gpr',
      'iiq',
      'k25',
      'kdc',
      'mdc',
    ],
    ...['mef', 'mos', 'mrw', 'nef', 'nrw', 'orf', 'pef', 'raf', 'raw', 'rw2', 'rwl', 'rwz', 'sr2', 'srf', 'srw', 'x3f'],
  ],
  tools: [{ name: 'exiftool', lost: 'Thumbnails of raw photos that keep their preview in a place only that tool knows.' }],
  async render(source, longestEdge) {
    const inside = await fromFile(source, longestEdge);
    return inside ?? (await byExiftool(source, longestEdge));
  },
};

/** The smallest preview that is large enough, or else the largest. */
async function fromFile(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const previews = await withFileBytes(source, (file) =>
    embeddedJpegs(file)
      .filter((place) => place.length <= maxPreviewBytes)
      .sort((a, b) => b.length - a.length)
      .slice(0, 4)
      .map((place) => file.read(place.offset, place.length)),
  );
  let best: RenderedImage | null = null;
  for (const preview of previews.reverse()) {
    const rendered = await decodeToEdge(preview, longestEdge).catch(() => null);
    if (rendered?.raw === undefined) continue;
    if (Math.max(rendered.raw.width, rendered.raw.height) > Math.max(best?.raw?.width ?? 0, best?.raw?.height ?? 0)) best = rendered;
    if (Math.max(rendered.raw.width, rendered.raw.height) >= longestEdge) break;
  }
  return best;
}

async function byExiftool(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const tool = findTool('exiftool');
  if (tool === null) return null;
  for (const tag of ['-JpgFromRaw', '-PreviewImage', '-OtherImage', '-ThumbnailImage']) {
    const result = await runTool(tool, ['-b', tag, source.path], {
      timeoutSeconds: source.limits.exifTimeoutSeconds,
      maxOutputBytes: maxPreviewBytes,
    });
    if (result.stdout.length < 100) continue;
    const rendered = await decodeToEdge(result.stdout, longestEdge).catch(() => null);
    if (rendered) return rendered;
  }
  return null;
}
