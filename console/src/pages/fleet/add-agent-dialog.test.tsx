import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { AddAgentDialog } from './add-agent-dialog.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a click beside the dialog does not discard the token, which is shown only once', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ token: 'enrol-me', expires_at: '2030-01-01T00:00:00Z' }));
  const onClose = vi.fn();
  renderWithProviders(<AddAgentDialog onClose={onClose} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Create token' }));
  await screen.findByText(/--token enrol-me/);
  const overlay = document.querySelector('.mantine-Modal-overlay');
  if (overlay) fireEvent.click(overlay);
  expect(overlay).not.toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});
