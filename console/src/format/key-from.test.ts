import { expect, test } from 'vitest';
import { keyFrom } from './key-from.ts';

test('a key is made of the plain letters of a label', () => {
  expect(keyFrom('  Größe & Café (neu) ', '_')).toBe('gro_e_cafe_neu');
  expect(keyFrom('3D models', '-')).toBe('3d-models');
});

test('a label without any plain letter gives no key', () => {
  expect(keyFrom('写真 !', '-')).toBe('');
});

test('a key is never longer than the service takes', () => {
  expect(keyFrom('a'.repeat(100), '-', 32)).toHaveLength(32);
});
