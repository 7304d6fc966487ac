import { expect, test } from 'vitest';
import { treeLabel, treePath } from './tree-path.ts';

const library = '01890000-0000-7000-8000-000000000001';
const root = '01890000000070008000000000000001';

test('plain names stay readable, any other byte is written in hex, and no two names share a label', () => {
  expect(treePath(library, '')).toBe(root);
  expect(treePath(library, 'Photos/2024-05')).toBe(`${root}.Photos.2024-05`);
  expect(treeLabel('a b')).toBe('a_20b');
  expect(treeLabel('a_20b')).toBe('a_5f20b');
  expect(treeLabel('x'.repeat(255))).not.toBe(treeLabel('x'.repeat(254)));
  expect(treeLabel('ö'.repeat(120)).length).toBeLessThanOrEqual(48);
});

test('below the end of the tree a folder stands for itself only', () => {
  const deep = Array(500).fill('d').join('/');
  const [a, b] = [treePath(library, `${deep}/a`), treePath(library, `${deep}/b`)];
  expect(a.length).toBeLessThan(1300);
  expect(a).not.toBe(b);
  expect(a.startsWith(treePath(library, 'd/d/d'))).toBe(true);
  expect(b.startsWith(`${a}.`)).toBe(false);
});
