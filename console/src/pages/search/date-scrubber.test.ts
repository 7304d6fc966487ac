import { expect, test } from 'vitest';
import { stopsOf } from './date-scrubber.tsx';

const month = (year: number, at: number, count: number) => ({
  from: Date.UTC(year, at, 1) / 1000,
  to: Date.UTC(year, at + 1, 1) / 1000,
  count,
});

test('a year is named where its newest file stands, December included', () => {
  const stops = stopsOf([month(2022, 11, 50), month(2023, 5, 20), month(2023, 11, 30)]);
  expect(stops).toEqual([
    { share: 0, year: 2023 },
    { share: 0.3, year: null },
    { share: 0.5, year: 2022 },
  ]);
});

test('months without a file have no mark, and marks never lie on each other', () => {
  const stops = stopsOf([month(2021, 0, 1000), month(2023, 0, 0), month(2023, 1, 1), month(2023, 2, 1), month(2023, 3, 998)]);
  expect(stops).toEqual([
    { share: 0, year: 2023 },
    { share: 0.499, year: null },
    { share: 0.5, year: 2021 },
  ]);
});
