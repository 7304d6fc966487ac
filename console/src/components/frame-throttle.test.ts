import { expect, test } from 'vitest';
import { createFrameThrottle } from './frame-throttle.ts';

/** Animation frames that the test triggers. */
function frames() {
  const next: (() => void)[] = [];
  const throttle = createFrameThrottle(3, (run) => next.push(run));
  return { throttle, waiting: next, frame: () => next.shift()?.() };
}

test('tasks run a few per frame, in order', () => {
  const { throttle, frame, waiting } = frames();
  const shown: number[] = [];
  for (let i = 0; i < 8; i += 1) throttle.schedule(() => shown.push(i));
  expect(shown).toEqual([]);
  frame();
  expect(shown).toEqual([0, 1, 2]);
  frame();
  frame();
  expect(shown).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(waiting).toHaveLength(0);
});

test('a cancelled task does not use a slot', () => {
  const { throttle, frame } = frames();
  const shown: number[] = [];
  const withdraw = [0, 1, 2, 3].map((i) => throttle.schedule(() => shown.push(i)));
  withdraw[1]!();
  frame();
  expect(shown).toEqual([0, 2, 3]);
});

test('a task scheduled after an idle phase runs in the next frame', () => {
  const { throttle, frame } = frames();
  const shown: string[] = [];
  throttle.schedule(() => shown.push('a'));
  frame();
  throttle.schedule(() => shown.push('b'));
  frame();
  expect(shown).toEqual(['a', 'b']);
});

test('slots taken immediately reduce the slots for scheduled tasks', () => {
  const { throttle, frame, waiting } = frames();
  const shown: number[] = [];
  expect([throttle.tryNow(), throttle.tryNow()]).toEqual([true, true]);
  for (let i = 0; i < 3; i += 1) throttle.schedule(() => shown.push(i));
  frame();
  expect(shown).toEqual([0]);
  expect([throttle.tryNow(), throttle.tryNow(), throttle.tryNow(), throttle.tryNow()]).toEqual([true, true, true, false]);
  frame();
  expect(shown).toEqual([0]);
  frame();
  expect(shown).toEqual([0, 1, 2]);
  frame();
  expect(waiting).toHaveLength(0);
});
