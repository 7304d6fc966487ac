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

/** Browsers stop laying out boxes higher than this by a safe margin. */
export const HIGHEST_BOX = 15_000_000;
/** So much of a longer strip, at its top and at its end, is scrolled pixel by pixel; the scroll bar passes faster over what lies between. */
const EVEN_ENDS = 1_000_000;
/** A step of at most so many views is somebody who reads on; a larger one is a jump. */
const READING_VIEWS = 2;

export interface Scale {
  box: number;
  stretched: boolean;
  toStrip: (scrollTop: number) => number;
  toScroll: (y: number) => number;
  /** The lowest place of the strip that can stand at the top of the view. */
  last: number;
}

/** From the place of the scroll bar to the place in the strip, and back. */
export function scaleOf(strip: Strip, view: number): Scale {
  const height = strip.top(strip.count);
  const box = Math.min(height, HIGHEST_BOX);
  const last = Math.max(0, height - view);
  if (height <= box) return { box, stretched: false, toStrip: (scrollTop) => scrollTop, toScroll: (y) => y, last };
  const lastTop = box - view;
  const ratio = (last - 2 * EVEN_ENDS) / (lastTop - 2 * EVEN_ENDS);
  return {
    box,
    stretched: true,
    last,
    toStrip(scrollTop) {
      if (scrollTop <= EVEN_ENDS) return scrollTop;
      return scrollTop >= lastTop - EVEN_ENDS ? last - (lastTop - scrollTop) : EVEN_ENDS + (scrollTop - EVEN_ENDS) * ratio;
    },
    toScroll(y) {
      if (y <= EVEN_ENDS) return y;
      return y >= last - EVEN_ENDS ? lastTop - (last - y) : EVEN_ENDS + (y - EVEN_ENDS) / ratio;
    },
  };
}

/** Where one is: where the scroll bar stands, and which place of the strip is at the top of the view. */
export interface Place {
  scrollTop: number;
  y: number;
}

/**
 * Where one is after the scroll bar moved. Whoever reads on by wheel, finger or key passes every row, however long the strip is;
 * whoever drags the bar jumps to the same share of the strip.
 */
export function followScroll(place: Place, scrollTop: number, scale: Scale, view: number): Place {
  const by = scrollTop - place.scrollTop;
  if (!scale.stretched || Math.abs(by) > READING_VIEWS * view) return { scrollTop, y: scale.toStrip(scrollTop) };
  return { scrollTop, y: Math.min(scale.last, Math.max(0, place.y + by)) };
}
