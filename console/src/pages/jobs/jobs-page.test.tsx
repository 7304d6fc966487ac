import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { formatTime } from '../../format/dates.ts';
import { renderWithProviders } from '../../test-render.tsx';
import JobsPage from './jobs-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const job = (extra: object) => ({
  id: 'j1',
  queue: 'extract',
  task: 'extract_items',
  state: 'doing',
  args: { rel_path: 'Scans/logbook.pdf' },
  started_at: '2026-11-15T09:00:00Z',
  seconds_running: 720,
  worker_alive: true,
  stalled: false,
  stalled_since: null,
  ...extra,
});

/** A service that answers only what the page asks for jobs. */
function serving(running: object[], more: Record<string, unknown> = {}) {
  const answers: Record<string, unknown> = {
    '/api/v1/system/jobs/summary': { queues: { extract: { doing: running.length } }, running, failed_recent: [], workers: [] },
    '/api/v1/system/jobs': { items: [], total: 0 },
    '/api/v1/libraries': [],
    ...more,
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = answers[new URL(request.url).pathname];
    return answer ? Response.json(answer) : Response.json({ code: 'not_found' }, { status: 404 });
  });
}

test('a stalled job says so and since when', async () => {
  serving([job({ stalled: true, stalled_since: '2026-11-15T09:12:00Z' })]);
  renderWithProviders(<JobsPage />, { scope: 'read' });
  expect((await screen.findByText(/^Stalled/)).textContent).toBe(`Stalled since ${formatTime('2026-11-15T09:12:00Z')}`);
});

test('a stalled job whose worker is gone says that too; a job that runs says what it does', async () => {
  serving([job({ stalled: true, stalled_since: '2026-11-15T09:12:00Z', worker_alive: false }), job({ id: 'j2' })]);
  renderWithProviders(<JobsPage />, { scope: 'read' });
  expect((await screen.findByText(/^Stalled/)).textContent).toContain(', its worker is gone');
  expect(screen.getByText('extract items')).toBeDefined();
});

test('while new work is paused the page says what waits, and that queued jobs still run', async () => {
  serving([job({})], { '/api/v1/system/maintenance-mode': { active: true, reason: 'Moving disks.', started_at: null } });
  renderWithProviders(<JobsPage />, { scope: 'admin' });
  expect((await screen.findByText(/Moving disks/)).textContent).toBe(
    'Moving disks. Scans, watching and upkeep wait until you go on. 1 job that was queued before still runs.',
  );
  expect(screen.getByRole('button', { name: 'Go on' })).toBeDefined();
});
