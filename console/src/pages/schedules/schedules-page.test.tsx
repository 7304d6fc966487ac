import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Report, ReportSchedule } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import SchedulesPage from './schedules-page.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  location.hash = '';
});

const LIBRARY = '01980000-0000-7000-8000-000000000001';
const CUSTOM = '01980000-0000-7000-8000-000000000002';
const report = (id: string, title: string, more: Partial<Report> = {}) =>
  ({
    id,
    title,
    description: '',
    columns: [],
    fields: [],
    supports_library: true,
    supports_folder: true,
    is_capped: false,
    ...more,
  }) as Report;
const REPORTS = [
  report('stale_files', 'Not modified in years', {
    threshold_unit: 'days',
    threshold_label: 'Not modified for days',
    default_threshold_days: 730,
    supports_dates: true,
  }),
  report('kinds', 'File types', { supports_folder: false }),
];
const schedule = (params: ReportSchedule['params']): ReportSchedule => ({
  id: '01980000-0000-7000-8000-000000000003',
  name: 'Old files',
  owner_principal: null,
  owner_name: 'ann',
  canned_report_key: 'stale_files',
  report_definition_id: null,
  params,
  format: 'csv',
  cron: '0 6 * * 1',
  channel_id: null,
  channel_ids: [],
  enabled: true,
  only_if_rows: false,
  only_changes: false,
  next_run_at: null,
  last_cron_fired_at: null,
  last_run: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
});

/** Stubs the API; returns the bodies that were sent. */
function stubApi(schedules: ReportSchedule[] = []) {
  const sent: Record<string, unknown>[] = [];
  const responses: Record<string, unknown> = {
    '/api/v1/reports': { reports: REPORTS },
    '/api/v1/custom-reports': [{ id: CUSTOM, name: 'My own' }],
    '/api/v1/libraries': [{ id: LIBRARY, name: 'Photos' }],
    '/api/v1/report-schedules': schedules,
    '/api/v1/report-schedules/channels': [],
    '/api/v1/report-schedules/next': { times: [] },
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'GET') {
      sent.push(await request.json());
      return Response.json(schedule({}));
    }
    return Response.json(responses[new URL(request.url).pathname] ?? {});
  });
  return sent;
}

const dialog = async () => within(await screen.findByRole('dialog'));
const fieldOf = async (label: string) => (await (await dialog()).findByLabelText(label)) as HTMLInputElement;
const save = async (button: string) => fireEvent.click((await dialog()).getByRole('button', { name: button }));

test('a schedule made from a report has the filters that the report shows', async () => {
  const sent = stubApi();
  location.hash = `#/reports/schedules?report=stale_files&library=${LIBRARY}&folder=a%2Fb&threshold_days=100&since=2026-01-01`;
  renderWithProviders(<SchedulesPage />);
  await waitFor(async () =>
    expect((await (await dialog()).findByRole('combobox', { name: 'Library' })) as HTMLInputElement).toHaveProperty('value', 'Photos'),
  );
  expect((await fieldOf('Folder')).value).toBe('a/b');
  expect((await fieldOf('Not modified for days')).value).toBe('100');
  expect((await fieldOf('From')).value).toBe('2026-01-01');
  fireEvent.change(await fieldOf('Name'), { target: { value: 'Weekly' } });
  await save('Create schedule');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({
    canned_report_key: 'stale_files',
    params: { library_id: LIBRARY, folder: 'a/b', threshold_days: 100, since: '2026-01-01T00:00:00Z' },
  });
});

test('editing shows the filters of a schedule, changes one and keeps the others as they are', async () => {
  const params = { library_id: LIBRARY, folder: 'a', threshold_days: 100, since: '2026-01-01T12:30:00Z', sort: '-size', limit: 20 };
  const sent = stubApi([schedule(params)]);
  renderWithProviders(<SchedulesPage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Old files' }));
  expect((await fieldOf('From')).value).toBe('2026-01-01');
  expect((await fieldOf('Rows at most')).value).toBe('20');
  const days = await fieldOf('Not modified for days');
  expect(days.value).toBe('100');
  fireEvent.change(days, { target: { value: '50' } });
  fireEvent.blur(days);
  await save('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ params: { ...params, threshold_days: 50 } });
});

test('only what was changed is sent, so that changes of others stay, and what it reports can be left to its owner', async () => {
  const sent = stubApi([schedule({ library_id: LIBRARY })]);
  renderWithProviders(<SchedulesPage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Old files' }));
  fireEvent.change(await fieldOf('Name'), { target: { value: 'Older files' } });
  await save('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toEqual({ name: 'Older files' });
});

test('a schedule with filters can be switched to a custom report, which has none', async () => {
  const sent = stubApi([schedule({ library_id: LIBRARY, threshold_days: 100 })]);
  renderWithProviders(<SchedulesPage />);
  fireEvent.click(await screen.findByRole('button', { name: 'Edit Old files' }));
  fireEvent.click(await (await dialog()).findByRole('combobox', { name: 'Report' }));
  fireEvent.click(await screen.findByRole('option', { name: 'My own' }));
  expect((await dialog()).queryByRole('combobox', { name: 'Library' })).toBeNull();
  await save('Save');
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ report_definition_id: CUSTOM, params: {} });
});

test('people who may not make a schedule are not offered the form', async () => {
  stubApi();
  location.hash = '#/reports/schedules?report=stale_files';
  renderWithProviders(<SchedulesPage />, { scope: 'read', mayDownload: false });
  await screen.findByText('No schedules yet');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('button', { name: 'New schedule' })).toBeNull();
});
