import { expect, test } from 'vitest';
import { chooseAll, clear, extendTo, NOTHING, type Selection, standOn, toggle } from './selection.ts';

const idAt = (i: number) => (i >= 0 && i < 10 ? `f${i}` : undefined);
const ids = (s: Selection) => [...(s.ids.named ?? [])].sort();

test('a plain click stands on a file and lets go of the others', () => {
  const many = extendTo(standOn(2), 5, idAt);
  expect(ids(standOn(1))).toEqual([]);
  expect(ids(many)).toEqual(['f2', 'f3', 'f4', 'f5']);
});

test('Shift extends from the anchor in both directions', () => {
  const down = extendTo(standOn(4), 6, idAt);
  const up = extendTo(down, 2, idAt);
  expect(ids(up)).toEqual(['f2', 'f3', 'f4']);
  expect(up.anchor).toBe(4);
});

test('Ctrl adds and takes away one file and begins with the one stood on', () => {
  const two = toggle(standOn(1), 3, idAt);
  expect(ids(two)).toEqual(['f1', 'f3']);
  expect(ids(toggle(two, 1, idAt))).toEqual(['f3']);
});

test('a file that is not loaded cannot be chosen', () => {
  expect(toggle(NOTHING, 99, idAt)).toBe(NOTHING);
});

test('clearing keeps the place', () => {
  expect(clear(extendTo(standOn(2), 4, idAt))).toMatchObject({ current: 4, anchor: 2 });
});

test('everything can be chosen without loading it, and single files taken out again', () => {
  const all = chooseAll(standOn(3), 1_000_000);
  expect(all.ids.size).toBe(1_000_000);
  expect(all.ids.has('never loaded')).toBe(true);
  const but = toggle(all, 2, idAt);
  expect(but.ids.size).toBe(999_999);
  expect(but.ids.has('f2')).toBe(false);
  expect(toggle(but, 2, idAt).ids.size).toBe(1_000_000);
});
