/** The sandbox task that draws one page of a document. */
import { ExtractError, type Source } from '../contract.ts';
import { drawSlide, slideExtensions } from '../render/office-page.ts';
import { drawPdfPage } from '../render/pdf.ts';
import { loadSharp } from '../render/pixels.ts';

export interface PageOptions {
  /** Counted from 1. */
  page: number;
  width: number;
}

/** Limits the memory for pages that are much taller than wide. */
const maxHeight = 8000;

export default async function drawPage(source: Source, { page, width }: PageOptions): Promise<Buffer | null> {
  const drawn = slideExtensions.includes(source.extension)
    ? await drawSlide(source, page - 1, width)
    : await drawPdfPage(source, page - 1, (w, h) => Math.min(width / w, maxHeight / h));
  if (drawn?.raw === undefined) return null;
  if (drawn.raw.width * drawn.raw.height === 0) throw new ExtractError('corrupt', 'The page is empty.');
  const sharp = await loadSharp();
  return sharp(drawn.data, { raw: drawn.raw }).webp({ quality: 82, effort: 2 }).toBuffer();
}
