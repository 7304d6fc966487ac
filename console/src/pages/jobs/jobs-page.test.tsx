import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastRegion } from '../../components/toast.tsx';
import { formatTime } from '../../format/dates.ts';
import { renderWithProviders } from '../../test-render.tsx';
import JobsPage from './jobs-page.tsx';

afterEach(() => vi.unstubAllGlobals());

const job = (extra: object) => ({
  id: 'j1',
  queue: 'extract',
  task: 'extract_batch',
  state: 'doing',
  args: { rel_path: 'Scans/logbook.pdf' },
  started_at: '2026-11-15T09:00:00Z',
  seconds_running: 720,
  worker_alive: true,
  stalled: false,
  stalled_since: null,
  ...extra,
});

/** Stubs the API with the given running jobs. */
function stubApi(running: object[], more: Record<string, unknown> = {}) {
  const responses: Record<string, unknown> = {
    '/api/v1/system/jobs/summary': { queues: { extract: { doing: running.length } }, running, failed_recent: [], workers: [] },
    '/api/v1/system/jobs': { items: [], total: 0 },
    '/api/v1/libraries': [],
    ...more,
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const response = responses[new URL(request.url).pathname];
    return response ? Response.json(response) : Response.json({ code: 'not_found' }, { status: 404 });
  });
}

test('a stalled job shows since when', async () => {
  stubApi([job({ stalled: true, stalled_since: '2026-11-15T09:12:00Z' })]);
  renderWithProviders(<JobsPage />, { scope: 'read' });
  expect((await screen.findByText(/^Stalled/)).textContent).toBe(`Stalled since ${formatTime('2026-11-15T09:12:00Z')}`);
});

test('a stalled job shows that its worker is gone; a running job shows its task', async () => {
  stubApi([job({ stalled: true, stalled_since: '2026-11-15T09:12:00Z', worker_alive: false }), job({ id: 'j2' })]);
  renderWithProviders(<JobsPage />, { scope: 'read' });
  expect((await screen.findByText(/^Stalled/)).textContent).toContain('; its worker is no longer running');
  expect(screen.getByText('read files')).toBeDefined();
});

test('while new work is paused, the page says what waits and that queued jobs still run', async () => {
  stubApi([job({})], { '/api/v1/system/maintenance-mode': { active: true, reason: 'Moving disks.', started_at: null } });
  renderWithProviders(<JobsPage />, { scope: 'admin' });
  expect((await screen.findByText(/Moving disks/)).textContent).toBe(
    'Moving disks. Scans, watching and maintenance wait until you resume. 1 queued job will still run.',
  );
  expect(screen.getByRole('button', { name: 'Resume' })).toBeDefined();
});

test('the log is shown to administrators only', async () => {
  stubApi([job({})]);
  const { unmount } = renderWithProviders(<JobsPage />, { scope: 'write' });
  await screen.findByText('read files');
  expect(screen.queryByRole('heading', { name: 'Log' })).toBeNull();
  unmount();
  renderWithProviders(<JobsPage />, { scope: 'admin' });
  expect(await screen.findByRole('heading', { name: 'Log' })).toBeDefined();
});

test('a job that cannot be stopped, and failed jobs that cannot be listed, are reported', async () => {
  stubApi([job({})], { '/api/v1/system/jobs': undefined });
  renderWithProviders(
    <>
      <JobsPage />
      <ToastRegion />
    </>,
    { scope: 'admin' },
  );
  expect((await screen.findAllByText('Not found.')).length).toBeGreaterThan(0);
  await userEvent.click(await screen.findByRole('button', { name: /^Stop/ }));
  expect((await screen.findAllByRole('status')).some(({ textContent }) => textContent === 'Not found.')).toBe(true);
});
