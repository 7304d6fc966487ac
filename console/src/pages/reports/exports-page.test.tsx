import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import ExportsPage from './exports-page.tsx';

const EXPORT = {
  id: 'e1',
  title: 'Kinds',
  format: 'csv',
  gzip: false,
  status: 'complete',
  progress: null,
  error: null,
  row_count: 3,
  file_size_bytes: 20,
  file_name: 'kinds.csv',
  sha256: 'abc',
  created_at: '2024-05-01T10:00:00Z',
  expires_at: '2024-05-08T10:00:00Z',
  purged_at: null,
  downloadable: true,
  rights_changed: false,
  download_url: '/api/v1/exports/e1/file',
};

async function open(patch: Record<string, unknown>) {
  vi.stubGlobal('fetch', async () => Response.json({ exports: [{ ...EXPORT, ...patch }] }));
  renderWithProviders(<ExportsPage />);
  return (await screen.findByText('Kinds')).closest('tr')!;
}
afterEach(() => vi.unstubAllGlobals());

test('an export whose file can be downloaded is ready', async () => {
  const row = await open({});
  expect(row.textContent).toContain('Ready · until');
  expect(row.querySelector('.lucide-circle-check')).toBeTruthy();
});

test('an export that was made with other rights is not ready', async () => {
  const row = await open({ downloadable: false, rights_changed: true, download_url: null });
  expect(row.textContent).toContain('Your permissions have changed since it was made. Export it again.');
  expect(row.textContent).not.toContain('Ready');
  expect(row.querySelector('.lucide-circle-check')).toBeNull();
});

test('an export whose file was removed is not ready', async () => {
  const row = await open({ downloadable: false, purged_at: '2024-05-08T10:00:00Z', download_url: null });
  expect(row.textContent).toContain('Expired');
  expect(row.textContent).not.toContain('Ready');
});
