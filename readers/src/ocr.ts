import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExtractError } from './contract.ts';
import { findTool, runTool } from './input/external-tool.ts';

/** tesseract where it is installed; otherwise its WebAssembly build with the language data that comes along, three times as slow. */
export async function recognizePicture(png: Buffer, { lang, pageSeconds }: { lang: string; pageSeconds: number }): Promise<string> {
  const tool = findTool('tesseract');
  return tool ? readWithTool(tool, png, lang, pageSeconds) : readWithLibrary(png, lang);
}

async function readWithTool(tool: string, png: Buffer, lang: string, seconds: number): Promise<string> {
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

async function readWithLibrary(png: Buffer, lang: string): Promise<string> {
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

const pictures = new Set(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'tif', 'tiff', 'webp', 'bmp', 'gif']);

/** Whether a file of this extension can be a scan whose text must be recognised. */
export function mayNeedOcr(extension: string): boolean {
  return extension === 'pdf' || pictures.has(extension);
}

/** A document with at least this many characters of its own text is not a scan. */
export const embeddedTextMinChars = 100;

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
