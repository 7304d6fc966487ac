import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { navigate } from '../../shell/hash-location.ts';
import { renderWithProviders } from '../../test-render.tsx';
import CustomReportPage from './custom-report-page.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  navigate('/');
});

const REPORT = {
  id: 'r1',
  name: 'Videos',
  query: 'kind:video',
  columns: ['filename'],
  sort: null,
  group_by: [],
  aggregates: [],
  shared: false,
};

test('what is typed stays when the report was saved elsewhere or while this was being saved', async () => {
  let stored = { ...REPORT, may_edit: true, updated_at: '1' };
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (request.method === 'PATCH') sent.push(await request.json());
    if (path.endsWith('/custom-reports/r1')) return Response.json(stored);
    if (path.endsWith('/columns')) return Response.json({ core: [], custom_fields: [] });
    return Response.json({ total: 0, rows: [], fields: [], sums: {} });
  });
  navigate('/reports/custom/r1');
  const { client } = renderWithProviders(<Route path="/reports/custom/:id" component={CustomReportPage} />);
  const refetch = (change: Partial<typeof stored>) => {
    stored = { ...stored, ...change };
    return act(() => client.invalidateQueries({ queryKey: ['custom-report'] }));
  };
  const name = () => screen.getByRole('textbox', { name: 'Name' });
  await screen.findByRole('textbox', { name: 'Name' });
  await refetch({ name: 'Films', updated_at: '2' });
  expect(name()).toHaveProperty('value', 'Films');
  await userEvent.type(name(), ' of 2024');
  await refetch({ query: 'kind:video size:>1g', updated_at: '3' });
  expect(name()).toHaveProperty('value', 'Films of 2024');
  await userEvent.click(screen.getByRole('button', { name: 'Save report' }));
  // The query of the other person is not sent back.
  await vi.waitFor(() => expect(sent).toEqual([{ name: 'Films of 2024' }]));
});

test('what is typed while a new report is being created stays, and is saved next', async () => {
  const created = Promise.withResolvers<void>();
  const sent: unknown[] = [];
  let stored = { ...REPORT, may_edit: true, updated_at: '1' };
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname;
    if (path.endsWith('/columns')) return Response.json({ core: [], custom_fields: [] });
    if (path.endsWith('/preview')) return Response.json({ total: 0, rows: [], fields: [], sums: {} });
    if (request.method === 'GET') return Response.json(stored);
    const body = (await request.json()) as { name: string };
    sent.push(body);
    if (request.method === 'POST') await created.promise;
    stored = { ...stored, name: body.name };
    return Response.json(stored);
  });
  navigate('/reports/custom/new');
  renderWithProviders(<Route path="/reports/custom/:id" component={CustomReportPage} />);
  const name = () => screen.getByRole('textbox', { name: 'Name' });
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Videos');
  await userEvent.click(screen.getByRole('button', { name: 'Create report' }));
  await userEvent.type(name(), ' of 2024');
  created.resolve();
  await userEvent.click(await screen.findByRole('button', { name: 'Save report' }));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual({ name: 'Videos of 2024' });
  expect(name()).toHaveProperty('value', 'Videos of 2024');
  act(() => navigate('/reports/custom/new'));
  await vi.waitFor(() => expect(name()).toHaveProperty('value', ''));
});
