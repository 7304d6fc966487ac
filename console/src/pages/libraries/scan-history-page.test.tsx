import { screen } from '@testing-library/react';
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
