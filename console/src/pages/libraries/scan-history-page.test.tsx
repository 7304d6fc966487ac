import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import ScanHistoryPage from './scan-history-page.tsx';

function open(address: string, libraries: object[]) {
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json(new URL(request.url).pathname === '/api/v1/libraries' ? libraries : { items: [], total: 0 }),
  );
  location.hash = address;
  renderWithProviders(<ScanHistoryPage />);
}
afterEach(() => {
  vi.unstubAllGlobals();
  location.hash = '';
});

test('without a library there is nothing to load', async () => {
  open('#/libraries/history', []);
  expect(await screen.findByText('There is no library yet.')).toBeTruthy();
  expect(screen.queryByText('Loading scans…')).toBeNull();
});

test('an unknown library in the address is reported', async () => {
  open('#/libraries/history?library=nonsense', [{ id: 'l1', name: 'Photos' }]);
  expect(await screen.findByText('Library not found')).toBeTruthy();
});

/** Opens the comparison of two scans, whose first page of changes has one file and whose second one fails. */
async function openDiff() {
  const scan = (id: string) => ({
    id,
    library_id: 'l1',
    status: 'finished',
    started_at: '2026-11-01T10:00:00Z',
    finished_at: '2026-11-01T10:01:00Z',
  });
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/api/v1/libraries') return Response.json([{ id: 'l1', name: 'Photos' }]);
    if (!pathname.includes('/diff/')) return Response.json({ items: [scan('s2'), scan('s1')], total: 2 });
    if (searchParams.has('cursor')) return Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 });
    return Response.json({
      items: [{ kind: 'added', rel_path: 'new.jpg', from_rel_path: null, item_id: null }],
      complete: true,
      next_cursor: 'more',
    });
  });
  location.hash = '#/libraries/history?library=l1';
  renderWithProviders(<ScanHistoryPage />);
  expect(await screen.findByText('new.jpg')).toBeTruthy();
}

test('changes that are listed stay when more cannot be loaded', async () => {
  await openDiff();
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(await screen.findByText('The database is busy.')).toBeTruthy();
  expect(screen.getByText('new.jpg')).toBeTruthy();
});

test('a type of change that no loaded change has is not called no change', async () => {
  await openDiff();
  fireEvent.click(screen.getByRole('radio', { name: 'Moved' }));
  expect(await screen.findByText('None of the changes loaded so far is of this type.')).toBeTruthy();
});
