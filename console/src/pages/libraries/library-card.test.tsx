import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Library } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { LibraryCard } from './library-card.tsx';

const stage = { done: 1, total: 1, failed: 0, rate: null, state: 'done' };
const LIBRARY = {
  id: 'l1',
  name: 'Photos',
  root_path: '/mnt/photos',
  enabled: true,
  agent_name: null,
  worker_missing: null,
  source_agent_id: null,
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
} as unknown as Library;
const OF_AGENT = { ...LIBRARY, source_agent_id: 'a1', agent_name: 'nas', agent_status: 'active', agent_error: null } as Library;

let sent: { path: string; body: unknown }[] = [];
function open(library: Library, scope: 'read' | 'write') {
  sent = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname: path } = new URL(request.url);
    if (request.method !== 'GET') sent.push({ path, body: await request.clone().json() });
    if (path.endsWith('/errors'))
      return Response.json({ items: [{ id: 'f1', rel_path: 'a.pdf', kind: 'corrupt', error: 'Damaged.' }], count: 1 });
    return Response.json({});
  });
  renderWithProviders(<LibraryCard library={library} stats={undefined} scans={[]} unreadable={3} stale={0} onEdit={() => {}} />, { scope });
}
afterEach(() => vi.unstubAllGlobals());

test('people with write access can ask the agent of a library to scan', async () => {
  open(OF_AGENT, 'write');
  await userEvent.click(screen.getByRole('button', { name: 'Scan' }));
  expect(sent).toEqual([{ path: '/api/v1/agents/a1/commands', body: { kind: 'rescan', payload: { library_id: 'l1' } } }]);
});

test('without write access no scan is offered', () => {
  open(OF_AGENT, 'read');
  expect(screen.queryByRole('button', { name: 'Scan' })).toBeNull();
});

test('unreadable files are retried where the service reads them, not on the machine of an agent', async () => {
  const retry = { name: /^Retry/ };
  for (const [library, buttons] of [
    [LIBRARY, 1],
    [OF_AGENT, 0],
  ] as const) {
    open(library, 'write');
    expect(screen.queryAllByRole('button', retry)).toHaveLength(buttons);
    await userEvent.click(screen.getByRole('button', { name: 'Review' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByText('a.pdf')).toBeTruthy();
    expect(dialog.queryAllByRole('button', retry)).toHaveLength(buttons);
    cleanup();
  }
});
