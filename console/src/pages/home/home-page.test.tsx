import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import HomePage from './home-page.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a number that could not be loaded is an error, not an endless wait', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 }));
  renderWithProviders(<HomePage />);
  await vi.waitFor(() => expect(screen.getAllByText('The database is busy.').length).toBeGreaterThan(2));
  expect(screen.queryAllByRole('status', { name: 'Loading' })).toEqual([]);
});
