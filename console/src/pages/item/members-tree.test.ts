import { expect, test } from 'vitest';
import { membersTree } from './members-tree.ts';

test('the entries of an archive are a tree of folders with counts', () => {
  const top = membersTree([{ name: 'a/b/one.txt' }, { name: 'a/two.txt' }, { name: 'three.txt' }]);
  expect([top.count, top.files.map(({ name }) => name)]).toEqual([3, ['three.txt']]);
  const a = top.folders.get('a');
  expect([a?.path, a?.count, a?.files.length]).toEqual(['a/', 2, 1]);
  expect(a?.folders.get('b')?.files).toEqual([{ name: 'a/b/one.txt' }]);
});
