import { expect, test } from 'vitest';
import { pageMarks } from './page-marks.ts';

const word = (text: string, x: number) => ({ text, x, y: 0.5, w: 0.2, h: 0.02 });

test('a searched word is marked where it stands on the page, whatever its accents and case', () => {
  const marks = pageMarks([word('The', 0), word('Café', 0.2), word('crane', 0.5)], ['cafe']);
  expect(marks).toEqual([{ x: 0.2, y: 0.5, w: 0.2, h: 0.02 }]);
});

test('a part of a word takes its share of the box', () => {
  const [mark] = pageMarks([word('harbourside', 0.1)], ['harbour']);
  expect(mark!.x).toBe(0.1);
  expect(mark!.w).toBeCloseTo((0.2 * 7) / 11);
});

test('words joined by a sign are found one by one', () => {
  expect(pageMarks([word('load', 0), word('test', 0.3)], ['load-test'])).toHaveLength(2);
});

test('a word that stands on end is marked along its length', () => {
  const [mark] = pageMarks([{ text: 'harbourside', x: 0.5, y: 0.1, w: 0.02, h: 0.22 }], ['harbour']);
  expect(mark).toMatchObject({ x: 0.5, y: 0.1, w: 0.02 });
  expect(mark!.h).toBeCloseTo(0.14);
});

test('without a search nothing is marked', () => {
  expect(pageMarks([word('harbour', 0)], [])).toEqual([]);
});
