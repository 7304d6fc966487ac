import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { renderWithProviders } from '../../test-render.tsx';
import BrowsePage from './browse-page.tsx';

const file = { id: 'f', rel_path: 'pier.jpg', filename: 'pier.jpg', file_category: 'image', size: 1, mtime: '2024-01-01T00:00:00Z' };
const level = { path: '', folders: [], folders_total: 0, items: [file], total_items: 1, total_files: 1, total_bytes: 1 };
const bodies: Record<string, object> = { '/api/v1/libraries/l1/tree': level, '/api/v1/stats/libraries': { libraries: [] } };

function open(address: string, libraries: object[], scope: 'read' | 'admin' = 'read') {
  const requests: URL[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    requests.push(url);
    return Response.json(url.pathname === '/api/v1/libraries' ? libraries : (bodies[url.pathname] ?? {}));
  });
  location.hash = address;
  renderWithProviders(
    <Route path="/browse/:library?">
      <BrowsePage />
    </Route>,
    { scope },
  );
  return requests;
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

test('the view and the sort order are in the address', async () => {
  const requests = open('#/browse/l1?lens=grid&sort=size', [{ id: 'l1', name: 'Photos', last_scan: null }]);
  const view = (value: string) => screen.findByDisplayValue<HTMLInputElement>(value);
  expect((await view('grid')).checked).toBe(true);
  expect(requests.some(({ pathname, searchParams }) => pathname.endsWith('/tree') && searchParams.get('items_sort') === 'size')).toBe(true);
  fireEvent.click(await view('list'));
  expect(location.hash).toBe('#/browse/l1?sort=size');
  fireEvent.click(await screen.findByRole('option', { name: /pier/ }));
  expect(location.hash).toBe('#/browse/l1?file=f&sort=size');
  fireEvent.click(screen.getByRole('button', { name: 'Name' }));
  expect(location.hash).toBe('#/browse/l1?file=f');
  act(() => history.back());
  await waitFor(() => expect(screen.getByRole('button', { name: 'Size' }).getAttribute('aria-pressed')).toBe('true'));
});

test.each(['list', 'columns'])('all subfolders of a folder can be reached, as %s', async (view) => {
  const folders = Array.from({ length: 250 }, (_, n) => ({ name: `event ${n}`, item_count: 1, total_bytes: 1 }));
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/api/v1/libraries') return Response.json([{ id: 'l1', name: 'Photos', last_scan: null }]);
    if (pathname !== '/api/v1/libraries/l1/tree') return Response.json({ libraries: [], hits: [], facets: {} });
    const from = Number(searchParams.get('folders_offset') ?? 0);
    return Response.json({ ...level, folders: folders.slice(from, from + 200), folders_total: folders.length });
  });
  location.hash = `#/browse/l1?lens=${view}`;
  renderWithProviders(
    <Route path="/browse/:library?">
      <BrowsePage />
    </Route>,
  );
  const option = async (name: string) => {
    await waitFor(() => expect(document.querySelector('[role="listbox"]')?.textContent).toContain(name));
    return [...document.querySelectorAll('[role="option"]')].find((one) => one.textContent?.startsWith(name))!;
  };
  await option('event 199');
  fireEvent.click(await option('Show more folders (50 left)'));
  await option('event 249');
  expect(document.querySelector('[role="listbox"]')?.textContent).not.toContain('Show more folders');
  expect(await option('pier')).toBeTruthy();
});
