import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createScrollSpeed } from './scroll-speed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Scrolls by the given steps in pixels, 60 per second, on a screen 800 px high. */
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

test('slow scrolling is not fast', () => {
  const { clock, race } = start();
  scroll(race, clock, Array(60).fill(10));
  expect(race.isFast()).toBe(false);
});

test('fast scrolling lasts until the list rests', () => {
  const { clock, race } = start();
  const listener = vi.fn();
  race.subscribe(listener);
  scroll(race, clock, Array(10).fill(100));
  expect(race.isFast()).toBe(true);
  vi.advanceTimersByTime(200);
  expect(race.isFast()).toBe(false);
  expect(listener).toHaveBeenCalledTimes(2);
});

test('fast scrolling ends when it slows down', () => {
  const { clock, race } = start();
  const top = scroll(race, clock, Array(10).fill(100));
  scroll(race, clock, [5], top);
  expect(race.isFast()).toBe(false);
});

test('a far jump is fast, one wheel step is not', () => {
  const { clock, race } = start();
  clock.at += 5000;
  race.scrolled(100, 800);
  expect(race.isFast()).toBe(false);
  clock.at += 5000;
  race.scrolled(40_000, 800);
  expect(race.isFast()).toBe(true);
});

test('a list rests before it is scrolled and a moment after', () => {
  const clock = { at: 10_000 };
  const race = createScrollSpeed(() => clock.at);
  expect(race.isResting()).toBe(true);
  race.scrolled(5, 800);
  expect(race.isResting()).toBe(false);
  clock.at += 499;
  expect(race.isResting()).toBe(false);
  clock.at += 1;
  expect(race.isResting()).toBe(true);
});
