import { expect, test } from 'vitest';
import { foldersNamed } from './folder-offer.tsx';

test('folders are found by the end of their path, in any case, and files are not folders', () => {
  const paths = ['Documents/International/treaty.txt', 'Documents/International/old/a.txt', 'a/b/international/x.txt', 'International'];
  expect(foldersNamed('international', paths)).toEqual(['Documents/International', 'a/b/international']);
  expect(foldersNamed('b/International/', paths)).toEqual(['a/b/international']);
  expect(foldersNamed('national', paths)).toEqual([]);
  expect(foldersNamed('', paths)).toEqual([]);
});
