// biome-ignore-all lint/style/noNonNullAssertion: PDFium returns four bytes for every pixel of the page
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

/** Opens one page (counted from 0) for the duration of `use`. Null when there is no such page or the document has a password. */
async function withPdfPage<T>(source: Source, index: number, use: (page: PdfPage) => Promise<T>): Promise<T | null> {
  const bytes = readWholeFile(source, source.limits.documentMaxBytes);
  const pdfium = await pdfLibrary();
  let document: PdfDocument | undefined;
  try {
    document = await pdfium.loadDocument(bytes);
    return index < document.getPageCount() ? await use(document.getPage(index)) : null;
  } catch (error) {
    if (document === undefined && /password/i.test(String(error))) return null;
    // A failure inside pdfium may corrupt its memory, so the next file gets a new instance.
    library = undefined;
    throw new ExtractError('corrupt', 'The page of the PDF cannot be drawn.');
  } finally {
    if (library) document?.destroy();
  }
}

/** Draws one page. `scaleFor` returns the scale for the page's size in points. */
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

export const pdfThumbnails: Thumbnailer = {
  name: 'pdf',
  version: 1,
  extensions: pdfExtensions,
  tools: [],
  render: (source, longestEdge) => drawPdfPage(source, 0, (width, height) => longestEdge / Math.max(width, height)),
};

/** Converts BGRA to RGB; pages are opaque. */
function toRgb(bgra: Uint8Array, width: number, height: number): Buffer {
  const out = Buffer.allocUnsafe(width * height * 3);
  for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
    out[to] = bgra[from + 2]!;
    out[to + 1] = bgra[from + 1]!;
    out[to + 2] = bgra[from]!;
  }
  return out;
}

/** A word and its box on the drawn page, in fractions of the page's width and height from the top left. */
export interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Internals of the library's page object, which its types declare private. */
interface PdfiumPage {
  pageIdx: number;
  module: {
    HEAPU8: Uint8Array;
    wasmExports: { malloc(bytes: number): number; free(pointer: number): void };
    _FPDFText_LoadPage(page: number): number;
    _FPDFText_ClosePage(text: number): void;
    _FPDFText_CountChars(text: number): number;
    _FPDFText_GetUnicode(text: number, index: number): number;
    _FPDFText_GetCharBox(text: number, index: number, left: number, right: number, bottom: number, top: number): number;
    _FPDF_PageToDevice(
      page: number,
      x: number,
      y: number,
      w: number,
      h: number,
      turn: number,
      px: number,
      py: number,
      dx: number,
      dy: number,
    ): number;
  };
}

/** Only malicious pages have more characters. */
const maxCharacters = 50_000;
/** Positions are rounded to 1/20,000 of the page. */
const grid = 20_000;

/** The words of one page (counted from 0) with their boxes; null when there is no such page. */
export function readPdfWords(source: Source, index: number): Promise<PageWord[] | null> {
  return withPdfPage(source, index, async (page) => wordsOf(page as unknown as PdfiumPage));
}

function wordsOf({ module, pageIdx }: PdfiumPage): PageWord[] {
  const text = module._FPDFText_LoadPage(pageIdx);
  if (!text) return [];
  // Holds the box of a character (four doubles), then a device position (two integers).
  const memory = module.wasmExports.malloc(40);
  try {
    const view = () => new DataView(module.HEAPU8.buffer);
    const toPageFraction = (x: number, y: number): [number, number] => {
      module._FPDF_PageToDevice(pageIdx, 0, 0, grid, grid, 0, x, y, memory + 32, memory + 36);
      return [view().getInt32(memory + 32, true) / grid, view().getInt32(memory + 36, true) / grid];
    };
    const words: PageWord[] = [];
    let word: { text: string; xs: number[]; ys: number[] } | null = null;
    const endWord = (): void => {
      if (word && word.xs.length > 0) words.push(withBox(word));
      word = null;
    };
    const characters = Math.min(module._FPDFText_CountChars(text), maxCharacters);
    for (let i = 0; i < characters; i += 1) {
      const character = String.fromCodePoint(Math.min(0x10ffff, module._FPDFText_GetUnicode(text, i)));
      if (!/[\p{L}\p{N}\p{M}]/u.test(character)) {
        endWord();
        continue;
      }
      word ??= { text: '', xs: [], ys: [] };
      word.text += character;
      if (!module._FPDFText_GetCharBox(text, i, memory, memory + 8, memory + 16, memory + 24)) continue;
      const [left, right, bottom, top] = [0, 8, 16, 24].map((at) => view().getFloat64(memory + at, true)) as [
        number,
        number,
        number,
        number,
      ];
      for (const [x, y] of [toPageFraction(left, top), toPageFraction(right, bottom)]) {
        word.xs.push(x);
        word.ys.push(y);
      }
    }
    endWord();
    return words;
  } finally {
    module.wasmExports.free(memory);
    module._FPDFText_ClosePage(text);
  }
}

const round = (n: number): number => Math.round(n * 10_000) / 10_000;

function withBox({ text, xs, ys }: { text: string; xs: number[]; ys: number[] }): PageWord {
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { text, x: round(x), y: round(y), w: round(Math.max(...xs) - x), h: round(Math.max(...ys) - y) };
}
