import { type RefObject, useCallback, useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { heightOf, offsetOf, type RowLayout, rowAt, scaleOf } from './row-layout.ts';

const OVERSCAN = 8;

export interface RowWindow {
  /** Height of the box inside the scroller. */
  height: number;
  from: number;
  /** Not included. */
  to: number;
  /** Where a row is put inside the box. */
  topOf: (index: number) => number;
  reveal: (index: number) => void;
}

interface View {
  scrollTop: number;
  height: number;
}

/** Which rows are in view. The page is only drawn again when that changes, or when a very long list is scrolled by larger steps. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, layout: RowLayout): RowWindow {
  const [view, setView] = useState<View>({ scrollTop: 0, height: 0 });
  const scale = useMemo(() => scaleOf(layout, view.height), [layout, view.height]);
  const stretched = heightOf(layout) > scale.box;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const read = () =>
      setView((now) => {
        const next = { scrollTop: box.scrollTop, height: box.clientHeight };
        if (now.height !== next.height) return next;
        const rowsMoved = stretched || Math.abs(next.scrollTop - now.scrollTop) >= layout.base;
        return rowsMoved ? next : now;
      });
    // Drawn within the same frame, so that fast scrolling never shows an empty list.
    const follow = () => flushSync(read);
    read();
    box.addEventListener('scroll', follow, { passive: true });
    const observer = new ResizeObserver(read);
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', follow);
      observer.disconnect();
    };
  }, [scroller, stretched, layout.base]);

  const y = scale.toList(view.scrollTop);
  const from = Math.max(0, rowAt(layout, y) - OVERSCAN);
  const to = Math.min(layout.total, rowAt(layout, y + view.height) + 1 + OVERSCAN);
  // In a stretched list rows are placed relative to where one is; otherwise they have one place for good.
  const shift = stretched ? view.scrollTop - y : 0;
  const topOf = useCallback((index: number) => Math.round(offsetOf(layout, index) + shift), [layout, shift]);
  const reveal = useCallback(
    (index: number) => {
      const box = scroller.current;
      if (!box) return;
      const top = offsetOf(layout, index);
      const bottom = offsetOf(layout, index + 1);
      const seen = scale.toList(box.scrollTop);
      if (top < seen) box.scrollTop = scale.toScroll(top);
      else if (bottom > seen + box.clientHeight) box.scrollTop = scale.toScroll(bottom - box.clientHeight);
    },
    [scroller, layout, scale],
  );
  return { height: scale.box, from, to, topOf, reveal };
}
