/**
 * Things of known heights one below the other: the rows of a list, the lines of a grid. Nothing is stored for each of them,
 * so a million cost nothing until they are seen.
 */
export interface Strip {
  count: number;
  /** Where one begins; the end of the last one at `count`. */
  top: (index: number) => number;
  /** Which one lies at a height; the last one below the end. */
  at: (y: number) => number;
  /** The least height any of them has. */
  step: number;
}

/** The last number of 0..count-1 for which a rising test still holds. */
export function lastWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (holds(mid)) low = mid;
    else high = mid - 1;
  }
  return low;
}

/** Rows of one height, and some, with a snippet, that are taller. Only the taller ones are remembered, in ascending order. */
export function rowStrip(total: number, base: number, tall: number, tallRows: readonly number[]): Strip {
  const tallBefore = (index: number): number =>
    tallRows.length === 0 || tallRows[0]! >= index ? 0 : lastWhere(tallRows.length, (i) => tallRows[i]! < index) + 1;
  const top = (index: number): number => index * base + tallBefore(index) * (tall - base);
  return { count: total, step: base, top, at: (y) => lastWhere(total, (index) => top(index) <= y) };
}

/** Browsers stop laying out boxes higher than this by a safe margin; longer strips are scrolled through at a larger step. */
export const HIGHEST_BOX = 15_000_000;

export interface Scale {
  box: number;
  stretched: boolean;
  toStrip: (scrollTop: number) => number;
  toScroll: (y: number) => number;
}

/** From the place of the scroll bar to the place in the strip, and back. */
export function scaleOf(strip: Strip, view: number): Scale {
  const height = strip.top(strip.count);
  const box = Math.min(height, HIGHEST_BOX);
  const ratio = box > view ? (height - view) / (box - view) : 1;
  return { box, stretched: height > box, toStrip: (scrollTop) => scrollTop * ratio, toScroll: (y) => y / ratio };
}
