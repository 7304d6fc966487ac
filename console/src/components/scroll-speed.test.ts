import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScrollSpeed } from './scroll-speed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Scrolls by steps of so many pixels, sixty in a second, on a screen of 800. */
function scroll(race: ReturnType<typeof createScrollSpeed>, clock: { at: number }, steps: number[], from = 0): number {
  let top = from;
  for (const step of steps) {
    clock.at += 1000 / 60;
    top += step;
    race.scrolled(top, 800);
  }
  return top;
}
function start() {
  const clock = { at: 10_000 };
  const race = createScrollSpeed(() => clock.at);
  race.scrolled(0, 800);
  return { clock, race };
}

test('reading on is no race', () => {
  const { clock, race } = start();
  scroll(race, clock, Array(60).fill(10));
  expect(race.isFast()).toBe(false);
});

test('rows that fly past are a race until one rests', () => {
  const { clock, race } = start();
  const heard = vi.fn();
  race.subscribe(heard);
  scroll(race, clock, Array(10).fill(100));
  expect(race.isFast()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(race.isFast()).toBe(false);
  expect(heard).toHaveBeenCalledTimes(2);
});

test('a race that slows down ends before it stops', () => {
  const { clock, race } = start();
  const top = scroll(race, clock, Array(10).fill(100));
  scroll(race, clock, [5], top);
  expect(race.isFast()).toBe(false);
});

test('a far jump is a race, a turn of the wheel is not', () => {
  const { clock, race } = start();
  clock.at += 5000;
  race.scrolled(100, 800);
  expect(race.isFast()).toBe(false);
  clock.at += 5000;
  race.scrolled(40_000, 800);
  expect(race.isFast()).toBe(true);
});
