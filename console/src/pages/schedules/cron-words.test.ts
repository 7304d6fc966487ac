import { expect, test } from 'vitest';
import { cronWords, fromCron, toCron } from './cron-words.ts';

test('friendly choices and cron expressions convert into each other', () => {
  for (const cron of ['0 6 * * *', '30 22 * * 1-5', '0 6 * * 1', '15 7 1 * *', '*/5 * * * *', '0 6 1 * 1'])
    expect(toCron(fromCron(cron))).toBe(cron);
  expect(fromCron('0 6 * * 1')).toMatchObject({ repeat: 'week', weekday: '1', time: '06:00' });
  expect(fromCron('0 6 1 1 *').repeat).toBe('custom');
});

test('a schedule is described in words', () => {
  expect(cronWords('0 6 * * 1')).toBe('Every Monday at 06:00 UTC');
  expect(cronWords('5 6 * * *')).toBe('Every day at 06:05 UTC');
  expect(cronWords('*/5 * * * *')).toBe('*/5 * * * *');
});
