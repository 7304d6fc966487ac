import { act, render, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { thumbUrl } from '../api/catalog.ts';

// Other files leave images waiting in the queue of this module.
vi.resetModules();
const { scrollSpeed } = await import('./scroll-speed.ts');
const { Thumb, thumbVersion } = await import('./thumb.tsx');

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

test('the images of a list that rests come together shortly after its rows, those of a replaced row never', () => {
  vi.useFakeTimers();
  const list = (third: string) => (
    <>
      <Thumb id="f1" category="image" inList />
      <Thumb id="f2" category="image" inList />
      <Thumb id={third} category="image" inList />
    </>
  );
  const { container, rerender } = render(list('f3'));
  const shown = () => [...container.querySelectorAll('img')].map((image) => new URL(image.src).pathname.split('/').at(-2));
  act(() => void vi.advanceTimersByTime(90));
  rerender(list('f4'));
  expect(shown()).toEqual([]);
  act(() => void vi.advanceTimersByTime(20));
  expect(shown()).toEqual(['f1', 'f2', 'f4']);
  vi.useRealTimers();
});

test('the images of a list that is scrolled follow a few per frame', async () => {
  scrollSpeed.scrolled(5, 800);
  const { container } = render(<Thumb id="f5" category="image" inList />);
  expect(container.querySelector('img')).toBeNull();
  await waitFor(() => expect(container.querySelector('img')).not.toBeNull());
  scrollSpeed.stopped();
});
