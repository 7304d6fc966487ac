import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortNumbers } from './write-columns.ts';

const plainly = (numbers: number[]) =>
  numbers
    .map((_, place) => place)
    .filter((place) => !Number.isNaN(numbers[place]!))
    .sort((a, b) => numbers[a]! - numbers[b]! || a - b);

test('numbers of every kind are sorted in ascending order, ties by index, missing ones left out', () => {
  const number = fc.oneof(
    fc.double().map((value) => value + 0),
    fc.integer({ min: -40, max: 40 }),
    fc.integer(),
    fc.maxSafeInteger(),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 300 }), (numbers) => {
      // Comparing two infinities gives NaN, and neither is ever stored.
      fc.pre(numbers.every((each) => Math.abs(each) !== Infinity));
      expect([...sortNumbers(Float64Array.from(numbers))]).toEqual(plainly(numbers));
    }),
  );
});

test('no numbers, or only missing ones, give an empty order', () => {
  expect(sortNumbers(new Float64Array(0))).toHaveLength(0);
  expect(sortNumbers(Float64Array.of(Number.NaN, Number.NaN))).toHaveLength(0);
});
