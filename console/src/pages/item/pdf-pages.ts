import { findRanges } from '../../components/highlight.tsx';

/** The arithmetic of a paged document: what is drawn how wide, and which pages stand in the strip. */
export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

export function nextZoom(zoom: number, by: 1 | -1): number {
  const at = ZOOMS.findIndex((one) => one >= zoom - 0.001);
  return ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, (at < 0 ? ZOOMS.length - 1 : at) + by))]!;
}

/** Widths come in steps, so that a little more or less room draws no new page at the server. */
export function renderWidth(shown: number, pixelRatio: number): number {
  return Math.min(2000, Math.max(200, Math.ceil((shown * pixelRatio) / 400) * 400));
}

const NEAR = 60;

/** The pages in the strip: all of a short document, those around the current page of a long one. */
export function thumbnailPages(pages: number, page: number): number[] {
  const from = pages <= 2 * NEAR ? 1 : Math.max(1, Math.min(page - NEAR, pages - 2 * NEAR));
  const to = pages <= 2 * NEAR ? pages : Math.min(pages, from + 2 * NEAR);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Height over width of a page, from the size the extractor tells ("595x842"); A4 when it does not. */
export function aspectRatio(pageSize: unknown): number {
  const [width, height] = typeof pageSize === 'string' ? pageSize.split('x').map(Number) : [];
  return width && height && Number.isFinite(height / width) ? height / width : Math.SQRT2;
}

/** A word of a page and where it stands: fractions of the page as drawn. */
export interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

const BETWEEN = /[^\p{L}\p{N}\p{M}]+/u;

/** The stretches of a page's words that were searched for, in textMatches order. A part of a word takes its share of the word's box. */
export function pageHighlights(words: readonly PageWord[], searched: string[]): Omit<PageWord, 'text'>[] {
  const wanted = searched.flatMap((word) => word.split(BETWEEN)).filter(Boolean);
  return words.flatMap((word) =>
    findRanges(word.text, wanted).map(([from, to]) => {
      const { length } = word.text;
      // Words that stand on end run down the page.
      return word.h > word.w * 1.5 && length > 2
        ? { x: word.x, w: word.w, y: word.y + (word.h * from) / length, h: (word.h * (to - from)) / length }
        : { y: word.y, h: word.h, x: word.x + (word.w * from) / length, w: (word.w * (to - from)) / length };
    }),
  );
}
