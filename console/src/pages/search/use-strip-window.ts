import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { race } from '../../parts/race.ts';
import { type Strip, scaleOf } from './strip.ts';

export interface StripWindow {
  /** Height of the box inside the scroller. */
  height: number;
  from: number;
  /** Not included. */
  to: number;
  /** As many slots as are ever needed at once: the thing at `index` reuses what stood in slot `index % slots`. */
  slots: number;
  /** Where a thing is put inside the box. */
  topOf: (index: number) => number;
  reveal: (index: number, align?: 'near' | 'start') => void;
}

interface View {
  scrollTop: number;
  height: number;
}

/** Which part of a strip is in view. The page is only drawn again when that changes, or when a very long strip is scrolled by larger steps. */
export function useStripWindow(scroller: RefObject<HTMLElement | null>, strip: Strip, overscan: number): StripWindow {
  const [view, setView] = useState<View>({ scrollTop: 0, height: 0 });
  const scale = useMemo(() => scaleOf(strip, view.height), [strip, view.height]);
  const { stretched } = scale;

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const read = () =>
      setView((now) => {
        const by = Math.abs(box.scrollTop - now.scrollTop);
        const next = { scrollTop: box.scrollTop, height: box.clientHeight };
        return now.height !== next.height || stretched || by >= strip.step ? next : now;
      });
    // Drawn within the same frame, so that fast scrolling never shows an empty list.
    const follow = () => {
      race.moved(box.scrollTop, box.clientHeight);
      flushSync(read);
    };
    read();
    box.addEventListener('scroll', follow, { passive: true });
    const observer = new ResizeObserver(read);
    observer.observe(box);
    return () => {
      race.rest();
      box.removeEventListener('scroll', follow);
      observer.disconnect();
    };
  }, [scroller, stretched, strip.step]);

  // Rows above that turn out taller must not push away what one is looking at.
  const before = useRef(strip);
  useLayoutEffect(() => {
    const box = scroller.current;
    const old = before.current;
    before.current = strip;
    if (!box || old === strip || old.count !== strip.count || old.step !== strip.step) return;
    const seen = scaleOf(old, box.clientHeight).toStrip(box.scrollTop);
    const first = old.at(seen);
    const moved = strip.top(first) - old.top(first);
    if (moved !== 0) box.scrollTop = scaleOf(strip, box.clientHeight).toScroll(seen + moved);
  }, [scroller, strip]);

  const y = scale.toStrip(view.scrollTop);
  const from = Math.max(0, strip.at(y) - overscan);
  const to = Math.min(strip.count, strip.at(y + view.height) + 1 + overscan);
  // In a stretched strip things are placed relative to where one is; otherwise they have one place for good.
  const shift = stretched ? view.scrollTop - y : 0;
  const topOf = useCallback((index: number) => Math.round(strip.top(index) + shift), [strip, shift]);
  const reveal = useCallback(
    (index: number, align: 'near' | 'start' = 'near') => {
      const box = scroller.current;
      if (!box) return;
      const top = strip.top(index);
      const bottom = strip.top(index + 1);
      const seen = scale.toStrip(box.scrollTop);
      if (align === 'start' || top < seen) box.scrollTop = scale.toScroll(top);
      else if (bottom > seen + box.clientHeight) box.scrollTop = scale.toScroll(bottom - box.clientHeight);
    },
    [scroller, strip, scale],
  );
  const slots = Math.ceil(view.height / strip.step) + 2 + overscan * 2;
  return { height: scale.box, from, to, slots, topOf, reveal };
}
