import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import type { RenderedImage } from './pixels.ts';

interface PdfLibrary {
  loadDocument(bytes: Uint8Array): Promise<PdfDocument>;
}
interface PdfPage {
  getOriginalSize(): { originalWidth: number; originalHeight: number };
  render(options: { scale: number; render: 'bitmap' }): Promise<{ width: number; height: number; data: Uint8Array }>;
}
interface PdfDocument {
  getPageCount(): number;
  getPage(index: number): PdfPage;
  destroy(): void;
}

let library: Promise<PdfLibrary> | undefined;

function pdfLibrary(): Promise<PdfLibrary> {
  library ??= import('@hyzyla/pdfium').then(({ PDFiumLibrary }) => PDFiumLibrary.init() as unknown as Promise<PdfLibrary>);
  return library;
}

export const pdfExtensions: readonly string[] = ['pdf', 'ai', 'fdf'];

/**
 * Opens one page (counted from 0) for as long as `use` needs it. Null when the document has no such page or is locked by a password.
 */
export async function withPdfPage<T>(source: Source, index: number, use: (page: PdfPage) => Promise<T>): Promise<T | null> {
  const bytes = readWholeFile(source, source.limits.documentMaxBytes);
  const pdfium = await pdfLibrary();
  let document: PdfDocument | undefined;
  try {
    document = await pdfium.loadDocument(bytes);
    return index < document.getPageCount() ? await use(document.getPage(index)) : null;
  } catch (error) {
    if (document === undefined && /password/i.test(String(error))) return null;
    // A library that failed inside may hold broken memory: the next file gets a fresh one.
    library = undefined;
    throw new ExtractError('corrupt', 'The page of the PDF cannot be drawn.');
  } finally {
    if (library) document?.destroy();
  }
}

/** One page on white paper, scaled by what `scaleFor` answers for its size in points. */
export function drawPdfPage(
  source: Source,
  index: number,
  scaleFor: (width: number, height: number) => number,
): Promise<RenderedImage | null> {
  return withPdfPage(source, index, async (page) => {
    const { originalWidth, originalHeight } = page.getOriginalSize();
    if (!(originalWidth > 0 && originalHeight > 0)) return null;
    const { width, height, data } = await page.render({ scale: scaleFor(originalWidth, originalHeight), render: 'bitmap' });
    return { data: toRgb(data, width, height), raw: { width, height, channels: 3 } };
  });
}

/** The first page of a PDF. */
export const pdfThumbnails: Thumbnailer = {
  name: 'pdf',
  version: 1,
  extensions: pdfExtensions,
  tools: [],
  render: (source, longestEdge) => drawPdfPage(source, 0, (width, height) => longestEdge / Math.max(width, height)),
};

/** The page comes as blue, green, red and transparency; paper is opaque. */
function toRgb(bgra: Uint8Array, width: number, height: number): Buffer {
  const out = Buffer.allocUnsafe(width * height * 3);
  for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
    out[to] = bgra[from + 2]!;
    out[to + 1] = bgra[from + 1]!;
    out[to + 2] = bgra[from]!;
  }
  return out;
}
