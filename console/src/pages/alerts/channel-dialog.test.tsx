import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { ChannelDialog } from './channel-dialog.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a port can be deleted and typed anew', async () => {
  let saved: { config: { port: number } } | null = null;
  vi.stubGlobal('fetch', async (request: Request) => {
    saved = (await request.json()) as typeof saved;
    return Response.json({});
  });
  renderWithProviders(<ChannelDialog channel={null} onClose={() => {}} />);
  await userEvent.type(await screen.findByLabelText('Name'), 'Office');
  const port = screen.getByLabelText('Port');
  await userEvent.type(port, '{Backspace}{Backspace}{Backspace}25');
  await userEvent.click(screen.getByRole('button', { name: 'Add channel' }));
  await vi.waitFor(() => expect(saved?.config.port).toBe(25));
});

test('saving a channel sends only what was changed', async () => {
  const saved = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    saved(await request.json());
    return Response.json({});
  });
  const config = {
    host: 'mail.example.org',
    port: 587,
    security: 'starttls',
    allow_insecure: false,
    username: '',
    from_addr: 'catalog@example.org',
    to: ['anna@example.org', 'ben@example.org'],
    password: null,
  };
  const channel = {
    id: 'c1',
    name: 'Office',
    type: 'smtp' as const,
    config,
    dispatch_locality: 'central' as const,
    enabled: true,
    created_at: '2026-01-01T00:00:00Z',
    last_delivered_at: null,
    last_error: null,
    failures: 0,
  };
  renderWithProviders(<ChannelDialog channel={channel} onClose={() => {}} />);
  await userEvent.type(await screen.findByLabelText('Name'), '2');
  await userEvent.click(screen.getByRole('button', { name: 'Save channel' }));
  await vi.waitFor(() => expect(saved).toHaveBeenLastCalledWith({ name: 'Office2' }));
  await userEvent.type(screen.getByLabelText('Password'), 'secret');
  await userEvent.click(screen.getByRole('button', { name: 'Save channel' }));
  await vi.waitFor(() => expect(saved).toHaveBeenLastCalledWith({ name: 'Office2', config: { password: 'secret' } }));
});
