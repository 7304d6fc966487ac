import { screen, within } from '@testing-library/react';
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

test('nothing is said to need no attention while the alerts are not known', async () => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/alerts') return Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 });
    if (/\/(libraries|saved-searches)$/.test(pathname) && !pathname.includes('stats')) return Response.json([]);
    return Response.json({ libraries: [], total_files: 0, total_bytes: 0, degraded: {}, hits: [], reports: [], items: [] });
  });
  renderWithProviders(<HomePage />);
  const card = (await screen.findByRole('heading', { name: 'Needs attention' })).closest('section')!;
  expect(await within(card).findByText('The database is busy.')).toBeTruthy();
  expect(within(card).queryByText(/Nothing needs attention/)).toBeNull();
});
