import { expect, test } from 'vitest';
import { createComeback } from './comeback.ts';

test('refused agents stay away longer the more of them come, and shorter again when most are served', () => {
  let now = 0;
  const comeback = createComeback(
    300,
    () => now,
    () => 0.5,
  );
  const second = (served: number, refused: number): number => {
    for (let n = 0; n < served; n += 1) comeback.served();
    let seconds = 0;
    for (let n = 0; n < refused; n += 1) seconds = comeback.refused();
    now += 1000;
    return seconds;
  };
  expect(second(30, 600)).toBe(5);
  const waits = Array.from({ length: 20 }, () => second(30, 600));
  expect(waits[0]).toBe(8);
  expect(waits.at(-1)).toBe(300);
  expect(second(30, 45)).toBe(300);
  // Between as many and twice as many as are served, nothing changes.
  expect(second(30, 45)).toBe(300);
  for (let n = 0; n < 12; n += 1) second(30, 5);
  expect(second(30, 1)).toBe(5);
  for (let n = 0; n < 20; n += 1) second(1, 10);
  // After a minute without requests, earlier refusals no longer count.
  now += 60_000;
  expect(second(0, 1)).toBe(5);
});

test('not all come back at the same moment', () => {
  const values = [0, 1];
  const comeback = createComeback(
    300,
    () => 0,
    () => values.shift() ?? 0,
  );
  expect([comeback.refused(), comeback.refused()]).toEqual([3, 8]);
});
