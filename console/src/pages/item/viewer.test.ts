import { expect, test } from 'vitest';
import type { Item } from '../../api/types.ts';
import { drawnWidth, nextZoom, shapeOf, stripPages } from './pdf-pages.ts';
import { tileOf, turned } from './turntable-views.ts';
import { lookOf, membersOf } from './viewer.ts';

const item = (patch: Partial<Item>) =>
  ({ status: 'active', file_category: 'other', has_thumb: false, metadata: {}, ...patch }) as unknown as Item;

test('each kind of file is looked at in its own way', () => {
  expect(lookOf(item({ file_category: 'video' }))).toBe('video');
  expect(lookOf(item({ file_category: 'document', extension: 'pdf', metadata: { pages: 36 } }))).toBe('pages');
  expect(lookOf(item({ file_category: 'three-d-cad', extension: 'STL' }))).toBe('turntable');
  expect(lookOf(item({ file_category: 'three-d-cad', extension: 'dxf' }))).toBe('picture');
  expect(lookOf(item({ file_category: 'archive', metadata: { archive: { members: ['a'] } } }))).toBe('members');
  expect(lookOf(item({ file_category: 'development' }))).toBeNull();
});

test('what needs the bytes is not offered for a file that is missing', () => {
  expect(lookOf(item({ status: 'missing', file_category: 'video', has_thumb: true }))).toBe('picture');
  expect(lookOf(item({ status: 'missing', file_category: 'document', extension: 'pdf', metadata: { pages: 3 } }))).toBeNull();
});

test('members of an archive are told with the number of all', () => {
  expect(membersOf(item({ metadata: { archive: { member_count: 1204, members: [{ name: 'a', size: 3 }, 'b', { size: 1 }] } } }))).toEqual({
    members: [
      { name: 'a', size: 3 },
      { name: 'b', size: null },
    ],
    total: 1204,
  });
});

test('a long document shows the pages around the current one', () => {
  expect(stripPages(36, 14)).toHaveLength(36);
  expect(stripPages(5000, 2500)[0]).toBe(2440);
  expect(stripPages(5000, 5000).at(-1)).toBe(5000);
  expect(stripPages(5000, 1)[0]).toBe(1);
});

test('pages are drawn in steps within what the service draws', () => {
  expect(drawnWidth(820, 1)).toBe(1200);
  expect(drawnWidth(90, 1)).toBe(400);
  expect(drawnWidth(2460, 2)).toBe(2000);
  expect(nextZoom(1, 1)).toBe(1.25);
  expect(nextZoom(3, 1)).toBe(3);
  expect(shapeOf('600x300')).toBe(0.5);
  expect(shapeOf('x')).toBe(Math.SQRT2);
});

test('turning on past the last view comes round', () => {
  expect(turned(23, 1)).toBe(0);
  expect(turned(0, -25)).toBe(23);
  expect(tileOf(7)).toEqual({ column: 1, row: 1 });
});
