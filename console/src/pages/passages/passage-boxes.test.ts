import { expect, test } from 'vitest';
import { passageBoxes } from './passage-boxes.ts';

/** Words in lines of four, each a tenth of the page wide. */
const page = (text: string) =>
  text.split(' ').map((word, at) => ({ text: word, x: (at % 4) * 0.2, y: Math.floor(at / 4) * 0.1, w: 0.15, h: 0.05 }));

test('a passage has one box per line, from its first to its last word', () => {
  const words = page('Port authority crane survey The load test was repeated after the brake failed twice in June');
  const boxes = passageBoxes(words, 'The load test was repeated after\nthe brake failed.');
  expect(boxes.map(({ x, y }) => [x, y])).toEqual([
    [0, 0.1],
    [0, 0.2],
    [0, 0.30000000000000004],
  ]);
  expect(boxes[0]!.w).toBeCloseTo(0.75);
  expect(boxes[2]!.w).toBeCloseTo(0.15);
});

test('numbers that the reader of pages splits are found', () => {
  expect(passageBoxes(page('4 2 Load test The first run'), '4.2 Load test\nThe first run')[0]!.x).toBe(0);
});

test('hyphens, punctuation and single words that only one reader saw do not matter', () => {
  const words = page('The docu- ment was re- peated, in full; after the brake (1) failed');
  const boxes = passageBoxes(words, 'The document was repeated in full after the brake failed');
  expect(boxes).toHaveLength(4);
  expect(boxes[3]!.w).toBeCloseTo(0.15);
});

test('a passage that is not on the page has no boxes', () => {
  expect(
    passageBoxes(page('The load test was repeated after the brake failed'), 'Rails and footing have settled by six millimetres'),
  ).toEqual([]);
  expect(passageBoxes([], 'anything')).toEqual([]);
  expect(passageBoxes(page('a b c'), ' … ')).toEqual([]);
});
