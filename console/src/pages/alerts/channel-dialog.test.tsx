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
