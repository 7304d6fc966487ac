import { expect, test } from 'vitest';
import { formatDate, formatShortMonth } from '../format/dates.ts';
import { parseDay } from './parse-day.ts';

const local = (year: number, month: number, day = 1): number => new Date(year, month, day).getTime() / 1000;

test('a year, a month and a day begin with their first second and end with their last', () => {
  expect([parseDay('2023'), parseDay('2023', true)]).toEqual([local(2023, 0), local(2024, 0) - 1]);
  expect([parseDay('2023-06'), parseDay('2023-06', true)]).toEqual([local(2023, 5), local(2023, 6) - 1]);
  expect([parseDay(' 2023-06-14 '), parseDay('2023-06-14', true)]).toEqual([local(2023, 5, 14), local(2023, 5, 15) - 1]);
  expect(parseDay('2023-06', true, 'UTC')).toBe(Date.UTC(2023, 6, 1) / 1000 - 1);
});

test('what the console shows can be typed', () => {
  const day = local(2023, 5, 14);
  expect(parseDay(formatDate(day))).toBe(day);
  expect(parseDay(formatShortMonth(day))).toBe(local(2023, 5));
  expect(parseDay('14 Jun 2023', true)).toBe(local(2023, 5, 15) - 1);
});

test('text that is no date is refused', () => {
  for (const text of ['', 'soon', '2023-13', '2023-06-40', '99/99/2023', 'Foo 2023']) expect(parseDay(text)).toBeNull();
});
