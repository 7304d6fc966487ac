import { expect, test } from 'vitest';
import { histogramBounds, presentHistograms } from './facets.ts';

const [size, mtime] = histogramBounds(new Date('2026-11-15T12:00:00Z'));

test('bounds ascend, are at most 127, and cover all sizes up to 16 TiB and dates until tomorrow', () => {
  for (const { bounds } of [size!, mtime!]) {
    expect(bounds.length).toBeLessThanOrEqual(127);
    expect(bounds[0]).toBe(0);
    for (const [at, bound] of bounds.entries()) if (at > 0) expect(bound).toBeGreaterThan(bounds[at - 1]!);
  }
  expect(size!.bounds.at(-1)).toBe(2 ** 44);
  expect(mtime!.bounds.at(-1)).toBe(Date.UTC(2027, 0, 1) / 1000);
});

test('the files of one summer fall into several bars', () => {
  const held = mtime!.bounds.filter((bound) => bound >= Date.UTC(2023, 5, 1) / 1000 && bound < Date.UTC(2023, 8, 1) / 1000);
  expect(held).toHaveLength(3);
});

test('empty bars at the ends are left out, those in between stay', () => {
  const bars = presentHistograms({ size: [0, 2, 0, 1, 0] }, [{ field: 'size', bounds: [0, 1, 2, 3, 4, 5] }]);
  expect(bars['size']).toEqual([
    { from: 1, to: 2, count: 2 },
    { from: 2, to: 3, count: 0 },
    { from: 3, to: 4, count: 1 },
  ]);
});
