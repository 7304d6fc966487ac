import { expect, test } from 'vitest';
import { classify, extensionOf, shippedTaxonomy } from './classify.ts';
import { registryCategories, registryGroups } from './registry.ts';

const taxonomy = shippedTaxonomy();

test('the shipped default has 1358 extensions across 37 groups and nine categories', () => {
  expect(taxonomy.size).toBe(1358);
  expect(registryGroups).toHaveLength(37);
  expect(registryGroups.reduce((sum, { extensions }) => sum + extensions.length, 0)).toBe(1358);
  expect(registryCategories.map(({ key }) => key)).toEqual([
    'image',
    'audio',
    'video',
    'document',
    'three-d-cad',
    'development',
    'archive',
    'system',
    'other',
  ]);
  expect(registryGroups.every(({ category }) => registryCategories.some(({ key }) => key === category))).toBe(true);
});

test.each([
  ['a.wav', 'wav', 'audio', 'audio-lossless'],
  ['a.zip', 'zip', 'archive', 'archive'],
  ['PHOTO.JPG', 'jpg', 'image', 'raster-photo'],
  ['scan.dcm', 'dcm', 'image', 'raw-photo'],
  ['drawing.cdr', 'cdr', 'image', 'vector-image'],
  ['a.eps', 'eps', 'image', 'vector-image'],
  ['a.ps', 'ps', 'document', 'pdf'],
  ['clip.ts', 'ts', 'video', 'video'],
  ['app.tsx', 'tsx', 'development', 'source-code'],
  ['a.key', 'key', 'system', 'certificate-key'],
  ['backup.tar.gz', 'tar.gz', 'archive', 'archive'],
  ['BACKUP.TAR.ZST', 'tar.zst', 'archive', 'archive'],
  ['v1.2.tar.lz4', 'tar.lz4', 'archive', 'archive'],
  ['notes.txt.gz', 'gz', 'archive', 'archive'],
  ['tar.gz', 'gz', 'archive', 'archive'],
  ['rec.dvr-ms', 'dvr-ms', 'video', 'video'],
  ['x.c++', 'c++', 'development', 'source-code'],
  ['mystery.qqq', 'qqq', 'other', 'other'],
  ['Makefile', null, 'other', 'other'],
  ['.bashrc', null, 'other', 'other'],
  ['ends.', null, 'other', 'other'],
])('%s is extension %s in %s / %s', (name, extension, category, group) => {
  expect(classify(name, taxonomy)).toEqual({ extension, category, group });
});

test('letter case never matters', () => {
  expect(extensionOf('A.JpEg')).toBe('jpeg');
});
