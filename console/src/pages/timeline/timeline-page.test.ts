import { expect, test } from 'vitest';
import type { TimelineBucket } from '../../api/types.ts';
import { axisLabels, countRange, everyMonth } from './timeline-page.tsx';

const month = (year: number, number: number) => Date.UTC(year, number - 1, 1) / 1000;

test('a month without files is included with a count of 0', () => {
  const buckets = [
    { start_epoch: month(2023, 11), count: 4 },
    { start_epoch: month(2024, 2), count: 1 },
  ] as TimelineBucket[];
  expect(everyMonth(buckets)).toEqual([
    [month(2023, 11), month(2023, 12), month(2024, 1), month(2024, 2)],
    [4, 0, 0, 1],
  ]);
});

test('no buckets give no months', () => {
  expect(everyMonth([])).toEqual([[], []]);
});

test('the count axis starts at zero', () => {
  expect(countRange(null, 3900, 4550)).toEqual([0, 4550]);
  expect(countRange(null, 0, 0)).toEqual([0, 1]);
});

test('axis labels are years, or months with the year below the first of each year', () => {
  const day = 86_400;
  expect(axisLabels([month(2023, 1), month(2024, 1)], 365 * day)).toEqual(['2023', '2024']);
  const several = [month(2023, 10), month(2024, 2), month(2024, 6)];
  expect(axisLabels(several, 120 * day).map((label) => label.split('\n')[1])).toEqual(['2023', '2024', undefined]);
  expect(axisLabels(several, 120 * day)[2]).toBe(
    new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 5, 1)),
  );
});
