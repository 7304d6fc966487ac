import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Principal } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { ApiKeysCard } from './api-keys-card.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a key of somebody else, or of a service account, says whose it is', async () => {
  const key = {
    prefix: 'ck_abc123',
    scopes: ['read'],
    libraries: null,
    path_scope: null,
    expires_at: null,
    expired: false,
    last_used_at: null,
  };
  const keys = [
    { ...key, id: '1', name: 'mine', principal_id: 'me', username: 'ann', service_account: null },
    { ...key, id: '2', name: 'theirs', principal_id: 'other', username: 'bob', service_account: null },
    { ...key, id: '3', name: 'nightly', principal_id: null, username: null, service_account: 'Backup robot' },
  ];
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ keys })));
  renderWithProviders(<ApiKeysCard />, { me: { id: 'me', username: 'ann' } as Principal });
  const row = async (name: string) => (await screen.findByText(name)).closest('tr')?.textContent;
  expect(await row('mine')).not.toContain('Belongs to');
  expect(await row('theirs')).toContain('Belongs to bob');
  expect(await row('nightly')).toContain('Belongs to Backup robot');
});
