import { type RefObject, startTransition, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { scrollSpeed } from '../../components/scroll-speed.ts';
import { createScrollScale, type ListLayout, positionAfterScroll, type ScrollPosition } from './list-layout.ts';

export interface VirtualList {
  /** Height of the element inside the scroller. */
  height: number;
  from: number;
  /** Exclusive. */
  to: number;
  /** The last scroll step was longer than the viewport. */
  jumped: boolean;
  /** How many lines of at least this height are rendered at once, overscan included. */
  slotCount: (lineHeight: number) => number;
  /** How many lines of this height are fully visible. */
  fullyVisible: (lineHeight: number) => number;
  /** Increases each time scrolling stops. */
  settleCount: number;
  /** The top of a line inside the element. */
  topOf: (index: number) => number;
  /** False only for lines that a jump in a compressed list left outside the element. */
  isInside: (index: number) => boolean;
  reveal: (index: number, align?: 'near' | 'start') => void;
}

interface Viewport extends ScrollPosition {
  height: number;
  jumped: boolean;
}

/** A delta of 0 keeps the previous value: browsers report a programmatic scroll a second time. */
const isJump = (delta: number, height: number, before: boolean): boolean => (delta === 0 ? before : Math.abs(delta) > height);

/** Scrolling has stopped when nothing moved for this long. The scroll bar of a compressed list is then realigned with the content. */
const SETTLE_MS = 200;

/** How far the lines of a compressed list are moved so that they appear in the viewport. Constant during continuous scrolling. */
const shiftOf = ({ scrollTop, offset }: ScrollPosition): number => scrollTop - offset;

/** The visible part of a list. Renders again only when that part changes. */
export function useVirtualList(scroller: RefObject<HTMLElement | null>, layout: ListLayout, overscan: number): VirtualList {
  const [view, setView] = useState<Viewport>({ scrollTop: 0, offset: 0, height: 0, jumped: false });
  const [settleCount, setSettleCount] = useState(0);
  const position = useRef(view);
  /** The user is jumping through the list, so there is no visible line to keep in place. */
  const jumping = useRef(false);
  /** The line that was last revealed, until the user scrolls. */
  const revealed = useRef<number | null>(null);
  const scale = useMemo(() => createScrollScale(layout, view.height), [layout, view.height]);
  const latest = useRef({ layout, scale });
  latest.current = { layout, scale };

  const update = useCallback(() => {
    setView((rendered) => {
      const next = position.current;
      const moved = Math.abs(next.offset - rendered.offset) >= latest.current.layout.minHeight || shiftOf(next) !== shiftOf(rendered);
      return moved || next.height !== rendered.height || (rendered.jumped && !next.jumped) ? next : rendered;
    });
  }, []);

  const scrollToOffset = useCallback(
    (target: number) => {
      const element = scroller.current;
      if (!element) return;
      const { maxOffset, compressed, toScrollTop } = latest.current.scale;
      const to = Math.min(maxOffset, Math.max(0, target));
      element.scrollTop = compressed ? toScrollTop(to) : to;
      // Browsers round scrollTop to device pixels, so it is read back.
      const { height, jumped, offset: before } = position.current;
      const offset = compressed ? to : element.scrollTop;
      position.current = { scrollTop: element.scrollTop, offset, height, jumped: isJump(offset - before, height, jumped) };
      jumping.current = false;
      update();
    },
    [scroller, update],
  );

  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let settleTimer: ReturnType<typeof setTimeout> | undefined;
    const realign = () => {
      const { scale } = latest.current;
      const { offset } = position.current;
      if (scale.compressed && Math.abs(scale.toScrollTop(offset) - element.scrollTop) >= 1) flushSync(() => scrollToOffset(offset));
    };
    const settle = () => {
      realign();
      position.current = { ...position.current, jumped: false };
      jumping.current = false;
      startTransition(() => {
        update();
        setSettleCount((n) => n + 1);
      });
    };
    // Rendered synchronously, so that fast scrolling never shows an empty list.
    const onScroll = () => {
      const { scale } = latest.current;
      const { height, offset, jumped } = position.current;
      const next = positionAfterScroll(position.current, element.scrollTop, scale, height);
      position.current = { ...next, height, jumped: isJump(next.offset - offset, height, jumped) };
      if (next.offset !== offset) {
        jumping.current = position.current.jumped;
        revealed.current = null;
      }
      scrollSpeed.scrolled(next.offset, height);
      flushSync(update);
      clearTimeout(settleTimer);
      settleTimer = setTimeout(settle, SETTLE_MS);
      // At the end of the scroll bar but not of a compressed list, the user can only scroll on after a realignment.
      const stuck =
        next.scrollTop < 1 ? next.offset >= 1 : next.scrollTop >= scale.elementHeight - height - 1 && next.offset < scale.maxOffset;
      if (scale.compressed && stuck) realign();
    };
    const measure = () => {
      position.current = { ...position.current, height: element.clientHeight };
      update();
    };
    measure();
    element.addEventListener('scroll', onScroll, { passive: true });
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      clearTimeout(settleTimer);
      scrollSpeed.stopped();
      element.removeEventListener('scroll', onScroll);
      observer.disconnect();
    };
  }, [scroller, update, scrollToOffset]);

  const reveal = useCallback(
    (index: number, align: 'near' | 'start' = 'near') => {
      revealed.current = align === 'near' ? index : null;
      const { offset, height } = position.current;
      const top = layout.top(index);
      const bottom = layout.top(index + 1);
      // Setting the scroll position lays out the page at once, so a list that is at its top already is left alone.
      if (top === 0 && offset === 0) return;
      if (align === 'start' || top < offset) scrollToOffset(top);
      else if (bottom > offset + height) scrollToOffset(bottom - height);
    },
    [layout, scrollToOffset],
  );

  // When a loaded page makes rows taller, the first visible row and the revealed row stay where they are.
  const previousLayout = useRef(layout);
  useLayoutEffect(() => {
    const old = previousLayout.current;
    previousLayout.current = layout;
    if (old === layout || old.count !== layout.count || old.minHeight !== layout.minHeight || jumping.current) return;
    const { offset } = position.current;
    const first = old.indexAt(offset);
    const moved = layout.top(first) - old.top(first);
    if (moved !== 0) scrollToOffset(offset + moved);
    if (revealed.current !== null) reveal(revealed.current);
  }, [layout, scrollToOffset, reveal]);

  // After a jump, the full overscan is rendered only once scrolling stops.
  const around = view.jumped ? Math.min(1, overscan) : overscan;
  const from = Math.max(0, layout.indexAt(view.offset) - around);
  const to = Math.min(layout.count, layout.indexAt(view.offset + view.height) + 1 + around);
  const shift = scale.compressed ? shiftOf(view) : 0;
  const topOf = useCallback((index: number) => Math.round(layout.top(index) + shift), [layout, shift]);
  const isInside = useCallback(
    (index: number) => topOf(index) >= 0 && topOf(index + 1) <= scale.elementHeight,
    [topOf, scale.elementHeight],
  );
  return {
    height: scale.elementHeight,
    from,
    to,
    jumped: view.jumped,
    slotCount: (lineHeight) => Math.ceil(view.height / lineHeight) + 2 + overscan * 2,
    fullyVisible: (lineHeight) => Math.max(1, Math.floor(view.height / lineHeight)),
    settleCount,
    topOf,
    isInside,
    reveal,
  };
}

export type SlotLine = [slot: string | number, line: number];

/**
 * Assigns lines to reusable DOM slots, in document order. A line that scrolls into view takes the slot of one that left, and no slot
 * moves in the document while scrolling, so that a scroll step renders only the new lines.
 * When scrolling stops, the slots are sorted by line for screen readers.
 * A line outside the element is dropped, because it would make the element longer.
 */
export function useSlots(
  { from, to, settleCount, isInside }: Pick<VirtualList, 'from' | 'to' | 'settleCount' | 'isInside'>,
  count: number,
  slotOf: (line: number) => string | number,
): SlotLine[] {
  const previous = useRef({ slots: new Map<string | number, number>(), settleCount });
  return useMemo(() => {
    const settled = previous.current.settleCount !== settleCount;
    const kept = [...previous.current.slots].filter(([slot, line]) => line < count && slotOf(line) === slot && isInside(line));
    const slots = new Map(settled ? kept.sort((a, b) => a[1] - b[1]) : kept);
    for (let line = from; line < to; line += 1) slots.set(slotOf(line), line);
    previous.current = { slots, settleCount };
    return [...slots];
  }, [from, to, settleCount, count, slotOf, isInside]);
}
