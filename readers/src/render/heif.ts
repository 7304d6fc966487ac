import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { findTool, runTool } from '../input/external-tool.ts';
import { decodeToEdge, type RenderedImage, readPictureFile } from './pixels.ts';

const timeoutSeconds = 60;

/**
 * HEIC pictures. Our build of sharp reads the container but has no HEVC decoder. Attempts, best first: sharp itself (some files are AVIF),
 * vipsthumbnail, heif-convert or heif-dec, and the small preview in the metadata.
 */
export const heifThumbnails: Thumbnailer = {
  name: 'heif',
  version: 1,
  extensions: ['heic', 'heics', 'heif', 'hif'],
  tools: [
    { name: 'vipsthumbnail', lost: 'Sharp thumbnails of HEIC photos; small ones from their metadata remain.' },
    { name: 'heif-convert', lost: 'The second way to draw HEIC photos.' },
  ],
  async render(source, longestEdge) {
    const bytes = readPictureFile(source);
    const attempts = [
      () => decodeToEdge(bytes, longestEdge),
      () => drawWithVips(source, longestEdge),
      () => drawWithConverter(source, longestEdge),
      () => drawMetadataPreview(bytes, longestEdge),
    ];
    for (const attempt of attempts) {
      try {
        const rendered = await attempt();
        if (rendered) return rendered;
      } catch (error) {
        // A picture that exceeds a limit must not be tried with another tool.
        if (error instanceof ExtractError && error.kind === 'guard') throw error;
      }
    }
    const hasTool = ['vipsthumbnail', 'heif-convert', 'heif-dec'].some((name) => findTool(name) !== null);
    throw hasTool
      ? new ExtractError('corrupt', 'The picture is damaged.')
      : new ExtractError('dependency', 'HEIC pictures need vipsthumbnail or heif-convert.');
  },
};

async function drawWithVips(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const tool = findTool('vipsthumbnail');
  if (tool === null) return null;
  const result = await runTool(tool, [source.path, '--size', `${longestEdge}x${longestEdge}>`, '-o', '.png'], {
    timeoutSeconds,
    maxOutputBytes: 64 << 20,
  });
  return result.code === 0 && result.stdout.length > 0 ? decodeToEdge(result.stdout, longestEdge) : null;
}

async function drawWithConverter(source: Source, longestEdge: number): Promise<RenderedImage | null> {
  const tool = findTool('heif-convert') ?? findTool('heif-dec');
  if (tool === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'catalog-heif-'));
  try {
    const result = await runTool(tool, ['-q', '90', source.path, join(folder, 'out.jpg')], { timeoutSeconds });
    return result.code === 0 ? await decodeToEdge(readFileSync(join(folder, 'out.jpg')), longestEdge) : null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function drawMetadataPreview(bytes: Buffer, longestEdge: number): Promise<RenderedImage | null> {
  const { default: exifr } = await import('exifr');
  // Without readable metadata there is no preview.
  const preview = await exifr.thumbnail(bytes).catch(() => undefined);
  return preview ? decodeToEdge(Buffer.from(preview), longestEdge) : null;
}
