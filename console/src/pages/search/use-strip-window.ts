import { type RefObject, startTransition, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { race } from '../../parts/race.ts';
import { followScroll, type Place, type Strip, scaleOf } from './strip.ts';

export interface StripWindow {
  /** Height of the box inside the scroller. */
  height: number;
  from: number;
  /** Not included. */
  to: number;
  /** How many things of at least that height are ever in view at once, with those kept ready around it. */
  slots: (height: number) => number;
  /** How many things of that height are in view as a whole. */
  whole: (height: number) => number;
  /** Changes when one rests. */
  rests: number;
  /** Where a thing is put inside the box. */
  topOf: (index: number) => number;
  reveal: (index: number, align?: 'near' | 'start') => void;
}

interface View extends Place {
  height: number;
}

/** One rests when nothing moved for so long. In a very long strip the bar runs ahead of somebody who reads on; then it goes back to where it belongs. */
const REST_MS = 200;

/** Things are put where they are seen; that place stays for good while the strip is not stretched, or as long as nobody jumps. */
const shiftOf = ({ scrollTop, y }: Place): number => scrollTop - y;

/** Which part of a strip is in view. The page is only drawn again when that changes. */
export function useStripWindow(scroller: RefObject<HTMLElement | null>, strip: Strip, overscan: number): StripWindow {
  const [view, setView] = useState<View>({ scrollTop: 0, y: 0, height: 0 });
  const [rests, setRests] = useState(0);
  const place = useRef(view);
  const scale = useMemo(() => scaleOf(strip, view.height), [strip, view.height]);
  const now = useRef({ strip, scale });
  now.current = { strip, scale };

  const draw = useCallback(() => {
    setView((drawn) => {
      const next = place.current;
      const moved = Math.abs(next.y - drawn.y) >= now.current.strip.step || shiftOf(next) !== shiftOf(drawn);
      return moved || next.height !== drawn.height ? next : drawn;
    });
  }, []);

  const goTo = useCallback(
    (y: number) => {
      const box = scroller.current;
      if (!box) return;
      const { last, stretched, toScroll } = now.current.scale;
      const to = Math.min(last, Math.max(0, y));
      box.scrollTop = stretched ? toScroll(to) : to;
      // What the browser makes of it, in whole pixels of the screen.
      place.current = { ...place.current, scrollTop: box.scrollTop, y: stretched ? to : box.scrollTop };
      draw();
    },
    [scroller, draw],
  );

  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      const { scale } = now.current;
      if (scale.stretched && Math.abs(scale.toScroll(place.current.y) - box.scrollTop) >= 1) flushSync(() => goTo(place.current.y));
    };
    const rest = () => {
      settle();
      startTransition(() => setRests((n) => n + 1));
    };
    // Drawn within the same frame, so that fast scrolling never shows an empty list.
    const follow = () => {
      const { scale } = now.current;
      const { height } = place.current;
      const next = followScroll(place.current, box.scrollTop, scale, height);
      place.current = { ...next, height };
      race.moved(next.y, height);
      flushSync(draw);
      clearTimeout(resting);
      resting = setTimeout(rest, REST_MS);
      // At an end of the bar that is no end of the strip there is no way on without it.
      const stuck = next.scrollTop < 1 ? next.y >= 1 : next.scrollTop >= scale.box - height - 1 && next.y < scale.last;
      if (scale.stretched && stuck) settle();
    };
    const measure = () => {
      place.current = { ...place.current, height: box.clientHeight };
      draw();
    };
    measure();
    box.addEventListener('scroll', follow, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => {
      clearTimeout(resting);
      race.rest();
      box.removeEventListener('scroll', follow);
      observer.disconnect();
    };
  }, [scroller, draw, goTo]);

  // Rows above that turn out taller must not push away what one is looking at.
  const before = useRef(strip);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = strip;
    if (old === strip || old.count !== strip.count || old.step !== strip.step) return;
    const { y } = place.current;
    const first = old.at(y);
    const moved = strip.top(first) - old.top(first);
    if (moved !== 0) goTo(y + moved);
  }, [strip, goTo]);

  // After a jump what is in view is drawn at once; what is kept ready around it follows between the frames.
  const ready = useDeferredValue(view.y);
  const around = Math.abs(ready - view.y) <= overscan * strip.step ? overscan : 0;
  const from = Math.max(0, strip.at(view.y) - around);
  const to = Math.min(strip.count, strip.at(view.y + view.height) + 1 + around);
  const shift = scale.stretched ? shiftOf(view) : 0;
  const topOf = useCallback((index: number) => Math.round(strip.top(index) + shift), [strip, shift]);
  const reveal = useCallback(
    (index: number, align: 'near' | 'start' = 'near') => {
      const { y, height } = place.current;
      const top = strip.top(index);
      const bottom = strip.top(index + 1);
      if (align === 'start' || top < y) goTo(top);
      else if (bottom > y + height) goTo(bottom - height);
    },
    [strip, goTo],
  );
  return {
    height: scale.box,
    from,
    to,
    slots: (height) => Math.ceil(view.height / height) + 2 + overscan * 2,
    whole: (height) => Math.max(1, Math.floor(view.height / height)),
    rests,
    topOf,
    reveal,
  };
}
