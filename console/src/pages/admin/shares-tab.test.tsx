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

const entryOf = (folder: string, address = `smb://nas${folder}`) => ({
  container_prefix: folder,
  share_url: address,
  storage_type: null,
  host: null,
  unc: null,
});

/** Fakes a server. Assigning to `map` stands for a change by somebody else. */
function serve(map: ReturnType<typeof entryOf>[]) {
  const server = { map };
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/preview')) return Response.json([]);
    if (request.method === 'PUT') {
      const { entries, expected } = await request.json();
      if (JSON.stringify(expected) !== JSON.stringify(server.map))
        return Response.json({ status: 409, code: 'edited_meanwhile', detail: 'Somebody has changed this meanwhile.' }, { status: 409 });
      server.map = entries;
    }
    return Response.json(server.map);
  });
  return server;
}

const values = (label: string) => screen.getAllByLabelText(label).map((field) => (field as HTMLInputElement).value);

test('what is typed stays when somebody else changes the map, and their changes are named and kept', async () => {
  const server = serve([entryOf('/photos'), entryOf('/scans'), entryOf('/old')]);
  renderWithProviders(<SharesTab />);
  await userEvent.type((await screen.findAllByLabelText('Network address'))[0]!, '-2');
  await userEvent.click(screen.getByRole('button', { name: 'Add address' }));
  await userEvent.type(screen.getAllByLabelText('Folder').at(-1)!, '/plans');
  await userEvent.type(screen.getAllByLabelText('Network address').at(-1)!, 'smb://nas/plans');
  server.map = [entryOf('/photos'), entryOf('/scans', 'smb://vault/scans'), entryOf('/music')];
  await userEvent.click(screen.getByRole('button', { name: 'Save addresses' }));
  await screen.findByText('Somebody else changed the addresses meanwhile. What you typed is kept.');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Removed: /old',
    'Changed: /scans, now smb://vault/scans',
    'Added: /music, smb://nas/music',
  ]);
  expect(values('Folder')).toEqual(['/photos', '/scans', '/plans', '/music']);
  await userEvent.click(screen.getByRole('button', { name: 'Save addresses' }));
  await vi.waitFor(() => expect(screen.queryByText(/Somebody else/)).toBeNull());
  const all = { '/photos': 'smb://nas/photos-2', '/scans': 'smb://vault/scans', '/plans': 'smb://nas/plans', '/music': 'smb://nas/music' };
  expect(Object.fromEntries(server.map.map((entry) => [entry.container_prefix, entry.share_url]))).toEqual(all);
});
