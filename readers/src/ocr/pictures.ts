import { ExtractError } from '../contract.ts';

/** 200 dots an inch: what recognition was trained on; PDF measures in 72nds of an inch. */
const scale = 200 / 72;
const maxPixels = 50_000_000;

/** A picture as a grey PNG, upright and not larger than recognition needs. */
export async function preparePicture(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  try {
    return await sharp(bytes, { limitInputPixels: maxPixels })
      .rotate()
      .resize({ width: 4000, height: 4000, fit: 'inside', withoutEnlargement: true })
      .greyscale()
      .png()
      .toBuffer();
  } catch {
    throw new ExtractError('corrupt', 'The picture cannot be read.');
  }
}

/** The pages of a PDF as grey PNGs, drawn one at a time. */
export async function* renderPdfPages(bytes: Buffer, maxPages: number): AsyncGenerator<Buffer> {
  const [{ PDFiumLibrary }, { default: sharp }] = await Promise.all([import('@hyzyla/pdfium'), import('sharp')]);
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(bytes).catch(() => {
    throw new ExtractError('corrupt', 'The PDF cannot be opened.');
  });
  try {
    for (let at = 0; at < Math.min(document.getPageCount(), maxPages); at += 1) {
      const page = document.getPage(at);
      const { originalWidth, originalHeight } = page.getOriginalSize();
      const fitting = Math.min(scale, Math.sqrt(maxPixels / Math.max(1, originalWidth * originalHeight)));
      const { width, height, data } = await page.render({ scale: fitting, render: 'bitmap' });
      yield await sharp(Buffer.from(data), { raw: { width, height, channels: 4 } })
        .greyscale()
        .png()
        .toBuffer();
    }
  } finally {
    document.destroy();
    library.destroy();
  }
}
