import { act, render, renderHook } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import fc from 'fast-check';
import { rowStrip } from './list-layout.ts';
import { type StripWindow, useStripWindow, type HeldLine, useHeldLines } from './use-virtual-list.ts';

const VIEW = 520;
const ROWS = 10_000_000;
let rows: StripWindow;

function List({ strip, overscan = 0 }: { strip: ReturnType<typeof rowStrip>; overscan?: number }) {
  const box = useRef<HTMLDivElement>(null);
  rows = useStripWindow(box, strip, overscan);
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

/** A list of ten million rows of 52 pixels, of which ten are in view. */
function open(count = ROWS, overscan = 0) {
  const list = render(<List strip={rowStrip(count, 52, 72, [])} overscan={overscan} />);
  const box = list.getByTestId('box');
  const learn = (tall: number[]) => list.rerender(<List strip={rowStrip(count, 52, 72, tall)} overscan={overscan} />);
  const scroll = (to: number) =>
    act(() => {
      box.scrollTop = to;
      box.dispatchEvent(new Event('scroll'));
    });
  return { box, scroll, learn, rest: () => act(() => vi.advanceTimersByTime(1000)) };
}

test('the end of the scroll bar is the last of ten million rows', () => {
  const { scroll } = open();
  scroll(rows.height - VIEW);
  expect(rows.to).toBe(ROWS);
  expect(rows.topOf(ROWS)).toBe(rows.height);
});

test('the wheel passes row after row in the middle of ten million, and nothing that is drawn moves by itself', () => {
  const { box, scroll, rest } = open();
  scroll(7_500_000);
  const first = rows.from;
  const top = rows.topOf(first);
  for (let i = 1; i <= 40; i += 1) {
    scroll(7_500_000 + i * 104);
    expect(rows.from).toBe(first + i * 2);
    expect(rows.topOf(first)).toBe(top);
  }
  // At rest the bar goes back to where it belongs; the same rows stay in view at the same height.
  const seen = rows.topOf(rows.from) - box.scrollTop;
  const { from } = rows;
  rest();
  expect(box.scrollTop).toBeLessThan(7_500_000 + 1000);
  expect(rows.from).toBe(from);
  expect(Math.abs(rows.topOf(from) - box.scrollTop - seen)).toBeLessThanOrEqual(1);
});

test('after a jump in ten million rows those left behind have no place in the box', () => {
  const { scroll } = open();
  expect(rows.holds(5)).toBe(true);
  scroll(7_500_000);
  expect([rows.holds(rows.from), rows.holds(5), rows.holds(ROWS - 1)]).toEqual([true, false, false]);
});

test('a row that is revealed stands in view, at the top, in the middle and at the end', () => {
  const { box } = open();
  for (const index of [0, 12, 30_000, 5_000_000, 5_000_001, ROWS - 1, 3]) {
    act(() => rows.reveal(index));
    const top = rows.topOf(index) - box.scrollTop;
    expect(index).toBeGreaterThanOrEqual(rows.from);
    expect(top).toBeGreaterThanOrEqual(-1);
    expect(top).toBeLessThanOrEqual(VIEW - 52 + 1);
  }
});

test('what is kept ready around the view is left out in a leap, and drawn when one rests or reads on', () => {
  const { scroll, rest } = open(10_000, 8);
  expect(rows.to).toBe(11 + 8);
  scroll(52_000);
  expect([rows.from, rows.to]).toEqual([999, 1012]);
  rest();
  expect([rows.from, rows.to]).toEqual([992, 1019]);
  scroll(104_000);
  expect([rows.from, rows.to]).toEqual([1999, 2012]);
  scroll(104_104);
  expect([rows.from, rows.to]).toEqual([1994, 2021]);
});

test('rows above that turn out taller push nothing away that is read; somebody who flies past is not held', () => {
  const { box, scroll, learn, rest } = open(10_000);
  scroll(52_000);
  rest();
  learn([500, 501, 502]);
  expect(rows.from).toBe(1000);
  expect(box.scrollTop).toBe(52_060);
  scroll(104_000);
  const { scrollTop } = box;
  learn([500, 501, 502, 1500, 1501, 1502]);
  expect(box.scrollTop).toBe(scrollTop);
});

test('a row that was asked for stays in view while the rows around it become known', () => {
  const { learn } = open(10_000);
  act(() => rows.reveal(9_999));
  learn([9_990, 9_991, 9_992]);
  expect(rows.to).toBe(10_000);
});

const SLOTS = 12;
const slotOf = (line: number) => line % SLOTS;
const always = () => true;
interface Seen {
  from: number;
  to: number;
  rests: number;
  count: number;
  holds?: (line: number) => boolean;
}
const openLines = (from: number, count = 1000) =>
  renderHook(({ holds = always, ...seen }: Seen) => useHeldLines({ ...seen, holds }, seen.count, slotOf), {
    initialProps: { from, to: Math.min(count, from + SLOTS), rests: 0, count } as Seen,
  });
const places = (held: HeldLine[]) => held.map(([slot]) => slot);
const lines = (held: HeldLine[]) => held.map(([, line]) => line);

test('whatever is scrolled to is in the page, and no slot moves within it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 980 }), { maxLength: 20 }), (stops) => {
      const { result, rerender } = openLines(0);
      const before = places(result.current);
      for (const from of stops) {
        rerender({ from, to: from + SLOTS, rests: 0, count: 1000 });
        expect(places(result.current)).toEqual(before);
        expect(lines(result.current).sort((a, b) => a - b)).toEqual(Array.from({ length: SLOTS }, (_, i) => from + i));
      }
    }),
    { numRuns: 30 },
  );
});

test('a jump draws only what is in view; what stood around it stays where it was until its turn comes', () => {
  const { result, rerender } = openLines(0);
  rerender({ from: 500, to: 504, rests: 0, count: 1000 });
  expect(lines(result.current).filter((line) => line >= 500)).toEqual([504 - 4, 501, 502, 503].sort((a, b) => slotOf(a) - slotOf(b)));
  expect(result.current).toHaveLength(SLOTS);
});

test('when one rests the lines stand in the order they are read in', () => {
  const { result, rerender } = openLines(0);
  rerender({ from: 5, to: 17, rests: 0, count: 1000 });
  expect(lines(result.current)).not.toEqual([...lines(result.current)].sort((a, b) => a - b));
  rerender({ from: 5, to: 17, rests: 1, count: 1000 });
  expect(lines(result.current)).toEqual([...lines(result.current)].sort((a, b) => a - b));
});

test('lines a shorter list no longer has are gone', () => {
  const { result, rerender } = openLines(900);
  rerender({ from: 0, to: 3, rests: 0, count: 3 });
  expect(lines(result.current)).toEqual([0, 1, 2]);
});

test('a line left behind outside the box is let go', () => {
  const { result, rerender } = openLines(0);
  rerender({ from: 500, to: 504, rests: 0, count: 1000, holds: (line) => line >= 5 });
  expect(lines(result.current).filter((line) => line < 5)).toEqual([]);
  expect(lines(result.current).filter((line) => line >= 500)).toHaveLength(4);
});
