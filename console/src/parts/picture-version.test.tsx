import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { thumbUrl } from '../api/catalog.ts';
import { pictureVersion } from './picture-version.ts';
import { Thumb } from './thumb.tsx';

const now = Date.parse('2026-05-10T12:00:00Z');
const old = '2026-05-01T12:00:00Z';

test('a picture is asked for under the version of its file: the hash of its bytes, or else the time they were written', () => {
  expect(pictureVersion({ mtime: old, content_hash: 'abc', last_changed: old }, now)).toBe('abc');
  expect(pictureVersion({ mtime: Date.parse(old) / 1000 }, now)).toBe(String(Date.parse(old)));
  expect(pictureVersion({ mtime: old, content_hash: null }, now)).toBe(String(Date.parse(old)));
  expect(thumbUrl('f1', 'grid', 'abc')).toBe('/api/v1/items/f1/thumb?tier=grid&v=abc');
  expect(thumbUrl('f1', 'preview')).toBe('/api/v1/items/f1/thumb?tier=preview');
});

test('a file that changed within a day, or bears a time that cannot be, names no version: its picture is asked for again', () => {
  expect(pictureVersion({ mtime: '2026-05-10T11:00:00Z', content_hash: 'abc' }, now)).toBeUndefined();
  expect(pictureVersion({ mtime: old, content_hash: 'abc', last_changed: '2026-05-10T11:00:00Z' }, now)).toBeUndefined();
  expect(pictureVersion({ mtime: '2031-01-01T00:00:00Z' }, now)).toBeUndefined();
  expect(pictureVersion({ mtime: 'never' }, now)).toBeUndefined();
});

test('another version of a file is another picture', () => {
  const { container, rerender } = render(<Thumb id="f1" category="image" version="1" />);
  const before = container.querySelector('img')!;
  rerender(<Thumb id="f1" category="image" version="2" />);
  const after = container.querySelector('img')!;
  expect(after).not.toBe(before);
  expect(after.getAttribute('src')).toBe('/api/v1/items/f1/thumb?tier=grid&v=2');
});
