import { render, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { thumbUrl } from '../api/catalog.ts';
import { scrollSpeed } from './scroll-speed.ts';
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

test('the images of a list that rests are there at once, those of a list that is scrolled follow', async () => {
  const resting = render(<Thumb id="f1" category="image" inList />);
  expect(resting.container.querySelector('img')).not.toBeNull();
  scrollSpeed.scrolled(5, 800);
  const scrolled = render(<Thumb id="f2" category="image" inList />);
  expect(scrolled.container.querySelector('img')).toBeNull();
  expect(resting.container.querySelector('img')).not.toBeNull();
  await waitFor(() => expect(scrolled.container.querySelector('img')).not.toBeNull());
  scrollSpeed.stopped();
});
