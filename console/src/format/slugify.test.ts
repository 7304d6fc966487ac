import { expect, test } from 'vitest';
import { slugify } from './slugify.ts';

test('a key is made of the plain letters of a label', () => {
  expect(slugify('  Größe & Café (neu) ', '_')).toBe('gro_e_cafe_neu');
  expect(slugify('3D models', '-')).toBe('3d-models');
});

test('a label without any plain letter gives no key', () => {
  expect(slugify('写真 !', '-')).toBe('');
});

test('a key is never longer than the service takes', () => {
  expect(slugify('a'.repeat(100), '-', 32)).toHaveLength(32);
});
