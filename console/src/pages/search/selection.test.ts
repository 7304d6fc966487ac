import { expect, test } from 'vitest';
import { clearSelection, EMPTY_SELECTION, extendTo, moveTo, type Selection, selectAllHits, toggle } from './selection.ts';

const idAt = (i: number) => (i >= 0 && i < 10 ? `f${i}` : undefined);
const ids = (s: Selection) => [...(s.files.ids ?? [])].sort();

test('a plain click deselects all files', () => {
  const many = extendTo(moveTo(2), 5, idAt);
  expect(ids(moveTo(1))).toEqual([]);
  expect(ids(many)).toEqual(['f2', 'f3', 'f4', 'f5']);
});

test('Shift extends from the anchor in both directions', () => {
  const down = extendTo(moveTo(4), 6, idAt);
  const up = extendTo(down, 2, idAt);
  expect(ids(up)).toEqual(['f2', 'f3', 'f4']);
  expect(up.anchor).toBe(4);
});

test('Ctrl click toggles one file and starts with the current one', () => {
  const two = toggle(moveTo(1), 3, idAt);
  expect(ids(two)).toEqual(['f1', 'f3']);
  expect(ids(toggle(two, 1, idAt))).toEqual(['f3']);
});

test('a file that is not loaded cannot be toggled', () => {
  expect(toggle(EMPTY_SELECTION, 99, idAt)).toBe(EMPTY_SELECTION);
});

test('clearing keeps the current row and the anchor', () => {
  expect(clearSelection(extendTo(moveTo(2), 4, idAt))).toMatchObject({ current: 4, anchor: 2 });
});

test('all hits can be selected without loading them, and single files deselected again', () => {
  const all = selectAllHits(moveTo(3), 1_000_000);
  expect(all.files.size).toBe(1_000_000);
  expect(all.files.has('never loaded')).toBe(true);
  const but = toggle(all, 2, idAt);
  expect(but.files.size).toBe(999_999);
  expect(but.files.has('f2')).toBe(false);
  expect(toggle(but, 2, idAt).files.size).toBe(1_000_000);
});
