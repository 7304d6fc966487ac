import { screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import ScrubStrip from './scrub-strip.tsx';

afterEach(() => vi.restoreAllMocks());

test('scenes are drawn although the browser knew the video before the page listened', async () => {
  const video = HTMLVideoElement.prototype;
  for (const [name, value] of Object.entries({ readyState: 1, duration: 16, videoWidth: 640, videoHeight: 360 }))
    Object.defineProperty(video, name, { configurable: true, get: () => value });
  Object.defineProperty(video, 'currentTime', {
    configurable: true,
    set(this: HTMLVideoElement) {
      setTimeout(() => this.dispatchEvent(new Event('seeked')));
    },
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage() {} } as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toDataURL').mockReturnValue('data:image/jpeg;base64,');
  try {
    renderWithProviders(<ScrubStrip src="/api/v1/items/1/file" player={createRef()} />);
    await vi.waitFor(() => expect(screen.getAllByRole('button')).toHaveLength(8));
  } finally {
    for (const name of ['readyState', 'duration', 'videoWidth', 'videoHeight', 'currentTime']) Reflect.deleteProperty(video, name);
  }
});
