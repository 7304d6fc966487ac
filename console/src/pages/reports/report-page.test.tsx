import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { navigate } from '../../shell/hash-location.ts';
import { renderWithProviders } from '../../test-render.tsx';
import ReportPage from './report-page.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  navigate('/');
});

test('rows that cannot be loaded are an error, and the others stay', async () => {
  const report = {
    id: 'largest_files',
    title: 'Largest files',
    description: 'Files by size.',
    fields: [{ key: 'filename', label: 'Name', type: 'text' }],
    row_link: null,
    default_sort: 'filename',
    threshold_label: null,
    threshold_unit: null,
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/api/v1/reports') return Response.json({ reports: [report] });
    if (pathname !== '/api/v1/reports/largest_files') return Response.json({ reports: [] });
    if (searchParams.has('cursor')) return Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 });
    return Response.json({ report, fields: report.fields, rows: [{ filename: 'film.mkv' }], total: 2, next_cursor: 'more', sums: {} });
  });
  navigate('/reports/largest_files?view=table');
  renderWithProviders(<Route path="/reports/:id" component={ReportPage} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  expect(await screen.findByText('The database is busy.')).toBeTruthy();
  expect(screen.getByText('film.mkv')).toBeTruthy();
});
