import { act, render, renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rowLayout } from './list-layout.ts';
import { type SlotLine, useSlots, useVirtualList, type VirtualList } from './use-virtual-list.ts';

const VIEW = 520;
const ROWS = 10_000_000;
let rows: VirtualList;

function List({ layout, overscan = 0 }: { layout: ReturnType<typeof rowLayout>; overscan?: number }) {
  const box = useRef<HTMLDivElement>(null);
  rows = useVirtualList(box, layout, overscan);
  return <div ref={box} data-testid="box" />;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(VIEW);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A list of ten million rows of 52 pixels, ten of them in the viewport. */
function open(count = ROWS, overscan = 0) {
  const list = render(<List layout={rowLayout(count, 52, 72, [])} overscan={overscan} />);
  const box = list.getByTestId('box');
  const setTallRows = (tall: number[]) => list.rerender(<List layout={rowLayout(count, 52, 72, tall)} overscan={overscan} />);
  const scroll = (to: number) =>
    act(() => {
      box.scrollTop = to;
      box.dispatchEvent(new Event('scroll'));
    });
  return { box, scroll, setTallRows, settle: () => act(() => void vi.advanceTimersByTime(1000)) };
}

test('the end of the scroll bar shows the last of ten million rows', () => {
  const { scroll } = open();
  scroll(rows.height - VIEW);
  expect(rows.to).toBe(ROWS);
  expect(rows.topOf(ROWS)).toBe(rows.height);
});

test('the wheel skips no row in the middle of ten million, and rendered rows keep their position', () => {
  const { box, scroll, settle } = open();
  scroll(7_500_000);
  const first = rows.from;
  const top = rows.topOf(first);
  for (let i = 1; i <= 40; i += 1) {
    scroll(7_500_000 + i * 104);
    expect(rows.from).toBe(first + i * 2);
    expect(rows.topOf(first)).toBe(top);
  }
  // When scrolling stops, the scroll bar is realigned while the same rows stay at the same height in the viewport.
  const seen = rows.topOf(rows.from) - box.scrollTop;
  const { from } = rows;
  settle();
  expect(box.scrollTop).toBeLessThan(7_500_000 + 1000);
  expect(rows.from).toBe(from);
  expect(Math.abs(rows.topOf(from) - box.scrollTop - seen)).toBeLessThanOrEqual(1);
});

test('after a jump in ten million rows, the rows left behind are outside the element', () => {
  const { scroll } = open();
  expect(rows.isInside(5)).toBe(true);
  scroll(7_500_000);
  expect([rows.isInside(rows.from), rows.isInside(5), rows.isInside(ROWS - 1)]).toEqual([true, false, false]);
});

test('a revealed row is in the viewport: at the top, in the middle and at the end of the list', () => {
  const { box } = open();
  for (const index of [0, 12, 30_000, 5_000_000, 5_000_001, ROWS - 1, 3]) {
    act(() => rows.reveal(index));
    const top = rows.topOf(index) - box.scrollTop;
    expect(index).toBeGreaterThanOrEqual(rows.from);
    expect(top).toBeGreaterThanOrEqual(-1);
    expect(top).toBeLessThanOrEqual(VIEW - 52 + 1);
  }
});

test('a jump renders without overscan until scrolling stops or continues slowly', () => {
  const { scroll, settle } = open(10_000, 8);
  expect(rows.to).toBe(11 + 8);
  scroll(52_000);
  expect([rows.from, rows.to]).toEqual([999, 1012]);
  settle();
  expect([rows.from, rows.to]).toEqual([992, 1019]);
  scroll(104_000);
  expect([rows.from, rows.to]).toEqual([1999, 2012]);
  scroll(104_104);
  expect([rows.from, rows.to]).toEqual([1994, 2021]);
});

test('visible rows keep their position when rows above grow, except during a jump', () => {
  const { box, scroll, setTallRows, settle } = open(10_000);
  scroll(52_000);
  settle();
  setTallRows([500, 501, 502]);
  expect(rows.from).toBe(1000);
  expect(box.scrollTop).toBe(52_060);
  scroll(104_000);
  const { scrollTop } = box;
  setTallRows([500, 501, 502, 1500, 1501, 1502]);
  expect(box.scrollTop).toBe(scrollTop);
});

test('a revealed row stays in the viewport when the rows around it grow', () => {
  const { setTallRows } = open(10_000);
  act(() => rows.reveal(9_999));
  setTallRows([9_990, 9_991, 9_992]);
  expect(rows.to).toBe(10_000);
});

const SLOTS = 12;
const slotOf = (line: number) => line % SLOTS;
const always = () => true;
interface SlotOptions {
  from: number;
  to: number;
  settleCount: number;
  count: number;
  isInside?: (line: number) => boolean;
}
const openSlots = (from: number, count = 1000) =>
  renderHook(({ isInside = always, ...options }: SlotOptions) => useSlots({ ...options, isInside }, options.count, slotOf), {
    initialProps: { from, to: Math.min(count, from + SLOTS), settleCount: 0, count } as SlotOptions,
  });
const slotIds = (assigned: SlotLine[]) => assigned.map(([slot]) => slot);
const lines = (assigned: SlotLine[]) => assigned.map(([, line]) => line);

test('every visible line has a slot, and no slot moves in the document', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 980 }), { maxLength: 20 }), (stops) => {
      const { result, rerender } = openSlots(0);
      const before = slotIds(result.current);
      for (const from of stops) {
        rerender({ from, to: from + SLOTS, settleCount: 0, count: 1000 });
        expect(slotIds(result.current)).toEqual(before);
        expect(lines(result.current).sort((a, b) => a - b)).toEqual(Array.from({ length: SLOTS }, (_, i) => from + i));
      }
    }),
    { numRuns: 30 },
  );
});

test('a jump replaces only as many slots as it needs; the others keep their lines', () => {
  const { result, rerender } = openSlots(0);
  rerender({ from: 500, to: 504, settleCount: 0, count: 1000 });
  expect(lines(result.current).filter((line) => line >= 500)).toEqual([504 - 4, 501, 502, 503].sort((a, b) => slotOf(a) - slotOf(b)));
  expect(result.current).toHaveLength(SLOTS);
});

test('when scrolling stops, the slots are sorted by line', () => {
  const { result, rerender } = openSlots(0);
  rerender({ from: 5, to: 17, settleCount: 0, count: 1000 });
  expect(lines(result.current)).not.toEqual([...lines(result.current)].sort((a, b) => a - b));
  rerender({ from: 5, to: 17, settleCount: 1, count: 1000 });
  expect(lines(result.current)).toEqual([...lines(result.current)].sort((a, b) => a - b));
});

test('lines beyond the end of a shorter list are dropped', () => {
  const { result, rerender } = openSlots(900);
  rerender({ from: 0, to: 3, settleCount: 0, count: 3 });
  expect(lines(result.current)).toEqual([0, 1, 2]);
});

test('a line outside the element is dropped', () => {
  const { result, rerender } = openSlots(0);
  rerender({ from: 500, to: 504, settleCount: 0, count: 1000, isInside: (line) => line >= 5 });
  expect(lines(result.current).filter((line) => line < 5)).toEqual([]);
  expect(lines(result.current).filter((line) => line >= 500)).toHaveLength(4);
});
