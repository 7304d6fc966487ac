import { act, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Item } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { HistoryTab, SimilarTab } from './item-tabs.tsx';

test('similar files are asked for again while the search index takes over the file', async () => {
  const hit = { id: 'f2', filename: 'vehicle.txt', rel_path: 'cars/vehicle.txt', size: 10, mtime: null, has_thumb: false };
  const answers = [
    { id: 'f1', by: 'words', pending: true, hits: [] },
    { id: 'f1', by: 'meaning', pending: false, hits: [hit] },
  ];
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => Response.json(answers.shift())),
  );
  renderWithProviders(<SimilarTab id="f1" />);
  await waitFor(() => screen.getByText(/still taking over this file/));
  await waitFor(() => screen.getByText('vehicle.txt'), { timeout: 10_000 });
  expect(answers).toEqual([]);
  vi.unstubAllGlobals();
});

test('once the index has taken over a file that nothing describes, the tab says so', async () => {
  const problem = { status: 409, code: 'similar_unavailable', title: 'Nothing to compare', detail: 'No data for comparison.' };
  const answers = [
    () => Response.json({ id: 'f1', by: 'words', pending: true, hits: [] }),
    () => Response.json(problem, { status: 409, headers: { 'content-type': 'application/problem+json' } }),
  ];
  vi.stubGlobal('fetch', async () => answers.shift()?.());
  renderWithProviders(<SimilarTab id="f1" />);
  await waitFor(() => screen.getByText(/still taking over this file/));
  await waitFor(() => screen.getByText(/No data for comparison/), { timeout: 10_000 });
  vi.unstubAllGlobals();
});

test('a list of similar files stays when it cannot be read again', async () => {
  const hit = { id: 'f2', filename: 'vehicle.txt', rel_path: 'cars/vehicle.txt', size: 10, mtime: null, has_thumb: false };
  const answers = [() => Response.json({ id: 'f1', by: 'words', pending: true, hits: [hit] })];
  vi.stubGlobal('fetch', async () => (answers.shift() ?? (() => Response.json({}, { status: 503 })))());
  const { client } = renderWithProviders(<SimilarTab id="f1" />);
  await waitFor(() => screen.getByText('vehicle.txt'));
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(client.getQueryState(['item', 'f1', 'similar'])?.status).toBe('error'));
  expect(screen.getByText('vehicle.txt')).toBeTruthy();
  vi.unstubAllGlobals();
});

test('the history stays when it cannot be read again after an edit', async () => {
  const version = { id: 'v1', at: '2026-01-01T10:00:00Z', actor: 'ann', source: 'user', before: {}, after: {} };
  const answers = [() => Response.json({ items: [version] })];
  vi.stubGlobal('fetch', async () => (answers.shift() ?? (() => Response.json({}, { status: 503 })))());
  const item = { id: 'f1', first_seen: '2026-01-01T10:00:00Z' } as unknown as Item;
  const { client } = renderWithProviders(<HistoryTab item={item} />);
  await waitFor(() => screen.getByText(/saved without changes/));
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(client.getQueryState(['item', 'f1', 'history'])?.status).toBe('error'));
  expect(screen.getByText(/saved without changes/)).toBeTruthy();
  vi.unstubAllGlobals();
});
