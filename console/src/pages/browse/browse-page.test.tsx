import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { renderWithProviders } from '../../test-render.tsx';
import BrowsePage from './browse-page.tsx';

function open(address: string, libraries: object[], scope: 'read' | 'admin' = 'read') {
  vi.stubGlobal('fetch', async (request: Request) =>
    Response.json(new URL(request.url).pathname === '/api/v1/libraries' ? libraries : {}, { status: 200 }),
  );
  location.hash = address;
  renderWithProviders(
    <Route path="/browse/:library?">
      <BrowsePage />
    </Route>,
    { scope },
  );
}
afterEach(() => {
  vi.unstubAllGlobals();
  location.hash = '';
});

test('an unknown library in the address is not replaced by another one', async () => {
  open('#/browse/nonsense', [{ id: 'l1', name: 'Photos', last_scan: null }]);
  expect(await screen.findByRole('heading', { name: 'Library not found' })).toBeTruthy();
  expect(screen.queryByText('Photos')).toBeNull();
});

test('a person who sees no library is told to ask for access', async () => {
  open('#/browse', []);
  expect(await screen.findByRole('heading', { name: 'You do not have access to any files' })).toBeTruthy();
});

test('an administrator without libraries is led to them', async () => {
  open('#/browse', [], 'admin');
  expect(await screen.findByRole('heading', { name: 'No libraries yet' })).toBeTruthy();
});
