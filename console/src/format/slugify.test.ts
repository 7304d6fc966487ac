import { expect, test } from 'vitest';
import { slugify } from './slugify.ts';

test('keeps ASCII letters and digits and strips accents', () => {
  expect(slugify('  Größe & Café (neu) ', '_')).toBe('gro_e_cafe_neu');
  expect(slugify('3D models', '-')).toBe('3d-models');
});

test('returns an empty string for a label without ASCII letters', () => {
  expect(slugify('写真 !', '-')).toBe('');
});

test('cuts the result to the maximum length', () => {
  expect(slugify('a'.repeat(100), '-', 32)).toHaveLength(32);
});
