import { expect, test } from 'vitest';
import { barHeight, toBins } from './bins.ts';

const sum = (bins: number[]) => bins.reduce((a, b) => a + b, 0);

test('bars of different widths become equal bins with the same total', () => {
  const bins = toBins(
    [
      { from: 0, to: 40, count: 8 },
      { from: 40, to: 50, count: 3 },
      { from: 50, to: 100, count: 5 },
    ],
    (value) => value / 100,
    10,
  );
  expect(bins).toEqual([2, 2, 2, 2, 3, 1, 1, 1, 1, 1]);
});

test('bars that exceed the axis are clamped to it', () => {
  const bins = toBins(
    [
      { from: 0, to: 120, count: 4 },
      { from: 180, to: 400, count: 2 },
    ],
    (value) => (value - 100) / 100,
    10,
  );
  expect(bins).toEqual([2, 2, 0, 0, 0, 0, 0, 0, 1, 1]);
});

test('a single value at the end of the axis falls into the last bin', () => {
  const bins = toBins([{ from: 100, to: 100, count: 7 }], (value) => value / 100, 4);
  expect(bins).toEqual([0, 0, 0, 7]);
  expect(sum(bins)).toBe(7);
});

test('height grows with the count, and a hundredth of the maximum is still visible', () => {
  expect([0, 1, 100, 10_000].map((files) => barHeight(files, 10_000))).toEqual([0, 0.01, 0.1, 1]);
  expect(barHeight(0, 0)).toBe(0);
});
