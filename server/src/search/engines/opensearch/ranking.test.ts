import { expect, test } from 'vitest';
import { weightsFor } from './ranking.ts';

const weights = weightsFor(13, false);
const words = (...each: [level: number, field: number, exact: boolean][]) => each.reduce((sum, word) => sum + weights.word(...word), 0);

test('the rules decide in sequence: typos, then proximity, then the field, then exactness', () => {
  const worst = words([1, 12, false], [0, 12, false]);
  const moreTypos = words([1, 0, true], [1, 0, true]) + weights.proximity(3) + weights.whole(false);
  expect(worst).toBeGreaterThan(moreTypos);
  const close = words([0, 12, false], [0, 12, false]) + weights.proximity(2);
  expect(close).toBeGreaterThan(words([0, 0, true], [0, 0, true]) + weights.proximity(1) + weights.whole(false));
  expect(words([0, 1, false])).toBeGreaterThan(words([0, 2, true]) + weights.whole(false));
  expect(words([0, 1, false]) + weights.whole(false)).toBeGreaterThan(words([0, 1, true]) + weights.whole(true));
});

test('ten words of the best rank are a number that 32-bit floats hold exactly', () => {
  const best = Array.from({ length: 10 }, () => weights.word(0, 0, true)).reduce((sum, each) => sum + each, 0);
  const all = best + 9 * weights.proximity(3) + weights.whole(false);
  expect(all).toBeLessThanOrEqual(2 ** 24);
  expect(Math.fround(all)).toBe(all);
});

test('the score is 1 for a perfect match and falls with typos and distance', () => {
  const perfect = words([0, 0, true], [0, 0, true]) + weights.proximity(3) + weights.whole(false);
  expect(weights.score(perfect, 2)).toBeCloseTo(1);
  expect(weights.score(words([2, 0, false], [0, 0, true]) + weights.proximity(3), 2)).toBeLessThan(0.95);
  expect(weights.score(words([0, 0, true], [0, 0, true]), 2)).toBeLessThan(weights.score(perfect, 2));
});

test('when words may be missing, more words come first whatever their typos', () => {
  const partial = weightsFor(13, true);
  expect(partial.word(3, 12, false) * 3).toBeGreaterThan(partial.word(0, 0, true) * 2 + partial.whole(false));
  expect(partial.score(partial.word(0, 0, true), 2)).toBeLessThan(partial.score(partial.word(0, 0, true) * 2, 2));
});
