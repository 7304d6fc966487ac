import { expect, test } from 'vitest';
import { createQuickQueries } from './quick-queries.ts';

const list = { filter: { eq: ['status', 'active'] as [string, string] }, facets: ['kind'] };

test('a query without words is quick once it took less than a millisecond of all threads together', () => {
  const quick = createQuickQueries();
  expect(quick.has(list)).toBe(false);
  quick.note(list, 2, { tookMs: 0.6 });
  expect(quick.has(list)).toBe(false);
  quick.note(list, 2, { tookMs: 0.4 });
  expect(quick.has(list)).toBe(true);
  expect(quick.has({ ...list, text: '  ', limit: 5 })).toBe(true);
  expect(quick.has({ ...list, facets: ['kind', 'tags'] })).toBe(false);
  quick.note(list, 1, { tookMs: 3 });
  expect(quick.has(list)).toBe(false);
});

test('a query with words is never remembered, because its counts are not cached', () => {
  const quick = createQuickQueries();
  quick.note({ ...list, text: 'report' }, 1, { tookMs: 0.1 });
  expect(quick.has({ ...list, text: 'report' })).toBe(false);
  expect(quick.has(list)).toBe(false);
});

test('only the last 64 queries are remembered', () => {
  const quick = createQuickQueries();
  const nth = (n: number) => ({ facets: ['kind'], filter: { eq: ['kind', String(n)] as [string, string] } });
  for (let n = 0; n < 65; n += 1) quick.note(nth(n), 1, { tookMs: 0.1 });
  expect(quick.has(nth(0))).toBe(false);
  expect(quick.has(nth(1))).toBe(true);
});
