// biome-ignore-all lint/style/noNonNullAssertion: PDFium returns four bytes for every pixel of the page
import { ExtractError, type Source, type Thumbnailer } from '../contract.ts';
import { withForms } from '../formats/pdf/annotations.ts';
import { heapView, withMemory, withPage, withPdf } from '../formats/pdf/pdfium.ts';
import type { Pdfium } from '../formats/pdf/pdfium-functions.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import type { RenderedImage } from './pixels.ts';

export const pdfExtensions: readonly string[] = ['pdf', 'ai', 'fdf'];

interface OpenPage {
  pdfium: Pdfium;
  page: number;
  form: number;
}

/** Opens one page (counted from 0) for the duration of `use`. Null when there is no such page or the document has a password. */
async function withPdfPage<T>(bytes: Buffer, index: number, use: (open: OpenPage) => T): Promise<T | null> {
  try {
    const result = await withPdf(bytes, ({ pdfium, handle, pages }) =>
      index < pages ? withForms(pdfium, handle, (form) => withPage(pdfium, handle, index, (page) => use({ pdfium, page, form }))) : null,
    );
    return result === 'password' ? null : result;
  } catch (error) {
    if (error instanceof ExtractError && error.kind === 'guard') throw error;
    throw new ExtractError('corrupt', 'The page of the PDF cannot be drawn.');
  }
}

const bitmapFormat = 4;
/** Annotations are drawn, and bytes are in the order red, green, blue. */
const renderFlags = { annotations: 1, reverseBytes: 16 };
/** Larger pages are drawn at a smaller scale. */
const maxPagePixels = 50_000_000;

type ScaleFor = (width: number, height: number) => number;

/** Draws one page with its annotations and form fields. `scaleFor` returns the scale for the page's size in points. */
export function drawPdfPage(source: Source, index: number, scaleFor: ScaleFor): Promise<RenderedImage | null> {
  return drawPdfBytes(readWholeFile(source, source.limits.documentMaxBytes), index, scaleFor);
}

/** Null when there is no such page or the document has a password. */
export function drawPdfBytes(bytes: Buffer, index: number, scaleFor: ScaleFor): Promise<RenderedImage | null> {
  return withPdfPage(bytes, index, ({ pdfium, page, form }) => {
    const [pageWidth, pageHeight] = [pdfium._FPDF_GetPageWidthF(page), pdfium._FPDF_GetPageHeightF(page)];
    if (!(pageWidth > 0 && pageHeight > 0)) return null;
    const scale = Math.min(scaleFor(pageWidth, pageHeight), Math.sqrt(maxPagePixels / (pageWidth * pageHeight)));
    const [width, height] = [Math.max(1, Math.round(pageWidth * scale)), Math.max(1, Math.round(pageHeight * scale))];
    return withMemory(pdfium, width * height * 4, (pixels) => {
      const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bitmapFormat, pixels, width * 4);
      try {
        pdfium._FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
        if (form !== 0) pdfium._FORM_OnAfterLoadPage(page, form);
        pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, renderFlags.annotations | renderFlags.reverseBytes);
        if (form !== 0) {
          pdfium._FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, renderFlags.reverseBytes);
          pdfium._FORM_OnBeforeClosePage(page, form);
        }
        return { data: withoutAlpha(heapView(pdfium, pixels, width * height * 4)), raw: { width, height, channels: 3 as const } };
      } finally {
        pdfium._FPDFBitmap_Destroy(bitmap);
      }
    });
  });
}

export const pdfThumbnails: Thumbnailer = {
  name: 'pdf',
  version: 2,
  extensions: pdfExtensions,
  tools: [],
  render: (source, longestEdge) => drawPdfPage(source, 0, (width, height) => longestEdge / Math.max(width, height)),
};

/** Pages are opaque. */
function withoutAlpha(rgba: Buffer): Buffer {
  const out = Buffer.allocUnsafe((rgba.length / 4) * 3);
  for (let from = 0, to = 0; to < out.length; from += 4, to += 3) {
    out[to] = rgba[from]!;
    out[to + 1] = rgba[from + 1]!;
    out[to + 2] = rgba[from + 2]!;
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

/** Only malicious pages have more characters. */
const maxCharacters = 50_000;
/** Positions are rounded to 1/20,000 of the page. */
const grid = 20_000;

/** The words of one page (counted from 0) with their boxes; null when there is no such page. */
export function readPdfWords(source: Source, index: number): Promise<PageWord[] | null> {
  return withPdfPage(readWholeFile(source, source.limits.documentMaxBytes), index, wordsOf);
}

function wordsOf({ pdfium, page }: OpenPage): PageWord[] {
  const text = pdfium._FPDFText_LoadPage(page);
  if (!text) return [];
  // Holds the box of a character (four doubles), then a device position (two integers).
  const memory = pdfium._malloc(40);
  try {
    const view = () => new DataView(pdfium.HEAPU8.buffer);
    const toPageFraction = (x: number, y: number): [number, number] => {
      pdfium._FPDF_PageToDevice(page, 0, 0, grid, grid, 0, x, y, memory + 32, memory + 36);
      return [view().getInt32(memory + 32, true) / grid, view().getInt32(memory + 36, true) / grid];
    };
    const words: PageWord[] = [];
    let word: { text: string; xs: number[]; ys: number[] } | null = null;
    const endWord = (): void => {
      if (word && word.xs.length > 0) words.push(withBox(word));
      word = null;
    };
    const characters = Math.min(pdfium._FPDFText_CountChars(text), maxCharacters);
    for (let i = 0; i < characters; i += 1) {
      const character = String.fromCodePoint(Math.min(0x10ffff, pdfium._FPDFText_GetUnicode(text, i)));
      if (!/[\p{L}\p{N}\p{M}]/u.test(character)) {
        endWord();
        continue;
      }
      word ??= { text: '', xs: [], ys: [] };
      word.text += character;
      if (!pdfium._FPDFText_GetCharBox(text, i, memory, memory + 8, memory + 16, memory + 24)) continue;
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
    pdfium._free(memory);
    pdfium._FPDFText_ClosePage(text);
  }
}

const round = (n: number): number => Math.round(n * 10_000) / 10_000;

function withBox({ text, xs, ys }: { text: string; xs: number[]; ys: number[] }): PageWord {
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { text, x: round(x), y: round(y), w: round(Math.max(...xs) - x), h: round(Math.max(...ys) - y) };
}
