import { ExtractError, readWholeFile, type Thumbnailer } from '../../extract/index.ts';

interface PdfLibrary {
  loadDocument(bytes: Uint8Array): Promise<PdfDocument>;
}
interface PdfDocument {
  getPageCount(): number;
  getPage(index: number): {
    getOriginalSize(): { originalWidth: number; originalHeight: number };
    render(options: { scale: number; render: 'bitmap' }): Promise<{ width: number; height: number; data: Uint8Array }>;
  };
  destroy(): void;
}

let library: Promise<PdfLibrary> | undefined;

function pdfLibrary(): Promise<PdfLibrary> {
  library ??= import('@hyzyla/pdfium').then(({ PDFiumLibrary }) => PDFiumLibrary.init() as unknown as Promise<PdfLibrary>);
  return library;
}

/** The first page of a PDF on white paper. */
export const pdfThumbnails: Thumbnailer = {
  name: 'pdf',
  version: 1,
  extensions: ['pdf', 'ai', 'fdf'],
  tools: [],
  async render(source, longestEdge) {
    const bytes = readWholeFile(source, source.limits.documentMaxBytes);
    const pdfium = await pdfLibrary();
    let document: PdfDocument | undefined;
    try {
      document = await pdfium.loadDocument(bytes);
      if (document.getPageCount() === 0) return null;
      const page = document.getPage(0);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const longest = Math.max(originalWidth, originalHeight);
      if (!(longest > 0)) return null;
      const { width, height, data } = await page.render({ scale: longestEdge / longest, render: 'bitmap' });
      return { data: toRgb(data, width, height), raw: { width, height, channels: 3 } };
    } catch (error) {
      if (document === undefined && /password/i.test(String(error))) return null;
      // A library that failed inside may hold broken memory: the next file gets a fresh one.
      library = undefined;
      throw new ExtractError('corrupt', 'The first page of the PDF cannot be drawn.');
    } finally {
      if (library) document?.destroy();
    }
  },
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
