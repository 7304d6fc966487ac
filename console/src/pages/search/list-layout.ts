// biome-ignore-all lint/style/noNonNullAssertion: every index is below the length checked in the same expression

/** Vertical positions of list rows or grid lines. They are computed, not stored, so that millions of rows cost no memory. */
export interface ListLayout {
  count: number;
  /** The top of a row; the total height at `count`. */
  top: (index: number) => number;
  /** The row at a vertical offset; the last row beyond the end. */
  indexAt: (y: number) => number;
  /** The height of the smallest row. */
  minHeight: number;
}

/** Binary search: the last index below `count` for which the test holds, given that it never holds again after it first fails. */
export function lastIndexWhere(count: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = Math.max(0, count - 1);
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (test(mid)) low = mid;
    else high = mid - 1;
  }
  return low;
}

/** Rows of the height `base`, except for `tallRows` (ascending), which have the height `tall`. */
export function rowLayout(total: number, base: number, tall: number, tallRows: readonly number[]): ListLayout {
  const tallBefore = (index: number): number =>
    tallRows.length === 0 || tallRows[0]! >= index ? 0 : lastIndexWhere(tallRows.length, (i) => tallRows[i]! < index) + 1;
  const top = (index: number): number => index * base + tallBefore(index) * (tall - base);
  return { count: total, minHeight: base, top, indexAt: (y) => lastIndexWhere(total, (index) => top(index) <= y) };
}

/** Safely below the height at which browsers stop laying out an element. */
export const MAX_ELEMENT_HEIGHT = 15_000_000;
/** At both ends of a compressed list, this many pixels scroll one to one. */
const UNSCALED_ENDS = 1_000_000;
/** A scroll step of up to this many viewports is continuous scrolling; a longer one is a jump. */
const MAX_STEP_VIEWPORTS = 2;

/**
 * Maps the scroll position to the offset in the list. They differ only for a compressed list,
 * whose content is higher than MAX_ELEMENT_HEIGHT.
 */
interface ScrollScale {
  elementHeight: number;
  compressed: boolean;
  toOffset: (scrollTop: number) => number;
  toScrollTop: (offset: number) => number;
  maxOffset: number;
}

export function createScrollScale(layout: ListLayout, viewportHeight: number): ScrollScale {
  const height = layout.top(layout.count);
  const elementHeight = Math.min(height, MAX_ELEMENT_HEIGHT);
  const maxOffset = Math.max(0, height - viewportHeight);
  if (height <= elementHeight)
    return { elementHeight, compressed: false, toOffset: (scrollTop) => scrollTop, toScrollTop: (offset) => offset, maxOffset };
  const maxScrollTop = elementHeight - viewportHeight;
  const ratio = (maxOffset - 2 * UNSCALED_ENDS) / (maxScrollTop - 2 * UNSCALED_ENDS);
  return {
    elementHeight,
    compressed: true,
    maxOffset,
    toOffset(scrollTop) {
      if (scrollTop <= UNSCALED_ENDS) return scrollTop;
      return scrollTop >= maxScrollTop - UNSCALED_ENDS
        ? maxOffset - (maxScrollTop - scrollTop)
        : UNSCALED_ENDS + (scrollTop - UNSCALED_ENDS) * ratio;
    },
    toScrollTop(offset) {
      if (offset <= UNSCALED_ENDS) return offset;
      return offset >= maxOffset - UNSCALED_ENDS ? maxScrollTop - (maxOffset - offset) : UNSCALED_ENDS + (offset - UNSCALED_ENDS) / ratio;
    },
  };
}

export interface ScrollPosition {
  scrollTop: number;
  /** The offset in the list at the top of the viewport. */
  offset: number;
}

/**
 * The position after a scroll event. In a compressed list, continuous scrolling moves the offset by the same number of pixels,
 * so that no row is skipped; dragging the scroll bar jumps to the proportional offset.
 */
export function positionAfterScroll(from: ScrollPosition, scrollTop: number, scale: ScrollScale, viewportHeight: number): ScrollPosition {
  const delta = scrollTop - from.scrollTop;
  if (!scale.compressed || Math.abs(delta) > MAX_STEP_VIEWPORTS * viewportHeight) return { scrollTop, offset: scale.toOffset(scrollTop) };
  return { scrollTop, offset: Math.min(scale.maxOffset, Math.max(0, from.offset + delta)) };
}
