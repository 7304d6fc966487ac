import { expect, test } from 'vitest';
import { scrubberStops } from './date-scrubber.tsx';

const month = (year: number, at: number, count: number) => ({
  from: Date.UTC(year, at, 1) / 1000,
  to: Date.UTC(year, at + 1, 1) / 1000,
  count,
});

test('a year is labeled at its newest file, also in December', () => {
  const stops = scrubberStops([month(2022, 11, 50), month(2023, 5, 20), month(2023, 11, 30)]);
  expect(stops).toEqual([
    { share: 0, year: 2023 },
    { share: 0.3, year: null },
    { share: 0.5, year: 2022 },
  ]);
});

test('months without files have no mark, and marks never overlap', () => {
  const stops = scrubberStops([month(2021, 0, 1000), month(2023, 0, 0), month(2023, 1, 1), month(2023, 2, 1), month(2023, 3, 998)]);
  expect(stops).toEqual([
    { share: 0, year: 2023 },
    { share: 0.499, year: null },
    { share: 0.5, year: 2021 },
  ]);
});
