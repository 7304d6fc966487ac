/**
 * Where the rows of a list lie. Most rows have one height; some, with a snippet, are taller. Only the taller ones are remembered,
 * so a list of a million rows costs nothing until it is seen.
 */
export interface RowLayout {
  total: number;
  base: number;
  tall: number;
  /** Indices of the taller rows, ascending. */
  tallRows: readonly number[];
}

/** How many taller rows come before a row. */
function tallBefore(layout: RowLayout, index: number): number {
  let low = 0;
  let high = layout.tallRows.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (layout.tallRows[mid]! < index) low = mid + 1;
    else high = mid;
  }
  return low;
}

export function offsetOf(layout: RowLayout, index: number): number {
  return index * layout.base + tallBefore(layout, index) * (layout.tall - layout.base);
}

export function heightOf(layout: RowLayout): number {
  return offsetOf(layout, layout.total);
}

/** The row at a height; the last one below the end. */
export function rowAt(layout: RowLayout, y: number): number {
  let low = 0;
  let high = Math.max(0, layout.total - 1);
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (offsetOf(layout, mid) <= y) low = mid;
    else high = mid - 1;
  }
  return low;
}

/** Browsers stop laying out boxes higher than this by a safe margin; longer lists are scrolled through at a larger step. */
export const HIGHEST_BOX = 15_000_000;

/** From the place of the scroll bar to the place in the list, and back. */
export function scaleOf(
  layout: RowLayout,
  view: number,
): { box: number; toList: (scrollTop: number) => number; toScroll: (y: number) => number } {
  const height = heightOf(layout);
  const box = Math.min(height, HIGHEST_BOX);
  const ratio = box > view ? (height - view) / (box - view) : 1;
  return { box, toList: (scrollTop) => scrollTop * ratio, toScroll: (y) => y / ratio };
}
