import { expect, test } from 'vitest';
import { divideSegments, isDivisible } from './search-threads.ts';

test('segments are divided by document count, largest first, each into exactly one share', () => {
  expect(divideSegments([500_000, 500_000], 2)).toEqual([[0], [1]]);
  expect(divideSegments([10, 400_000, 300_000, 200_000, 20], 2)).toEqual([
    [0, 1, 4],
    [2, 3],
  ]);
});

test('a query is not divided when one thread would get nearly all documents', () => {
  expect(divideSegments([1_000_000, 2000], 2)).toBeNull();
  expect(divideSegments([1_000_000], 2)).toBeNull();
  expect(divideSegments([20_000, 20_000], 2)).toBeNull();
  expect(divideSegments([500_000, 500_000], 1)).toBeNull();
});

test('queries with text or counts are divided; plain pages, vectors and distant pages are not', () => {
  expect(isDivisible({ text: 'report' })).toBe(true);
  expect(isDivisible({ facets: ['kind'] })).toBe(true);
  expect(isDivisible({ sort: [{ field: 'size', order: 'asc' }] })).toBe(false);
  expect(isDivisible({ text: 'report', likeId: 'a' })).toBe(false);
  expect(isDivisible({ text: 'report', offset: 5000 })).toBe(false);
});
