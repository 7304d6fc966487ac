import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { SharesTab } from './shares-tab.tsx';

afterEach(() => vi.unstubAllGlobals());

test('typed addresses stay when the stored ones are fetched again, as after the server was away', async () => {
  vi.stubGlobal('fetch', async () => Response.json([]));
  const { client } = renderWithProviders(<SharesTab />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add address' }));
  await userEvent.type(screen.getByLabelText('Folder'), '/data/photos');
  await new Promise((resolve) => setTimeout(resolve, 20));
  await act(async () => {
    await client.invalidateQueries();
    // Components are told a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(screen.getByLabelText('Folder')).toHaveProperty('value', '/data/photos');
});
