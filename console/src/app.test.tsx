import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { App } from './app.tsx';
import { renderWithProviders } from './test-render.tsx';

const stubResponses = (byPath: Record<string, [number, unknown]>) =>
  vi.stubGlobal('fetch', async (request: Request) => {
    const [status, body] = byPath[new URL(request.url).pathname] ?? [404, {}];
    return new Response(JSON.stringify(body), { status });
  });
afterEach(() => vi.unstubAllGlobals());

const STATUS = {
  auth_enabled: true,
  users_exist: true,
  oidc_enabled: false,
  ldap_enabled: false,
  oidc_providers: [],
  session_hours: 720,
  header_user: null,
};

test('the console stays hidden when the auth status cannot be loaded', async () => {
  stubResponses({ '/api/v1/auth/status': [500, { detail: 'Broken.' }] });
  renderWithProviders(<App />);
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('the first visit starts with creating the administrator', async () => {
  stubResponses({ '/api/v1/auth/status': [200, { ...STATUS, users_exist: false, mode: 'bootstrap' }] });
  renderWithProviders(<App />);
  expect(await screen.findByRole('heading', { name: 'Create the administrator' })).toBeTruthy();
});

test('a visitor without a session sees the sign-in page', async () => {
  stubResponses({ '/api/v1/auth/status': [200, { ...STATUS, mode: 'enabled' }], '/api/v1/auth/me': [401, {}] });
  renderWithProviders(<App />);
  expect(await screen.findByRole('heading', { name: 'Sign in to Catalog' })).toBeTruthy();
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('somebody who has the second factor that the role requires is asked to sign in with it, not to set one up', async () => {
  const detail = 'Your account has a second factor. Sign out, then sign in with it.';
  stubResponses({
    '/api/v1/auth/status': [200, { ...STATUS, mode: 'enabled' }],
    '/api/v1/auth/me': [200, { id: '1', username: 'ann', global_role: 'user', scopes: ['read'], must_enrol: true }],
    '/api/v1/auth/second-factors': [403, { code: 'second_factor_missing', detail }],
  });
  renderWithProviders(<App />);
  expect(await screen.findByRole('heading', { name: 'Sign in with your second factor' })).toBeTruthy();
  expect(screen.getByText(detail)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Set up' })).toBeNull();
});

test('somebody whose role requires a second factor reads the recovery codes before the console opens', async () => {
  let mustEnrol = true;
  const answers: Record<string, () => unknown> = {
    '/api/v1/auth/status': () => ({ ...STATUS, mode: 'enabled' }),
    '/api/v1/auth/me': () => ({ id: '1', username: 'ann', global_role: 'user', scopes: ['read'], must_enrol: mustEnrol }),
    '/api/v1/auth/second-factors': () => ({ totp: !mustEnrol, recovery_codes_left: 0, required: true, passkeys: [] }),
    '/api/v1/auth/totp': () => ({ secret: 'AAAABBBB', url: 'otpauth://totp/Catalog:ann?secret=AAAABBBB' }),
    '/api/v1/auth/totp/confirm': () => {
      mustEnrol = false;
      return { recovery_codes: ['aaaa-bbbb-cccc'] };
    },
  };
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    return new Response(JSON.stringify(answers[pathname]?.() ?? {}), { status: answers[pathname] ? 200 : 404 });
  });
  renderWithProviders(<App />);
  fireEvent.click(await screen.findByRole('button', { name: 'Set up' }));
  fireEvent.change(await screen.findByLabelText('Current password'), { target: { value: 'correct horse' } });
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  fireEvent.change(await screen.findByLabelText('Code'), { target: { value: '123456' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await screen.findByText('aaaa-bbbb-cccc');
  const before = asked.filter((path) => path === '/api/v1/auth/me').length;
  await vi.waitFor(() => expect(asked.filter((path) => path === '/api/v1/auth/second-factors').length).toBeGreaterThan(1));
  expect(asked.filter((path) => path === '/api/v1/auth/me')).toHaveLength(before);
  expect(screen.getByText('aaaa-bbbb-cccc')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'I have saved them' }));
  await vi.waitFor(() => expect(asked.filter((path) => path === '/api/v1/auth/me')).toHaveLength(before + 1));
});
