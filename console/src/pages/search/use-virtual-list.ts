import { type RefObject, startTransition, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { scrollSpeed } from '../../components/scroll-speed.ts';
import { followScroll, type Place, type Strip, scaleOf } from './list-layout.ts';

export interface StripWindow {
  /** Height of the box inside the scroller. */
  height: number;
  from: number;
  /** Not included. */
  to: number;
  /** The last step went further than the view is high. */
  leapt: boolean;
  /** How many things of at least that height are ever in view at once, with those kept ready around it. */
  slots: (height: number) => number;
  /** How many things of that height are in view as a whole. */
  whole: (height: number) => number;
  /** Changes when one rests. */
  rests: number;
  /** Where a thing is put inside the box. */
  topOf: (index: number) => number;
  /** Whether that place lies inside the box. It always does, but for what was left behind by a jump in a very long strip. */
  holds: (index: number) => boolean;
  reveal: (index: number, align?: 'near' | 'start') => void;
}

interface View extends Place {
  height: number;
  leapt: boolean;
}

/** No step leaves it is: the browser tells once more of a step that was made for it. */
const leaps = (by: number, height: number, before: boolean): boolean => (by === 0 ? before : Math.abs(by) > height);

/** One rests when nothing moved for so long. In a very long strip the bar runs ahead of somebody who reads on; then it goes back to where it belongs. */
const REST_MS = 200;

/** Things are put where they are seen; that place stays for good while the strip is not stretched, or as long as nobody jumps. */
const shiftOf = ({ scrollTop, y }: Place): number => scrollTop - y;

/** Which part of a strip is in view. The page is only drawn again when that changes. */
export function useStripWindow(scroller: RefObject<HTMLElement | null>, strip: Strip, overscan: number): StripWindow {
  const [view, setView] = useState<View>({ scrollTop: 0, y: 0, height: 0, leapt: false });
  const [rests, setRests] = useState(0);
  const place = useRef(view);
  /** Somebody leaps by hand: what they pass was never shown, so there is nothing to hold in its place. */
  const flying = useRef(false);
  /** The thing that was brought into view last, until somebody scrolls on. */
  const asked = useRef<number | null>(null);
  const scale = useMemo(() => scaleOf(strip, view.height), [strip, view.height]);
  const now = useRef({ strip, scale });
  now.current = { strip, scale };

  const draw = useCallback(() => {
    setView((drawn) => {
      const next = place.current;
      const moved = Math.abs(next.y - drawn.y) >= now.current.strip.step || shiftOf(next) !== shiftOf(drawn);
      return moved || next.height !== drawn.height || (drawn.leapt && !next.leapt) ? next : drawn;
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
      const { height, leapt, y: before } = place.current;
      const there = stretched ? to : box.scrollTop;
      place.current = { scrollTop: box.scrollTop, y: there, height, leapt: leaps(there - before, height, leapt) };
      flying.current = false;
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
      place.current = { ...place.current, leapt: false };
      flying.current = false;
      startTransition(() => {
        draw();
        setRests((n) => n + 1);
      });
    };
    // Drawn within the same frame, so that fast scrolling never shows an empty list.
    const follow = () => {
      const { scale } = now.current;
      const { height, y, leapt } = place.current;
      const next = followScroll(place.current, box.scrollTop, scale, height);
      place.current = { ...next, height, leapt: leaps(next.y - y, height, leapt) };
      if (next.y !== y) {
        flying.current = place.current.leapt;
        asked.current = null;
      }
      scrollSpeed.scrolled(next.y, height);
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
      scrollSpeed.stopped();
      box.removeEventListener('scroll', follow);
      observer.disconnect();
    };
  }, [scroller, draw, goTo]);

  const reveal = useCallback(
    (index: number, align: 'near' | 'start' = 'near') => {
      asked.current = align === 'near' ? index : null;
      const { y, height } = place.current;
      const top = strip.top(index);
      const bottom = strip.top(index + 1);
      if (align === 'start' || top < y) goTo(top);
      else if (bottom > y + height) goTo(bottom - height);
    },
    [strip, goTo],
  );

  // Rows that turn out taller must push away neither what one is looking at nor what was asked for.
  const before = useRef(strip);
  useLayoutEffect(() => {
    const old = before.current;
    before.current = strip;
    if (old === strip || old.count !== strip.count || old.step !== strip.step || flying.current) return;
    const { y } = place.current;
    const first = old.at(y);
    const moved = strip.top(first) - old.top(first);
    if (moved !== 0) goTo(y + moved);
    if (asked.current !== null) reveal(asked.current);
  }, [strip, goTo, reveal]);

  // After a leap little more than what is in view is drawn; what is kept ready around it follows when one rests.
  const around = view.leapt ? Math.min(1, overscan) : overscan;
  const from = Math.max(0, strip.at(view.y) - around);
  const to = Math.min(strip.count, strip.at(view.y + view.height) + 1 + around);
  const shift = scale.stretched ? shiftOf(view) : 0;
  const topOf = useCallback((index: number) => Math.round(strip.top(index) + shift), [strip, shift]);
  const holds = useCallback((index: number) => topOf(index) >= 0 && topOf(index + 1) <= scale.box, [topOf, scale.box]);
  return {
    height: scale.box,
    from,
    to,
    leapt: view.leapt,
    slots: (height) => Math.ceil(view.height / height) + 2 + overscan * 2,
    whole: (height) => Math.max(1, Math.floor(view.height / height)),
    rests,
    topOf,
    holds,
    reveal,
  };
}

export type HeldLine = [slot: string | number, line: number];

/**
 * Which lines stand in the page, by the slot each of them stands in, in the order of the page. A line that comes into view takes the slot of
 * one that left, and no slot ever moves within the page while somebody scrolls: so a step costs only what is new in it.
 * When they rest the slots are put in the order they are read in, for those who have the page read to them.
 * A line left behind whose place is outside the box is let go: it would make the box longer than it is.
 */
export function useHeldLines(
  { from, to, rests, holds }: Pick<StripWindow, 'from' | 'to' | 'rests' | 'holds'>,
  count: number,
  slotOf: (line: number) => string | number,
): HeldLine[] {
  const held = useRef({ slots: new Map<string | number, number>(), rests });
  return useMemo(() => {
    const rested = held.current.rests !== rests;
    const before = [...held.current.slots].filter(([slot, line]) => line < count && slotOf(line) === slot && holds(line));
    const slots = new Map(rested ? before.sort((a, b) => a[1] - b[1]) : before);
    for (let line = from; line < to; line += 1) slots.set(slotOf(line), line);
    held.current = { slots, rests };
    return [...slots];
  }, [from, to, rests, count, slotOf, holds]);
}
