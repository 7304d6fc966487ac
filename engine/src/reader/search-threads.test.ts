import { expect, test } from 'vitest';
import { divide, divisible } from './search-threads.ts';

test('segments are divided by their documents, the largest first, each in exactly one share', () => {
  expect(divide([500_000, 500_000], 2)).toEqual([[0], [1]]);
  expect(divide([10, 400_000, 300_000, 200_000, 20], 2)).toEqual([
    [0, 1, 4],
    [2, 3],
  ]);
});

test('a question is not divided where one thread would have nearly all of it', () => {
  expect(divide([1_000_000, 2000], 2)).toBeNull();
  expect(divide([1_000_000], 2)).toBeNull();
  expect(divide([20_000, 20_000], 2)).toBeNull();
  expect(divide([500_000, 500_000], 1)).toBeNull();
});

test('words and counts are divided, plain pages, vectors and far pages are not', () => {
  expect(divisible({ text: 'report' })).toBe(true);
  expect(divisible({ facets: ['kind'] })).toBe(true);
  expect(divisible({ sort: [{ field: 'size', order: 'asc' }] })).toBe(false);
  expect(divisible({ text: 'report', likeId: 'a' })).toBe(false);
  expect(divisible({ text: 'report', offset: 5000 })).toBe(false);
});
