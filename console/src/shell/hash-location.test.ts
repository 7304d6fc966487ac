import { expect, test } from 'vitest';
import { currentPath, currentSearch, navigate } from './hash-location.ts';

test('path and query are stored in the hash, so that the server never sees a search', () => {
  navigate('/item/7?q=secret');
  expect(location.search).toBe('');
  expect([currentPath(), currentSearch()]).toEqual(['/item/7', 'q=secret']);
});

test('an address without a path is the search page', () => {
  location.hash = '';
  expect(currentPath()).toBe('/');
});
