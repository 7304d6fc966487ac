import { expect, test } from 'vitest';
import { createFrameThrottle } from './frame-throttle.ts';

/** Frames that come when they are told to. */
function frames() {
  const next: (() => void)[] = [];
  const pace = createFrameThrottle(3, (run) => next.push(run));
  return { pace, waiting: next, frame: () => next.shift()?.() };
}

test('a screen of pictures comes a few in each frame, in the order they were asked for', () => {
  const { pace, frame, waiting } = frames();
  const shown: number[] = [];
  for (let i = 0; i < 8; i += 1) pace.schedule(() => shown.push(i));
  expect(shown).toEqual([]);
  frame();
  expect(shown).toEqual([0, 1, 2]);
  frame();
  frame();
  expect(shown).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(waiting).toHaveLength(0);
});

test('a picture that left before its turn takes nobody else’s', () => {
  const { pace, frame } = frames();
  const shown: number[] = [];
  const withdraw = [0, 1, 2, 3].map((i) => pace.schedule(() => shown.push(i)));
  withdraw[1]!();
  frame();
  expect(shown).toEqual([0, 2, 3]);
});

test('after a rest the next picture is asked for anew', () => {
  const { pace, frame } = frames();
  const shown: string[] = [];
  pace.schedule(() => shown.push('a'));
  frame();
  pace.schedule(() => shown.push('b'));
  frame();
  expect(shown).toEqual(['a', 'b']);
});

test('what is taken at once leaves less room for those who wait', () => {
  const { pace, frame, waiting } = frames();
  const shown: number[] = [];
  expect([pace.tryNow(), pace.tryNow()]).toEqual([true, true]);
  for (let i = 0; i < 3; i += 1) pace.schedule(() => shown.push(i));
  frame();
  expect(shown).toEqual([0]);
  expect([pace.tryNow(), pace.tryNow(), pace.tryNow(), pace.tryNow()]).toEqual([true, true, true, false]);
  frame();
  expect(shown).toEqual([0]);
  frame();
  expect(shown).toEqual([0, 1, 2]);
  frame();
  expect(waiting).toHaveLength(0);
});
