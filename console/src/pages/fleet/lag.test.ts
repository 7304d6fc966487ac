import { expect, test } from 'vitest';
import { lagBars } from './lag.ts';

const now = Date.parse('2026-11-16T12:30:00Z');

test('the last two days are shown as shares of the highest hour; older hours are left out', () => {
  const points = [
    { hour: '2026-11-10T12:00:00Z', waiting: 900 },
    { hour: '2026-11-14T13:00:00Z', waiting: 10 },
    { hour: '2026-11-16T12:00:00Z', waiting: 40 },
  ];
  expect(lagBars(points, now)).toEqual({
    bars: [
      { at: 0, share: 0.25 },
      { at: 47, share: 1 },
    ],
    most: 40,
  });
  expect(lagBars([{ hour: '2026-11-16T12:00:00Z', waiting: 0 }], now)).toEqual({ bars: [{ at: 47, share: 0 }], most: 0 });
});
