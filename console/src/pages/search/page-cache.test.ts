import { expect, test } from 'vitest';
import type { SearchResponse } from '../../api/types.ts';
import { forgetFar, missingPages, openBook, pageOf, rowOf, tallRowsOf } from './page-cache.ts';

const answer = { hits: [{ snippet: null }, { snippet: 'a <em>b</em>' }], total: 1_000_000, next_cursor: 'c' } as unknown as SearchResponse;

test('every row lies on one page', () => {
  for (const row of [0, 59, 60, 259, 260, 999_999]) {
    expect(rowOf(pageOf(row))).toBeLessThanOrEqual(row);
    expect(rowOf(pageOf(row) + 1)).toBeGreaterThan(row);
  }
});

test('pages far from the view are forgotten, the first page and the taller rows are not', () => {
  const book = openBook(answer);
  for (let page = 1; page <= 300; page += 1) book.pages.set(page, []);
  book.tall.set(3, [500]);
  book.wanted = [200, 201];
  forgetFar(book);
  expect(book.pages.size).toBeLessThanOrEqual(81);
  expect(book.pages.has(0)).toBe(true);
  expect(book.pages.has(3)).toBe(false);
  expect(missingPages(book)).toEqual([]);
  expect(tallRowsOf(book)).toEqual([1, 500]);
});
