/** The arithmetic of a paged document: what is drawn how wide, and which pages stand in the strip. */
export const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3] as const;

export function nextZoom(zoom: number, by: 1 | -1): number {
  const at = ZOOMS.findIndex((one) => one >= zoom - 0.001);
  return ZOOMS[Math.min(ZOOMS.length - 1, Math.max(0, (at < 0 ? ZOOMS.length - 1 : at) + by))]!;
}

/** Widths come in steps, so that a little more or less room draws no new page at the server. */
export function drawnWidth(shown: number, pixelRatio: number): number {
  return Math.min(2000, Math.max(200, Math.ceil((shown * pixelRatio) / 400) * 400));
}

const NEAR = 60;

/** The pages in the strip: all of a short document, those around the current page of a long one. */
export function stripPages(pages: number, page: number): number[] {
  const from = pages <= 2 * NEAR ? 1 : Math.max(1, Math.min(page - NEAR, pages - 2 * NEAR));
  const to = pages <= 2 * NEAR ? pages : Math.min(pages, from + 2 * NEAR);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/** Height over width of a page, from the size the extractor tells ("595x842"); A4 when it does not. */
export function shapeOf(pageSize: unknown): number {
  const [width, height] = typeof pageSize === 'string' ? pageSize.split('x').map(Number) : [];
  return width && height && Number.isFinite(height / width) ? height / width : Math.SQRT2;
}
