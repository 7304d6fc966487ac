import { expect, test } from 'vitest';
import { cronWords, fromCron, monthDays, toCron } from './cron-words.ts';

const expressions = [
  '0 6 * * *',
  '30 22 * * 1-5',
  '0 6 * * 1',
  '15 7 1 * *',
  '*/5 * * * *',
  '0 6 1 * 1',
  '*/15 * * * *',
  '0 */6 * * *',
  '0 * * * *',
];

test('friendly choices and cron expressions convert into each other in every time zone', () => {
  for (const offset of [0, 60, 120, 330, 765, -300, -570])
    for (const cron of expressions) expect(toCron(fromCron(cron, offset), offset)).toBe(cron);
  expect(fromCron('0 6 * * 1', 0)).toMatchObject({ repeat: 'week', weekday: '1', time: '06:00' });
  expect(fromCron('0 6 1 1 *', 0).repeat).toBe('custom');
});

test('a choice in local time that is another day in UTC names that day', () => {
  const monday = { repeat: 'week', time: '01:00', weekday: '1', day: '1', cron: '' } as const;
  expect(toCron(monday, 120)).toBe('0 23 * * 0');
  expect(toCron({ ...monday, repeat: 'weekday' }, 120)).toBe('0 23 * * 0-4');
  expect(toCron({ ...monday, repeat: 'weekday', time: '22:00' }, -300)).toBe('0 3 * * 2-6');
  expect(fromCron('0 23 * * 0-4', 120)).toMatchObject({ repeat: 'weekday', time: '01:00' });
  expect(fromCron('0 23 * * 1-5', 120).repeat).toBe('custom');
  expect(monthDays('01:00', 120)[0]).toBe('2');
  expect(monthDays('12:00', 120)).toHaveLength(28);
});

test('a schedule is described in words', () => {
  expect(cronWords('0 6 * * 1', 60)).toBe('Every Monday at 07:00');
  expect(cronWords('5 6 * * *', 0)).toBe('Every day at 06:05');
  expect(cronWords('*/15 * * * *')).toBe('Every 15 minutes');
  expect(cronWords('*/5 * * * *')).toBe('*/5 * * * * (UTC)');
});
