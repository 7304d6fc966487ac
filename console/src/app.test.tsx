import { screen } from '@testing-library/react';
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
