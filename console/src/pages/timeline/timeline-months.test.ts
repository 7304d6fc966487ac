import { expect, test } from 'vitest';
import { dayOf, ratioOf, sectionOf, sectionOfMonth, timelineMonths } from './timeline-months.ts';

const month = (year: number, number: number) => Date.UTC(year, number - 1, 1) / 1000;
const months = timelineMonths({
  date: 'taken',
  months: [
    { from: month(2023, 6), to: month(2023, 7), count: 4 },
    { from: month(2022, 2), to: month(2022, 3), count: 3 },
  ],
  undated: 2,
  total: 9,
});

test('every month begins where the one before it ends, and files without a date come last', () => {
  expect(months.list.map(({ from }) => from)).toEqual([0, 4, 7]);
  expect(months.list.at(-1)?.title).toBe('No date');
  expect(months.knownCount).toBe(9);
  expect([0, 3, 4, 8].map((file) => sectionOf(months, file))).toEqual([0, 0, 1, 2]);
});

test('a jump to a month without files goes to the next older month', () => {
  expect(sectionOfMonth(months, '2023-06')).toBe(0);
  expect(sectionOfMonth(months, '2022-12')).toBe(1);
  expect(sectionOfMonth(months, '1990-01')).toBe(2);
  expect(sectionOfMonth(months, '2030-01')).toBe(0);
});

test('the day of a photo is that of its camera, and the day of a file that of its modification in UTC', () => {
  expect(dayOf({ taken: '2023-06-30T23:30:00-07:00', mtime: 0 }, 'taken')).toBe('2023-06-30');
  expect(dayOf({ taken: null, mtime: 1_700_000_000 }, 'taken')).toBeNull();
  expect(dayOf({ taken: null, mtime: 1_700_000_000 }, 'modified')).toBe('2023-11-14');
});

test('a tile has the shape of its picture within limits', () => {
  expect(ratioOf({ width: 300, height: 200 })).toBe(1.5);
  expect(ratioOf({ width: 9000, height: 200 })).toBe(2.2);
  expect(ratioOf({ width: null, height: null })).toBe(4 / 3);
});
