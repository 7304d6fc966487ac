import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
const secret = 'a secret that the proxy knows';
const trusted = { SVC_HEADER_SIGN_IN_ENABLED: 'true', SVC_PROXY_SHARED_SECRET: secret };
const byProxy = { 'x-svc-proxy-trust': secret };
const person = { 'x-remote-user': 'Dana', 'x-remote-groups': 'staff, editors', 'x-remote-email': 'dana@example.org' };
const call = (method: 'GET' | 'POST', path: string, headers: Record<string, string>) =>
  t.request(method, path, undefined, { as: null, headers });

describe('with sign-in by header', () => {
  beforeAll(async () => {
    t = await createTestApp({ SVC_HEADER_SIGN_IN_ROLE_MAP: 'editors:user', ...trusted });
  });
  afterAll(() => t.close());

  test('a trusted proxy signs people in by header, with role and groups; headers of others are ignored', async () => {
    expect((await call('GET', '/auth/status', person)).json().header_user).toBeNull();
    expect((await call('POST', '/auth/header', person)).statusCode).toBe(404);
    expect((await call('POST', '/auth/header', { ...person, ...byProxy, 'x-svc-proxy-trust': 'wrong' })).statusCode).toBe(404);
    expect((await call('GET', '/auth/status', { ...person, ...byProxy })).json().header_user).toBe('Dana');
    const opened = await call('POST', '/auth/header', { ...person, ...byProxy });
    expect(opened.statusCode, opened.body).toBe(204);
    const cookie = `__Host-catalog_session=${opened.cookies.find(({ name }) => name === '__Host-catalog_session')?.value}`;
    expect((await call('GET', '/auth/me', { cookie })).json()).toMatchObject({
      username: 'dana',
      email: 'dana@example.org',
      global_role: 'user',
      role_source: 'header',
      role_reason: 'group editors',
    });
    expect((await call('GET', '/auth/sessions', { cookie })).json()).toMatchObject([{ method: 'header' }]);
    // No name, no sign-in.
    expect((await call('POST', '/auth/header', byProxy)).statusCode).toBe(404);
  });
});

test('a header that a client adds to that of the proxy counts for nobody', async () => {
  t = await createTestApp({ SVC_HEADER_SIGN_IN_ROLE_MAP: 'editors:user', ...trusted });
  try {
    const address = await t.app.listen({ port: 0, host: '127.0.0.1' });
    const post = (headers: Record<string, string | string[]>) =>
      new Promise<number | undefined>((resolve, reject) =>
        request(`${address}/api/v1/auth/header`, { method: 'POST', headers: { ...byProxy, ...headers } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on('error', reject)
          .end(),
      );
    expect(await post({ 'x-remote-user': ['root', 'eva'] })).toBe(404);
    expect(await post({ 'x-remote-user': 'eva', 'x-remote-groups': ['editors', 'guests'] })).toBe(204);
    const users = (await t.request('GET', '/auth/users')).json();
    expect(users).toMatchObject([{ username: 'eva', global_role: 'viewer', role_reason: 'default role' }]);
  } finally {
    await t.close();
  }
});

describe('by default', () => {
  beforeAll(async () => {
    t = await createTestApp({ SVC_PROXY_SHARED_SECRET: secret });
  });
  afterAll(() => t.close());

  test('sign-in by header is off by default, and the scheme that an untrusted caller claims does not count', async () => {
    expect((await call('POST', '/auth/header', { ...person, ...byProxy })).statusCode).toBe(404);
    await t.request('POST', '/auth/users', { username: 'ann', password: 'a long enough password' });
    const warning = async (headers: Record<string, string>) =>
      (
        await t.request(
          'POST',
          '/auth/login',
          { username: 'ann', password: 'a long enough password' },
          { as: null, headers: { host: 'catalog.example.org', ...headers } },
        )
      ).json().warning;
    expect(await warning({ 'x-forwarded-proto': 'https' })).toContain('not encrypted');
    expect(await warning({ 'x-forwarded-proto': 'https', ...byProxy })).toBeNull();
  });
});
