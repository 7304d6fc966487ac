import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExtractError } from './contract.ts';
import { withPdf } from './formats/pdf/pdfium.ts';
import { findTool, runTool } from './input/external-tool.ts';
import { decodeBmpFile } from './render/bitmap.ts';
import { drawPdfBytes } from './render/pdf.ts';

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
  if (code !== 0) {
    if (/Failed loading language|Error opening data/.test(stderr)) throw noDataFor(lang);
    await requireOcr(lang);
    throw new ExtractError('corrupt', 'tesseract could not read the page.');
  }
  return stdout.toString('utf8');
}

const noDataFor = (lang: string) => new ExtractError('dependency', `tesseract has no data for the language "${lang}".`);
const onlyEnglish = (lang: string) =>
  new ExtractError('dependency', `Without tesseract only the language "eng" can be read, not "${lang}".`);
const neither = () => new ExtractError('dependency', 'Neither tesseract nor its WebAssembly build is installed.');

/** Why no text can be recognised on this machine, or null when it can. */
export async function ocrObstacle(lang: string): Promise<string | null> {
  try {
    await requireOcr(lang);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function requireOcr(lang: string): Promise<void> {
  const tool = findTool('tesseract');
  if (tool) {
    const { stdout, stderr } = await runTool(tool, ['--list-langs'], { timeoutSeconds: 10 });
    // Old versions print the list on the other stream.
    const known = `${stdout.toString('utf8')}\n${stderr}`.split(/\s+/);
    const missing = lang.split('+').filter((each) => !known.includes(each));
    if (missing.length > 0) throw noDataFor(missing.join('+'));
    return;
  }
  try {
    createRequire(import.meta.url).resolve('tesseract.js');
  } catch {
    throw neither();
  }
  if (lang !== 'eng') throw onlyEnglish(lang);
}

async function recognizeWithLibrary(png: Buffer, lang: string): Promise<string> {
  if (lang !== 'eng') throw onlyEnglish(lang);
  const { createWorker } = await import('tesseract.js').catch(() => {
    throw neither();
  });
  const data = path.join(path.dirname(fileURLToPath(import.meta.resolve('@tesseract.js-data/eng'))), '4.0.0_best_int');
  const worker = await createWorker(lang, 1, { langPath: data, cacheMethod: 'none', gzip: true });
  try {
    return (await worker.recognize(png)).data.text;
  } finally {
    await worker.terminate();
  }
}

/** Recognition works best at 200 dpi; PDF units are 1/72 inch. */
const pdfScale = 200 / 72;
const maxPixels = 50_000_000;

/** The number of pages of a PDF or TIFF file; any other picture has one. */
export async function countPages(bytes: Buffer, isPdf: boolean): Promise<number> {
  if (isPdf) {
    const pages = await withPdf(bytes, (document) => document.pages);
    return pages === 'password' ? 0 : pages;
  }
  if (isBitmap(bytes)) return 1;
  const { default: sharp } = await import('sharp');
  const { format, pages = 1 } = await sharp(bytes, { limitInputPixels: maxPixels }).metadata().catch(unreadablePicture);
  return format === 'tiff' ? pages : 1;
}

/** sharp does not read BMP. */
const isBitmap = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 2) === 'BM';

function unreadablePicture(): never {
  throw new ExtractError('corrupt', 'The picture cannot be read.');
}

/** Converts a page of a picture to an upright grey PNG no larger than recognition needs. */
export async function preparePicture(bytes: Buffer, page: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  try {
    const bitmap = isBitmap(bytes) ? decodeBmpFile(bytes) : null;
    const picture = bitmap?.raw ? sharp(bitmap.data, { raw: bitmap.raw }) : sharp(bytes, { limitInputPixels: maxPixels, page });
    return await picture
      .rotate()
      .resize({ width: 4000, height: 4000, fit: 'inside', withoutEnlargement: true })
      .greyscale()
      .png()
      .toBuffer();
  } catch {
    return unreadablePicture();
  }
}

/** Renders a page of a PDF as a grey PNG. */
export async function renderPdfPage(bytes: Buffer, at: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const page = await drawPdfBytes(bytes, at, (width, height) => Math.min(pdfScale, Math.sqrt(maxPixels / Math.max(1, width * height))));
  if (page?.raw === undefined) throw new ExtractError('corrupt', 'The page of the PDF cannot be drawn.');
  return sharp(page.data, { raw: page.raw }).greyscale().png().toBuffer();
}
