import { expect, test } from 'vitest';
import { readWindow, updateHold } from './update-rules.ts';

// 2026-11-17 is a Tuesday.
const at = (time: string): Date => new Date(`2026-11-${time}:00Z`);
const hours = 'The settings of this agent let it update itself at other hours only.';

test('an agent updates itself within its hours, also past midnight, in its zone', () => {
  const hold = (update_window: string, time: string) => updateHold({ update_window }, at(time));
  expect(hold('* 22:00-05:00', '17T21:59')).toBe(hours);
  expect(hold('* 22:00-05:00', '17T22:00')).toBeNull();
  expect(hold('* 22:00-05:00', '18T04:59')).toBeNull();
  expect(hold('* 22:00-05:00', '18T05:00')).toBe(hours);
  // The day names the beginning: Tuesday night belongs to Tuesday.
  expect(hold('tue 22:00-05:00', '18T03:00')).toBeNull();
  expect(hold('wed 22:00-05:00', '18T03:00')).toBe(hours);
  expect(hold('mon-wed,sat 08:00-09:00', '17T08:30')).toBeNull();
  expect(hold('sat-mon 08:00-09:00', '17T08:30')).toBe(hours);
  expect(hold('sat-mon 08:00-09:00', '16T08:30')).toBeNull();
  expect(hold('tue 09:00-10:00 Europe/Berlin', '17T08:30')).toBeNull();
  expect(hold('tue 09:00-10:00 Europe/Berlin', '17T09:30')).toBe(hours);
});

test('updates can be switched off, or wait for a day; other texts are no hours', () => {
  expect(updateHold({ auto_update: false }, at('17T08:00'))).toMatch(/do not let it update itself/);
  expect(updateHold({ auto_update: true }, at('17T08:00'))).toBeNull();
  expect(updateHold({ update_not_before: '2026-11-18T00:00:00Z' }, at('17T08:00'))).toMatch(/on a later day only/);
  expect(updateHold({ update_not_before: '2026-11-17T00:00:00Z' }, at('17T08:00'))).toBeNull();
  for (const text of [
    '',
    'tue',
    'noday 08:00-09:00',
    '* 25:00-09:00',
    '* 08:00-08:00',
    '* 08:00-09:00 Nowhere/City',
    'mon-tue-wed 08:00-09:00',
  ])
    expect(readWindow(text), text).toBeNull();
});
