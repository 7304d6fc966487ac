import { expect, test } from 'vitest';
import type { SearchResult } from '../types.ts';
import { packResult, unpackResult } from './result-columns.ts';

const empty: SearchResult = { hits: [], total: 0, facets: {}, stats: {}, histograms: {}, after: null, degraded: false, tookMs: 1.5 };

test('unpacking restores the packed result', () => {
  const result: SearchResult = {
    ...empty,
    hits: [
      { id: 'a\u0000b', score: 1, matchedTerms: { name: ['report', 'été'] } },
      { id: '\ud800 alone', score: 0.25, distance: 12.5 },
      { id: '𐐀', score: 0 },
    ],
    total: 3,
    facets: { tags: [{ value: '"quoted" \\', count: 2 }], constructor: [], __proto__x: [{ value: '', count: 1 }] },
    stats: { size: { min: -1, max: 2 ** 53, sum: 0.1, count: 3 } },
    histograms: { size: [1, 0, 2] },
    after: 'cursor',
    degraded: true,
  };
  expect(unpackResult<SearchResult>(packResult(result))).toEqual(result);
});

test('statistics without values keep their infinite bounds', () => {
  const result = { ...empty, stats: { size: { min: Infinity, max: -Infinity, sum: 0, count: 0 } } };
  expect(unpackResult<SearchResult>(packResult(result))).toEqual(result);
});
