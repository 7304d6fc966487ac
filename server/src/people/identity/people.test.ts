import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary } from '../../../test/catalog-rows.ts';
import { connectIdentity, signInWithProvider } from './index.ts';
import { createLimiter } from './limiter.ts';
import { signIn } from './sign-in.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_AUTH_RATELIMIT_ENABLED: 'false' });
  // Changes of accounts need an administrator who stays.
  await t.request('POST', '/auth/users', { username: 'chief', password, global_role: 'admin' });
});
afterAll(() => t.close());

const password = 'a long enough password';
const login = (username: string, given = password) => t.request('POST', '/auth/login', { username, password: given }, { as: null });
const cookieOf = (answer: { cookies: { name: string; value: string }[] }) => ({
  cookie: `__Host-catalog_session=${answer.cookies.find(({ name }) => name === '__Host-catalog_session')?.value}`,
});
const me = (headers: Record<string, string>, path = '/auth/me', method: 'GET' | 'DELETE' | 'POST' = 'GET') =>
  t.request(method, path, undefined, { as: null, headers });
const tokenOf = (link: string) => new URLSearchParams(link.split('?')[1]).get('token')!;

test('invite by link: the person chooses a password, and the link works once', async () => {
  const invited = await t.request('POST', '/auth/invitations', { username: 'Guest', global_role: 'viewer', email: 'guest@example.org' });
  expect(invited.statusCode, invited.body).toBe(201);
  const { link, user } = invited.json();
  expect(user.invited).toBe(true);
  expect(link).toMatch(/^\/#\/invite\?token=/);
  expect((await login('guest', '')).statusCode).toBe(401);
  const token = tokenOf(link);
  expect((await t.request('GET', `/auth/invitations/${token}`, undefined, { as: null })).json()).toEqual({ username: 'guest' });
  expect((await t.request('GET', '/auth/invitations/cut-off', undefined, { as: null })).json()).toMatchObject({
    status: 404,
    detail: 'This link is not valid any more. Ask an administrator for a new one.',
  });
  const accepted = await t.request('POST', '/auth/invitations/accept', { token, password }, { as: null });
  expect(accepted.json().last_login_at).toEqual(expect.any(String));
  expect(accepted.json()).toMatchObject({ id: user.id, username: 'guest', global_role: 'viewer', invited: false });
  expect((await me(cookieOf(accepted))).json().username).toBe('guest');
  expect((await login('guest')).statusCode).toBe(200);
  expect((await t.request('POST', '/auth/invitations/accept', { token, password }, { as: null })).statusCode).toBe(404);
  expect((await t.request('POST', `/auth/users/${user.id}/invitation`)).statusCode).toBe(409);
  const { rows } = await sql<{ token_hash: string }>`select token_hash from invitations`.execute(t.deps.db);
  expect(rows).toEqual([]);
});

test('a new link replaces the earlier one, and an expired one is refused', async () => {
  const first = (await t.request('POST', '/auth/invitations', { username: 'late' })).json();
  const second = (await t.request('POST', `/auth/users/${first.user.id}/invitation`)).json();
  const accept = (link: string) => t.request('POST', '/auth/invitations/accept', { token: tokenOf(link), password }, { as: null });
  expect((await accept(first.link)).statusCode).toBe(404);
  await sql`update invitations set expires_at = now() - interval '1 second'`.execute(t.deps.db);
  expect((await accept(second.link)).statusCode).toBe(404);
  expect((await t.request('POST', '/auth/invitations', { username: 'x' }, { as: 'write' })).statusCode).toBe(403);
});

test('a link ends when the account gets a password in another way', async () => {
  const { link, user } = (await t.request('POST', '/auth/invitations', { username: 'direct' })).json();
  await t.request('PATCH', `/auth/users/${user.id}`, { password });
  const stolen = { token: tokenOf(link), password: 'chosen by a stranger' };
  expect((await t.request('GET', `/auth/invitations/${stolen.token}`, undefined, { as: null })).statusCode).toBe(404);
  expect((await t.request('POST', '/auth/invitations/accept', stolen, { as: null })).statusCode).toBe(404);
  expect((await login('direct')).statusCode).toBe(200);
});

test('an account says what its person may do somewhere: the grants, up to what the role allows', async () => {
  const library = await addLibrary(t.deps, { name: 'Letters', root_path: '/letters' });
  const actionsOf = async (username: string, global_role: string): Promise<string[]> => {
    const { id } = (await t.request('POST', '/auth/users', { username, password, global_role })).json();
    for (const action of ['search_metadata', 'download'])
      await t.request('POST', '/rbac/grants', { subject_kind: 'principal', subject_id: id, library_id: library, rel_path: 'a', action });
    return (await me(cookieOf(await login(username)))).json().actions;
  };
  expect(await actionsOf('reader', 'viewer')).toEqual(['search_metadata']);
  expect(await actionsOf('writer', 'user')).toEqual(['search_metadata', 'download']);
  expect(await actionsOf('ruler', 'admin')).toContain('modify');
});

test('sign-in history lists sign-ins and failed attempts with method, device and place', async () => {
  const { id } = (await t.request('POST', '/auth/users', { username: 'history', password })).json();
  await login('history', 'wrong password');
  const opened = await login('history');
  const own = (await me(cookieOf(opened), '/auth/sign-ins')).json();
  expect(own).toMatchObject([
    { result: 'signed_in', method: 'password' },
    { result: 'failed', reason: 'password', ip_address: '127.0.0.1' },
  ]);
  expect((await t.request('GET', `/auth/users/${id}/sign-ins?limit=1`)).json()).toHaveLength(1);
  expect((await t.request('GET', `/auth/users/${id}/sign-ins`, undefined, { as: 'read' })).statusCode).toBe(403);
});

test('sessions of a role last as long as the role says; what is set for the account wins', async () => {
  const { id } = (await t.request('POST', '/auth/users', { username: 'short', password, global_role: 'viewer' })).json();
  const opened = cookieOf(await login('short'));
  await sql`update sessions set last_seen_at = now() - interval '2 hours' where principal_id = ${id}`.execute(t.deps.db);
  const patched = await t.request('PATCH', '/rbac/roles/viewer', { session_inactivity_hours: 1 });
  expect(patched.json()).toMatchObject({ session_inactivity_hours: 1, session_ttl_hours: null });
  expect((await me(opened)).statusCode).toBe(401);
  const listed = async () => (await t.request('GET', `/auth/users/${id}/sessions`)).json();
  expect(await listed()).toEqual([]);
  await t.request('PATCH', `/auth/users/${id}`, { session_inactivity_hours: 3 });
  expect(await listed()).toHaveLength(1);
  expect((await me(opened)).statusCode).toBe(200);
  await t.request('PATCH', '/rbac/roles/viewer', { session_inactivity_hours: null });
  const cleared = await t.request('PATCH', `/auth/users/${id}`, { session_inactivity_hours: 0, session_ttl_hours: 0 });
  expect(cleared.json()).toMatchObject({ session_inactivity_hours: null, session_ttl_hours: null });
  // As stored by earlier versions.
  await sql`update principals set session_inactivity_hours = 0, session_ttl_hours = 0 where id = ${id}`.execute(t.deps.db);
  const later = cookieOf(await login('short'));
  expect(await listed()).toHaveLength(2);
  expect((await me(later, '/auth/me/session-timeouts')).json()).toMatchObject({ inactivity_source: 'env', ttl_source: 'env' });
});

test.each([{ password: 'set by an administrator' }, { disabled: true }])(
  'a sign-in that began before an administrator changed the account to %o opens no session',
  async (change) => {
    const username = `racer ${Object.keys(change)}`;
    const { id } = (await t.request('POST', '/auth/users', { username, password })).json();
    const { db, settings } = t.deps;
    const limiter = createLimiter(db, settings);
    /** The administrator is faster than the step after the password was verified. */
    const overtaken = {
      take: async () => ({
        ...(await limiter.take([])),
        succeed: async () => void (await t.request('PATCH', `/auth/users/${id}`, change)),
      }),
    };
    const providers = { offered: async () => ({ oidc: [], ldap: false }), personNamedByProxy: () => null, verifyPassword: expect.fail };
    await expect(
      signIn({ db, settings }, overtaken, providers, { username, password, device: undefined }, { principalId: null, ip: '' }),
    ).rejects.toMatchObject({ code: 'login_failed' });
    expect((await t.request('GET', `/auth/users/${id}/sessions`)).json()).toEqual([]);
  },
);

const provided = (subject: string) => ({
  provider: 'oidc' as const,
  issuer: 'https://id.example.org',
  subject,
  username: subject,
  email: null,
  verifiedEmail: null,
  displayName: null,
  role: { name: 'viewer', reason: 'claim groups = staff' },
  groups: [{ id: 'staff', name: 'staff' }],
});

test('identities are disconnected by their owner, but never the only way to sign in', async () => {
  const { token, id } = await signInWithProvider(
    t.deps.db,
    provided('pat'),
    { autoProvision: true, linkByEmail: false },
    { principalId: null, ip: '' },
  );
  const headers = { cookie: `__Host-catalog_session=${token}` };
  const [identity] = (await me(headers, '/auth/identities')).json();
  const refused = await me(headers, `/auth/identities/${identity.id}`, 'DELETE');
  expect([refused.statusCode, refused.json().detail]).toEqual([409, expect.stringContaining('only way')]);
  await t.request('PATCH', `/auth/users/${id}`, { password });
  const local = cookieOf(await login('pat'));
  expect((await me(local, `/auth/identities/${identity.id}`, 'DELETE')).statusCode).toBe(204);
  expect((await me(local, '/auth/identities')).json()).toEqual([]);
  expect((await me(local, `/auth/identities/${identity.id}`, 'DELETE')).statusCode).toBe(404);
});

test('a role and groups of a provider end with the last identity there', async () => {
  const group = (await t.request('POST', '/rbac/groups', { name: 'leavers' })).json();
  const policy = { autoProvision: true, linkByEmail: false };
  const person = {
    ...provided('lea'),
    role: { name: 'admin', reason: 'claim groups = leavers' },
    groups: [{ id: 'leavers', name: 'leavers' }],
  };
  const { id } = await signInWithProvider(t.deps.db, person, policy, { principalId: null, ip: '' });
  await connectIdentity(t.deps.db, id, { ...person, subject: 'lea 2' }, { principalId: id, ip: '' });
  await t.request('PATCH', `/auth/users/${id}`, { password });
  const local = cookieOf(await login('lea'));
  const rights = async () => {
    const { global_role, role_source } = (await me(local, '/auth/me')).json();
    const { rows } = await sql`select from principal_group_members where group_id = ${group.id}`.execute(t.deps.db);
    return { global_role, role_source, members: rows.length };
  };
  const [first, last] = (await me(local, '/auth/identities')).json();
  await me(local, `/auth/identities/${first.id}`, 'DELETE');
  expect(await rights()).toEqual({ global_role: 'admin', role_source: 'oidc', members: 1 });
  await me(local, `/auth/identities/${last.id}`, 'DELETE');
  expect(await rights()).toEqual({ global_role: 'viewer', role_source: 'local', members: 0 });
});

test('who has what from where: role, groups and rules, each with its source', async () => {
  const library = await addLibrary(t.deps, { name: 'Papers' });
  const group = (await t.request('POST', '/rbac/groups', { name: 'staff' })).json();
  const { id } = await signInWithProvider(
    t.deps.db,
    provided('kim'),
    { autoProvision: true, linkByEmail: false },
    { principalId: null, ip: '' },
  );
  await t.request('POST', '/rbac/grants', {
    subject_kind: 'group',
    subject_id: group.id,
    library_id: library,
    rel_path: 'a',
    action: 'search_metadata',
    effect: 'allow',
  });
  await t.request('POST', '/rbac/grants', {
    subject_kind: 'principal',
    subject_id: id,
    library_id: library,
    rel_path: '',
    action: 'download',
    effect: 'allow',
  });
  expect((await t.request('GET', `/rbac/people/${id}`)).json()).toMatchObject({
    role: 'viewer',
    role_source: 'oidc',
    role_reason: 'claim groups = staff',
    groups: [{ name: 'staff', source: 'oidc' }],
    rights: [
      { library: 'Papers', rel_path: '', action: 'download', group: null, beyond_role: true },
      { library: 'Papers', rel_path: 'a', action: 'search_metadata', group: 'staff', beyond_role: false },
    ],
  });
  expect((await t.request('GET', '/rbac/people/00000000-0000-7000-8000-000000000000')).statusCode).toBe(404);
});
