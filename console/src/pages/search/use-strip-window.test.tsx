import { act, render } from '@testing-library/react';
import { useRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rowStrip } from './strip.ts';
import { type StripWindow, useStripWindow } from './use-strip-window.ts';

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
