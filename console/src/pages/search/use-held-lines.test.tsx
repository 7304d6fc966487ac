import { renderHook } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type HeldLine, useHeldLines } from './use-held-lines.ts';

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
const open = (from: number, count = 1000) =>
  renderHook(({ holds = always, ...seen }: Seen) => useHeldLines({ ...seen, holds }, seen.count, slotOf), {
    initialProps: { from, to: Math.min(count, from + SLOTS), rests: 0, count } as Seen,
  });
const places = (held: HeldLine[]) => held.map(([slot]) => slot);
const lines = (held: HeldLine[]) => held.map(([, line]) => line);

test('whatever is scrolled to is in the page, and no slot moves within it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 980 }), { maxLength: 20 }), (stops) => {
      const { result, rerender } = open(0);
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
  const { result, rerender } = open(0);
  rerender({ from: 500, to: 504, rests: 0, count: 1000 });
  expect(lines(result.current).filter((line) => line >= 500)).toEqual([504 - 4, 501, 502, 503].sort((a, b) => slotOf(a) - slotOf(b)));
  expect(result.current).toHaveLength(SLOTS);
});

test('when one rests the lines stand in the order they are read in', () => {
  const { result, rerender } = open(0);
  rerender({ from: 5, to: 17, rests: 0, count: 1000 });
  expect(lines(result.current)).not.toEqual([...lines(result.current)].sort((a, b) => a - b));
  rerender({ from: 5, to: 17, rests: 1, count: 1000 });
  expect(lines(result.current)).toEqual([...lines(result.current)].sort((a, b) => a - b));
});

test('lines a shorter list no longer has are gone', () => {
  const { result, rerender } = open(900);
  rerender({ from: 0, to: 3, rests: 0, count: 3 });
  expect(lines(result.current)).toEqual([0, 1, 2]);
});

test('a line left behind outside the box is let go', () => {
  const { result, rerender } = open(0);
  rerender({ from: 500, to: 504, rests: 0, count: 1000, holds: (line) => line >= 5 });
  expect(lines(result.current).filter((line) => line < 5)).toEqual([]);
  expect(lines(result.current).filter((line) => line >= 500)).toHaveLength(4);
});
