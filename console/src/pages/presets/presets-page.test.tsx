import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import PresetsPage from './presets-page.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a copy whose patterns were refused is not made again', async () => {
  const preset = { name: 'cache', label: 'Cache', patterns: ['tmp/'], caveat: null, builtin: true };
  let refuses = true;
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') return Response.json({ presets: [preset] });
    sent.push(`${request.method} ${pathname.replace('/api/v1/presets/', '')}`);
    if (request.method === 'PATCH' && refuses) return Response.json({ status: 422, detail: 'A pattern is wrong.' }, { status: 422 });
    return Response.json({ ...preset, name: 'cache_copy' });
  });
  renderWithProviders(<PresetsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Copy' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Save preset' }));
  await screen.findByText(/A pattern is wrong/);
  refuses = false;
  await userEvent.click(screen.getByRole('button', { name: 'Save preset' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent).toEqual(['POST cache/fork', 'PATCH cache_copy', 'PATCH cache_copy']);
});

test('saving a preset sends only what was changed', async () => {
  const preset = { name: 'cache', label: 'Cache', patterns: ['tmp/', '*.bak'], caveat: null, builtin: false };
  const saved = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PATCH') saved(await request.json());
    return Response.json(request.method === 'GET' ? { presets: [preset] } : preset);
  });
  renderWithProviders(<PresetsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  await userEvent.type(await screen.findByLabelText('Description'), 'Backups too');
  await userEvent.click(screen.getByRole('button', { name: 'Save preset' }));
  await waitFor(() => expect(saved).toHaveBeenCalledWith({ caveat: 'Backups too' }));
});
