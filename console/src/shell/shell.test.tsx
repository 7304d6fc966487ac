import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../test-render.tsx';
import { navigate } from './hash-location.ts';
import { openKeyHelp } from './overlays.ts';
import { Shell } from './shell.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  navigate('/');
});

test('Back closes an open dialog of the console, also when it leads to another view of the same page', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 503, title: 'Busy' }, { status: 503 }));
  navigate('/nowhere');
  renderWithProviders(<Shell />);
  await screen.findByRole('heading', { name: 'Page not found' });
  act(() => navigate('/nowhere?lens=map'));
  act(openKeyHelp);
  expect(await screen.findByRole('dialog')).toBeTruthy();
  act(() => history.back());
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(location.hash).toBe('#/nowhere');
});
