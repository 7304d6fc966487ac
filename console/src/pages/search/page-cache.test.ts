import { expect, test } from 'vitest';
import type { SearchResponse } from '../../api/types.ts';
import { allTallRows, createPageCache, evictDistantPages, firstRowOf, missingVisiblePages, pageOfRow } from './page-cache.ts';

const response = {
  hits: [{ snippet: null }, { snippet: 'a <em>b</em>' }],
  total: 1_000_000,
  next_cursor: 'c',
} as unknown as SearchResponse;

test('every row belongs to exactly one page', () => {
  for (const row of [0, 59, 60, 259, 260, 999_999]) {
    expect(firstRowOf(pageOfRow(row))).toBeLessThanOrEqual(row);
    expect(firstRowOf(pageOfRow(row) + 1)).toBeGreaterThan(row);
  }
});

test('eviction drops pages far from the viewport but keeps the first page and all tall rows', () => {
  const cache = createPageCache({}, response);
  for (let page = 1; page <= 300; page += 1) cache.pages.set(page, []);
  cache.tallRows.set(3, [500]);
  cache.visible = [200, 201];
  evictDistantPages(cache);
  expect(cache.pages.size).toBeLessThanOrEqual(81);
  expect(cache.pages.has(0)).toBe(true);
  expect(cache.pages.has(3)).toBe(false);
  expect(missingVisiblePages(cache)).toEqual([]);
  expect(allTallRows(cache)).toEqual([1, 500]);
});
