import { expect, test } from 'vitest';
import type { TimelineBucket } from '../../api/types.ts';
import { everyMonth, fromZero, labelsOf } from './timeline-page.tsx';

const month = (year: number, number: number) => Date.UTC(year, number - 1, 1) / 1000;

test('a month without files is drawn as empty, not skipped', () => {
  const buckets = [
    { start_epoch: month(2023, 11), count: 4 },
    { start_epoch: month(2024, 2), count: 1 },
  ] as TimelineBucket[];
  expect(everyMonth(buckets)).toEqual([
    [month(2023, 11), month(2023, 12), month(2024, 1), month(2024, 2)],
    [4, 0, 0, 1],
  ]);
});

test('nothing gives nothing', () => {
  expect(everyMonth([])).toEqual([[], []]);
});

test('heights are drawn from zero, so that months look as different as they are', () => {
  expect(fromZero(null, 3900, 4550)).toEqual([0, 4550]);
  expect(fromZero(null, 0, 0)).toEqual([0, 1]);
});

test('below the line stand years, or months with the year below the first of it', () => {
  const day = 86_400;
  expect(labelsOf([month(2023, 1), month(2024, 1)], 365 * day)).toEqual(['2023', '2024']);
  const several = [month(2023, 10), month(2024, 2), month(2024, 6)];
  expect(labelsOf(several, 120 * day).map((label) => label.split('\n')[1])).toEqual(['2023', '2024', undefined]);
  expect(labelsOf(several, 120 * day)[2]).toBe(
    new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }).format(Date.UTC(2024, 5, 1)),
  );
});
