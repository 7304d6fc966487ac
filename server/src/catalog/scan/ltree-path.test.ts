import { expect, test } from 'vitest';
import { ltreeLabel, ltreePath } from './ltree-path.ts';

const library = '01890000-0000-7000-8000-000000000001';
const root = '01890000000070008000000000000001';

test('plain names stay readable, any other byte is written in hex, and no two names share a label', () => {
  expect(ltreePath(library, '')).toBe(root);
  expect(ltreePath(library, 'Photos/2024-05')).toBe(`${root}.Photos.2024-05`);
  expect(ltreeLabel('a b')).toBe('a_20b');
  expect(ltreeLabel('a_20b')).toBe('a_5f20b');
  expect(ltreeLabel('x'.repeat(255))).not.toBe(ltreeLabel('x'.repeat(254)));
  expect(ltreeLabel('ö'.repeat(120)).length).toBeLessThanOrEqual(48);
});

test('a folder too deep for the tree gets a unique label', () => {
  const deep = Array(500).fill('d').join('/');
  const [a, b] = [ltreePath(library, `${deep}/a`), ltreePath(library, `${deep}/b`)];
  expect(a.length).toBeLessThan(1300);
  expect(a).not.toBe(b);
  expect(a.startsWith(ltreePath(library, 'd/d/d'))).toBe(true);
  expect(b.startsWith(`${a}.`)).toBe(false);
});
