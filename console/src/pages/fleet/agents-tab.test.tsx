import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { AgentsTab } from './agents-tab.tsx';

afterEach(() => vi.unstubAllGlobals());

test('the command for a new agent stays when the first agent appears in the list', async () => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api/v1/agents') return Response.json({ items: [], total: 0 });
    if (request.method === 'POST') return Response.json({ token: 'enrol-me', expires_at: '2030-01-01T00:00:00Z' });
    return Response.json(pathname === '/api/v1/agent-releases' ? { releases: [] } : pathname.endsWith('/a1') ? { libraries: [] } : []);
  });
  const { client } = renderWithProviders(<AgentsTab />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add an agent' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Create token' }));
  await screen.findByText(/--token enrol-me/);
  const none = { agent_version: null, last_address: null, last_seen_at: null, last_batch_at: null, last_reconcile_at: null };
  const agent = {
    ...none,
    ...{ id: 'a1', name: 'Studio', status: 'pending', approved: true, labels: [], config_group_ids: [] },
    ...{ cert_not_after: null, cert_fingerprint: null, clone_held_at: null, update_hold: null },
  };
  act(() => void client.setQueryData(['agents', '', null], { items: [agent], total: 1 }));
  expect(await screen.findByRole('button', { name: 'Studio', hidden: true })).toBeTruthy();
  expect(screen.getByText(/--token enrol-me/)).toBeTruthy();
});
