import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { App } from '../../app.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import { SecurityCard } from './security-card.tsx';

afterEach(() => vi.unstubAllGlobals());

const STATUS = {
  mode: 'enabled',
  auth_enabled: true,
  users_exist: true,
  oidc_enabled: false,
  ldap_enabled: false,
  oidc_providers: [],
  session_hours: 720,
  header_user: null,
};
const ME = { id: 'p1', username: 'ada', global_role: 'admin', scopes: ['read', 'write', 'admin'], auth_provider: 'local' };

test('recovery codes stay until the person has saved them, also when the role required the second factor', async () => {
  let confirmed = false;
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const path = new URL(request.url).pathname.replace('/api/v1/auth/', '');
    asked.push(path);
    if (path === 'totp/confirm') confirmed = true;
    const answers: Record<string, unknown> = {
      status: STATUS,
      me: { ...ME, must_enrol: !confirmed },
      'second-factors': { passkeys: [], totp: confirmed, required: true, recovery_codes_left: confirmed ? 1 : 0 },
      totp: { secret: 'ABCDEFGH', url: 'otpauth://totp/ada' },
      'totp/confirm': { recovery_codes: ['aaaa-1111'] },
    };
    return Response.json(answers[path] ?? {}, { status: answers[path] ? 200 : 404 });
  });
  renderWithProviders(<App />);
  await userEvent.click(await screen.findByRole('button', { name: 'Set up' }, { timeout: 10_000 }));
  await userEvent.type(await screen.findByLabelText('Current password'), 'secret{Enter}');
  await userEvent.type(await screen.findByLabelText('Code'), '123456{Enter}');
  expect(await screen.findByText('aaaa-1111')).toBeTruthy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(screen.queryByText('aaaa-1111')).not.toBeNull();
  const before = asked.filter((path) => path === 'me').length;
  await userEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
  await vi.waitFor(() => expect(asked.filter((path) => path === 'me').length).toBe(before + 1));
});

test('removing a passkey asks for the password', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'POST') {
      sent.push([new URL(request.url).pathname, await request.json()]);
      return new Response(null, { status: 204 });
    }
    const passkeys = [{ id: 'k1', name: 'Phone', created_at: '2026-01-01T00:00:00Z', last_used_at: null }];
    return Response.json({ passkeys, totp: false, required: false, recovery_codes_left: 0 });
  });
  renderWithProviders(<SecurityCard />);
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(sent).toEqual([]);
  await userEvent.type(await screen.findByLabelText('Current password'), 'secret{Enter}');
  await vi.waitFor(() => expect(sent).toEqual([['/api/v1/auth/passkeys/k1/remove', { current_password: 'secret' }]]));
});
