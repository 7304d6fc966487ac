import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { thumbUrl } from '../api/catalog.ts';
import { Thumb, thumbVersion } from './thumb.tsx';

test('the thumbnail URL contains the version if there is one', () => {
  expect(thumbUrl('f1', 'grid', thumbVersion({ thumb_version: 'abc' }))).toBe('/api/v1/items/f1/thumb?tier=grid&v=abc');
  expect(thumbUrl('f1', 'preview', thumbVersion({ thumb_version: null }))).toBe('/api/v1/items/f1/thumb?tier=preview');
});

test('a new version replaces the image element', () => {
  const { container, rerender } = render(<Thumb id="f1" category="image" version="1" />);
  const before = container.querySelector('img')!;
  rerender(<Thumb id="f1" category="image" version="2" />);
  const after = container.querySelector('img')!;
  expect(after).not.toBe(before);
  expect(after.getAttribute('src')).toBe('/api/v1/items/f1/thumb?tier=grid&v=2');
});
