import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({
    SVC_LDAP_ROLE_MAP: 'cn=staff,dc=example=>guest;cn=all,dc=example=>viewer',
    SVC_OIDC_DEFAULT_ROLE: 'guest',
    SVC_HEADER_SIGN_IN_DEFAULT_ROLE: 'guest',
    SVC_HEADER_SIGN_IN_ROLE_MAP: 'family:guest',
  });
  for (const name of ['guest', 'partner', 'free']) await t.request('POST', '/rbac/roles', { name, display_name: name });
});
afterAll(() => t.close());

const remove = async (name: string) => (await t.request('DELETE', `/rbac/roles/${name}`)).json();

test('a role that a setting gives at sign-in cannot be deleted, and the answer names the setting', async () => {
  expect(await remove('guest')).toMatchObject({
    status: 409,
    code: 'role_in_use',
    detail:
      'Sign-in gives people this role by SVC_OIDC_DEFAULT_ROLE, SVC_LDAP_ROLE_MAP, SVC_HEADER_SIGN_IN_DEFAULT_ROLE, SVC_HEADER_SIGN_IN_ROLE_MAP. Name another role there first.',
  });
});

test('nor can one that the console names, until it names another', async () => {
  await t.request('PUT', '/auth-config/oidc', { role_map: 'agency:partner' });
  await t.request('PUT', '/auth-config/ldap', { default_role: 'partner' });
  expect((await remove('partner')).detail).toContain(
    '“Role map” of OpenID Connect under Admin, Sign-in, “Role of everybody else” of LDAP under Admin, Sign-in.',
  );
  await t.request('PUT', '/auth-config/oidc', { role_map: null });
  await t.request('PUT', '/auth-config/ldap', { default_role: 'viewer' });
  expect((await t.request('DELETE', '/rbac/roles/partner')).statusCode).toBe(204);
  expect((await t.request('DELETE', '/rbac/roles/free')).statusCode).toBe(204);
});

test('a default role that does not exist is a warning, also where groups give roles', async () => {
  const change = { enabled: true, default_role: 'viwer', admin_groups: ['admins'] };
  expect((await t.request('PUT', '/auth-config/oidc', change)).json()).toMatchObject({
    status: 409,
    code: 'would_lock_out',
    warnings: ['No role is named "viwer", so people for whom no rule gives a role could not sign in.'],
  });
});
