import { expect, test } from 'vitest';
import { exportParams } from './results-tools.tsx';
import { EMPTY_SEARCH } from './search-state.ts';

const byMeaning = { ...EMPTY_SEARCH, q: 'boat', semantic: 0.5 };

test('an export by meaning has as many files as the page counts', () => {
  expect(exportParams(byMeaning, { total: 102, semantic: { applied: true, detail: null } })).toMatchObject({
    q: 'boat',
    semantic: 0.5,
    limit: 102,
  });
});

test('an export goes by words where the page does', () => {
  const params = exportParams(byMeaning, { total: 3, semantic: { applied: false, detail: 'The model is loading.' } });
  expect(params).toMatchObject({ q: 'boat' });
  expect(params).not.toHaveProperty('semantic');
  expect(params).not.toHaveProperty('limit');
});
