import { findRanges } from '../../components/highlight.tsx';

const MAX_ZOOM = 3;
export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, MAX_ZOOM] as const;

export function nextZoom(zoom: number, by: 1 | -1): number {
  const at = ZOOMS.findIndex((one) => one >= zoom - 0.001);
  return ZOOMS[Math.max(0, (at < 0 ? ZOOMS.length - 1 : at) + by)] ?? MAX_ZOOM;
}

/** Rounded up to steps of 400 pixels, so that a small resize does not make the server render the page again. */
export function renderWidth(shown: number, pixelRatio: number): number {
  return Math.min(2000, Math.max(200, Math.ceil((shown * pixelRatio) / 400) * 400));
}

const THUMBNAILS_AROUND = 60;

/** The pages to show as thumbnails: all of a short document, or those around the current page of a long one. */
export function thumbnailPages(pages: number, page: number): number[] {
  const from = pages <= 2 * THUMBNAILS_AROUND ? 1 : Math.max(1, Math.min(page - THUMBNAILS_AROUND, pages - 2 * THUMBNAILS_AROUND));
  const to = pages <= 2 * THUMBNAILS_AROUND ? pages : Math.min(pages, from + 2 * THUMBNAILS_AROUND);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Height divided by width, from the extracted page size ("595x842"); that of A4 if it is unknown. */
export function aspectRatio(pageSize: unknown): number {
  const [width, height] = typeof pageSize === 'string' ? pageSize.split('x').map(Number) : [];
  return width && height && Number.isFinite(height / width) ? height / width : Math.SQRT2;
}

/** A word of a page and its box, in fractions of the page. */
interface PageWord {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

const WORD_SEPARATOR = /[^\p{L}\p{N}\p{M}]+/u;

/** The boxes of the matches on a page, in reading order. Part of a word gets the proportional part of its box. */
export function pageHighlights(words: readonly PageWord[], searched: string[]): Omit<PageWord, 'text'>[] {
  const wanted = searched.flatMap((word) => word.split(WORD_SEPARATOR)).filter(Boolean);
  return words.flatMap((word) =>
    findRanges(word.text, wanted).map(([from, to]) => {
      const { length } = word.text;
      // Vertical text.
      return word.h > word.w * 1.5 && length > 2
        ? { x: word.x, w: word.w, y: word.y + (word.h * from) / length, h: (word.h * (to - from)) / length }
        : { y: word.y, h: word.h, x: word.x + (word.w * from) / length, w: (word.w * (to - from)) / length };
    }),
  );
}
