import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExtractError } from './contract.ts';
import { findTool, runTool } from './input/external-tool.ts';

/** Uses tesseract where it is installed; otherwise its WebAssembly build, which is three times slower and supports English only. */
export async function recognizePicture(png: Buffer, { lang, pageSeconds }: { lang: string; pageSeconds: number }): Promise<string> {
  const tool = findTool('tesseract');
  return tool ? recognizeWithTool(tool, png, lang, pageSeconds) : recognizeWithLibrary(png, lang);
}

async function recognizeWithTool(tool: string, png: Buffer, lang: string, seconds: number): Promise<string> {
  const { code, stdout, stderr } = await runTool(tool, ['stdin', 'stdout', '-l', lang, '--psm', '3'], {
    timeoutSeconds: seconds,
    input: png,
  });
  if (code !== 0)
    throw new ExtractError(
      'dependency',
      /Failed loading language|Error opening data/.test(stderr)
        ? `tesseract has no data for the language "${lang}".`
        : 'tesseract could not read the page.',
    );
  return stdout.toString('utf8');
}

async function recognizeWithLibrary(png: Buffer, lang: string): Promise<string> {
  if (lang !== 'eng') throw new ExtractError('dependency', `Without tesseract only the language "eng" can be read, not "${lang}".`);
  const { createWorker } = await import('tesseract.js').catch(() => {
    throw new ExtractError('dependency', 'Neither tesseract nor its WebAssembly build is installed.');
  });
  const data = path.join(path.dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng'))), '4.0.0_best_int');
  const worker = await createWorker(lang, 1, { langPath: data, cacheMethod: 'none', gzip: true });
  try {
    return (await worker.recognize(png)).data.text;
  } finally {
    await worker.terminate();
  }
}

const pictureExtensions = new Set(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'tif', 'tiff', 'webp', 'bmp', 'gif']);

/** Whether files with this extension can be scans whose text must be recognised. */
export function mayNeedOcr(extension: string): boolean {
  return extension === 'pdf' || pictureExtensions.has(extension);
}

/** A document with at least this many characters of embedded text is not a scan. */
export const embeddedTextMinChars = 100;

/** Recognition works best at 200 dpi; PDF units are 1/72 inch. */
const pdfScale = 200 / 72;
const maxPixels = 50_000_000;

/** Converts a picture to an upright grey PNG no larger than recognition needs. */
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

/** Renders the pages of a PDF as grey PNGs, one at a time. */
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
      const scale = Math.min(pdfScale, Math.sqrt(maxPixels / Math.max(1, originalWidth * originalHeight)));
      const { width, height, data } = await page.render({ scale, render: 'bitmap' });
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
