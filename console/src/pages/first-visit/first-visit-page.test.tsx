import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import FirstVisitPage from './first-visit-page.tsx';

const ADA = { id: 'u1', username: 'ada', global_role: 'admin' };
const FOLDERS = {
  path: '/mnt',
  parent: null,
  roots: ['/mnt'],
  truncated: false,
  dirs: [
    { name: 'backup', path: '/mnt/backup', network: false, readable: false },
    { name: 'nas', path: '/mnt/nas', network: true, readable: true },
    { name: 'photos', path: '/mnt/photos', network: false, readable: true },
  ],
};
const COUNT = {
  path: '/mnt',
  files: 1200,
  unreadable: 1,
  complete: true,
  left_out: [
    { by: ['hidden_dotfiles'], files: 20 },
    { by: ['caches_temp'], files: 100 },
  ],
  dirs: [{ name: 'photos', files: 1180, complete: true }],
};
const PRESETS = [
  { name: 'hidden_dotfiles', label: 'Hidden files', patterns: ['.*'], default_enabled: true, caveat: null, builtin: true },
  { name: 'caches_temp', label: 'Caches', patterns: ['tmp/'], default_enabled: false, caveat: null, builtin: true },
];
const RESPONSES: Record<string, unknown> = {
  '/api/v1/auth/bootstrap': { user: ADA },
  '/api/v1/auth/me': ADA,
  '/api/v1/fs/browse': FOLDERS,
  '/api/v1/fs/count': COUNT,
  '/api/v1/presets': { presets: PRESETS },
  '/api/v1/libraries': { id: 'l1' },
  '/api/v1/libraries/l1/scan': {},
};
const sent: { path: string; body: string }[] = [];

async function openFolderStep(responses: Record<string, unknown> = RESPONSES) {
  sent.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    sent.push({ path: pathname, body: await request.clone().text() });
    return new Response(JSON.stringify(responses[pathname] ?? {}), { status: responses[pathname] ? 200 : 404 });
  });
  renderWithProviders(<FirstVisitPage />);
  await userEvent.type(screen.getByLabelText('User name'), 'ada');
  await userEvent.type(screen.getByLabelText('Password'), 'a long harbour sentence 42');
  await userEvent.type(screen.getByLabelText('Confirm password'), 'a long harbour sentence 42{Enter}');
  return screen.findByRole('button', { name: /this folder/ });
}

afterEach(() => vi.unstubAllGlobals());

test('the folder list supports the standard list keys', async () => {
  const root = await openFolderStep();
  root.focus();
  await userEvent.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toContain('backup');
  await userEvent.keyboard('{Enter}{ArrowDown}');
  expect(screen.getByLabelText('Or enter a path')).toHaveProperty('value', '/mnt');
  expect(document.activeElement?.textContent).toContain('nas');
  await userEvent.keyboard('{End}{Enter}');
  expect(screen.getByLabelText('Or enter a path')).toHaveProperty('value', '/mnt/photos');
});

test('every folder shows its file count, and the total follows the selected exclusions', async () => {
  const root = await openFolderStep();
  expect(await screen.findByText('1,180 files to catalog.')).toBeTruthy();
  expect(root.textContent).toContain('1,200 files');
  expect(screen.getByRole('button', { name: /^photos/ }).textContent).toContain('1,180 files');
  expect(screen.getByRole('button', { name: /^nas/ }).textContent).toContain('Network share');
  expect(screen.getByRole('button', { name: /^backup/ }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByText('No read access')).toBeTruthy();
  // On by default, so it is checked; turning it off is sent as "-hidden_dotfiles".
  const hidden = screen.getByRole('checkbox', { name: /Hidden files/ });
  expect(hidden).toHaveProperty('checked', true);
  await userEvent.click(hidden);
  expect(await screen.findByText('1,200 files to catalog.')).toBeTruthy();
  await userEvent.click(screen.getByRole('checkbox', { name: /Caches/ }));
  expect(await screen.findByText('1,100 files to catalog.')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Scan /mnt' }));
  const created = sent.find(({ path }) => path === '/api/v1/libraries')!;
  expect(JSON.parse(created.body).enabled_presets).toEqual([
    'system_files',
    'os_metadata',
    'node_modules_build',
    '-hidden_dotfiles',
    'caches_temp',
  ]);
});

test('an incomplete count is shown as a lower bound', async () => {
  await openFolderStep({
    ...RESPONSES,
    '/api/v1/fs/count': { ...COUNT, complete: false, dirs: [{ name: 'photos', files: 9, complete: false }] },
  });
  expect(await screen.findByText('More than 1,180 files to catalog.')).toBeTruthy();
  expect(screen.getByRole('button', { name: /^photos/ }).textContent).toContain('More than 9 files');
});

test('the folder can be scanned without a count', async () => {
  await openFolderStep({ ...RESPONSES, '/api/v1/fs/count': undefined });
  expect(await screen.findByText('File names are indexed first.')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Scan /mnt' })).toHaveProperty('disabled', false);
});

test('an incomplete count of zero shows no number', async () => {
  await openFolderStep({ ...RESPONSES, '/api/v1/fs/count': { ...COUNT, files: 0, complete: false, left_out: [], dirs: [] } });
  // The count has arrived once the presets show numbers.
  await waitFor(() => expect(screen.getByRole('checkbox', { name: /Caches/ }).closest('label')!.textContent).toMatch(/0$/));
  expect(screen.getByText('File names are indexed first.')).toBeTruthy();
});
