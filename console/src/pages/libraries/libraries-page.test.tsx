import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import LibrariesPage from './libraries-page.tsx';

const stage = { done: 1, total: 1, failed: 0, rate: null, state: 'done' };
const LIBRARY = {
  id: 'l1',
  name: 'Photos',
  root_path: '/mnt/photos',
  enabled: true,
  agent_name: null,
  worker_missing: null,
  last_scan: {
    id: 's1',
    status: 'finished',
    scope: '',
    recursive: true,
    started_at: '2024-05-01T10:00:00Z',
    finished_at: '2024-05-01T10:00:05Z',
    new: 0,
    seen: 1,
    excluded_gate: 0,
    excluded_filtered: 0,
    pruned_files: 0,
    median_files_per_s: null,
    stages: { walk: stage, hash: stage, extract: stage, thumbnail: stage, index: stage },
  },
};

function open(libraries: object[], scope: 'read' | 'admin', unreadable: Promise<object>) {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    const responses: Record<string, unknown> = {
      '/api/v1/libraries': libraries,
      '/api/v1/stats/libraries': { libraries: [], total_files: 0, total_bytes: 0 },
      '/api/v1/scans': { items: [], total: 0 },
      '/api/v1/libraries/hash-status': [],
      '/api/v1/items/unattached': { items: [], total: 0 },
    };
    if (pathname === '/api/v1/search')
      return Response.json(searchParams.get('has_error') ? await unreadable : { hits: [], total: 0, facets: {} });
    return Response.json(responses[pathname] ?? {});
  });
  renderWithProviders(<LibrariesPage />, { scope });
}
afterEach(() => vi.unstubAllGlobals());

test('a library has no verdict until its unreadable files are counted', async () => {
  let count!: (found: object) => void;
  open([LIBRARY], 'admin', new Promise((resolve) => (count = resolve)));
  expect(await screen.findByRole('heading', { name: 'Photos' })).toBeTruthy();
  expect(screen.queryByText('Healthy')).toBeNull();
  count({ hits: [], total: 3, facets: { library_id: { l1: 3 } } });
  expect(await screen.findByText('3 unreadable')).toBeTruthy();
});

test('a library whose unreadable files could not be counted says so', async () => {
  open([LIBRARY], 'admin', Promise.reject(new Error('The search is not ready.')));
  expect(await screen.findByText('Unreadable files not counted')).toBeTruthy();
  expect(screen.queryByText('Healthy')).toBeNull();
});

test('a person who sees no library is told to ask for access', async () => {
  open([], 'read', Promise.resolve({ hits: [], total: 0, facets: {} }));
  expect(await screen.findByRole('heading', { name: 'You do not have access to any files' })).toBeTruthy();
  expect(screen.queryByText(/New library/)).toBeNull();
});
