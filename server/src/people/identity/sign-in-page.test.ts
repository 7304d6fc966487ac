import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../test/app.ts';

const password = 'a long enough password';
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
  for (const [username, email, global_role] of [
    ['chief', null, 'admin'],
    ['vera', 'Vera@Example.org', 'user'],
    ['tor', 'shared@example.org', 'user'],
    ['inga', 'shared@example.org', 'user'],
    ['mail@example.org', null, 'user'],
    ['other', 'mail@example.org', 'user'],
  ])
    await t.request('POST', '/auth/users', { username, password, global_role, email });
});
afterAll(() => t.close());
const forget = () => sql`delete from auth_failures`.execute(t.deps.db);
beforeEach(forget);

const login = (username: string, given = password, more: Record<string, unknown> = {}, ip = '10.0.0.1') =>
  t.request('POST', '/auth/login', { username, password: given, ...more }, { as: null, headers: { 'x-forwarded-for': ip } });
const get = (path: string, headers: Record<string, string>) => t.request('GET', path, undefined, { as: null, headers });
const sessionOf = ({ cookies }: LightMyRequestResponse) => cookies.find(({ name }) => name === '__Host-catalog_session');

test('a failed sign-in says how many attempts are left, the same for names and addresses that no account has', async () => {
  const told = async (username: string) => {
    const answers = [await login(username, 'wrong'), await login(username, 'wrong'), await login(username, 'wrong'), await login(username)];
    return answers.map((answer) => {
      const { detail, attempts_left, lock_seconds, retry_seconds } = answer.json();
      return [answer.statusCode, attempts_left, lock_seconds, detail.replace(/\d+/, 'n'), retry_seconds > 0];
    });
  };
  const known = await told('vera');
  expect(known.map(([status, left]) => [status, left])).toEqual([
    [401, 2],
    [401, 1],
    [401, 0],
    [429, undefined],
  ]);
  expect(known[0]).toContain(300);
  expect(await told('nobody-here')).toEqual(known);
  expect(await told('vera@example.org')).toEqual(known);
  expect(await told('nobody@example.org')).toEqual(known);
});

test('the e-mail address of one local account signs in; a shared one does not, and a user name wins', async () => {
  expect((await login(' VERA@example.org ')).json().principal.username).toBe('vera');
  expect((await login('vera@example.org', 'wrong')).statusCode).toBe(401);
  expect((await login('shared@example.org')).statusCode).toBe(401);
  await forget();
  expect((await login('mail@example.org')).json().principal.username).toBe('mail@example.org');
  await sql`update principals set auth_provider = 'ldap' where username = 'vera'`.execute(t.deps.db);
  expect((await login('vera@example.org')).statusCode).toBe(401);
  await forget();
  await sql`update principals set auth_provider = 'local', disabled = true where username = 'vera'`.execute(t.deps.db);
  expect((await login('vera@example.org')).json().code).toBe('account_disabled');
  expect((await login('vera@example.org', 'wrong')).json().code).toBe('login_failed');
  await sql`update principals set disabled = false where username = 'vera'`.execute(t.deps.db);
});

test('without "stay signed in" the cookie ends with the browser, also after its token was replaced and the password changed', async () => {
  expect(sessionOf(await login('vera', password, { remember: true }))?.maxAge).toBeGreaterThan(720 * 3600);
  const opened = await login('vera', password, { remember: false });
  expect(sessionOf(opened)?.maxAge).toBeUndefined();
  expect((await get('/auth/me', sessionCookie(opened))).statusCode).toBe(200);
  await sql`update sessions set rotated_at = now() - interval '11 minutes'`.execute(t.deps.db);
  const rotated = await get('/auth/me', sessionCookie(opened));
  expect(sessionOf(rotated)?.value).toBeDefined();
  expect(sessionOf(rotated)?.maxAge).toBeUndefined();
  const change = { current_password: password, new_password: password };
  const changed = await t.request('POST', '/auth/password', change, { as: null, headers: sessionCookie(rotated) });
  expect(changed.statusCode, changed.body).toBe(204);
  expect(sessionOf(changed)?.maxAge).toBeUndefined();
});

test('a session that is over by time says after how long, and an unknown token says nothing', async () => {
  for (const [column, ended] of [
    ['last_seen_at', { reason: 'inactivity', hours: 168 }],
    ['created_at', { reason: 'age', hours: 720 }],
  ] as const) {
    const cookie = sessionCookie(await login('vera'));
    await sql`update sessions set ${sql.ref(column)} = now() - interval '721 hours'`.execute(t.deps.db);
    expect((await get('/auth/me', cookie)).json().ended).toEqual(ended);
  }
  expect((await get('/auth/me', { cookie: '__Host-catalog_session=unknown' })).json().ended).toBeUndefined();
});

test('a session from a network without an earlier sign-in is marked; the first of an account is not', async () => {
  await sql`delete from sessions`.execute(t.deps.db);
  await sql`delete from security_events`.execute(t.deps.db);
  await login('tor', password, {}, '192.0.2.7');
  await sql`update security_events set ts = ts - interval '1 day'`.execute(t.deps.db);
  await sql`update sessions set created_at = created_at - interval '1 day'`.execute(t.deps.db);
  await login('tor', password, {}, '192.0.2.99');
  const last = await login('tor', password, {}, '198.51.100.4');
  const sessions = (await get('/auth/sessions', sessionCookie(last))).json() as { ip_address: string; new_network: boolean }[];
  expect(Object.fromEntries(sessions.map(({ ip_address, new_network }) => [ip_address, new_network]))).toEqual({
    '192.0.2.7': false,
    '192.0.2.99': false,
    '198.51.100.4': true,
  });
});

test('activity lists what the person did, and nobody else sees it', async () => {
  const cookie = sessionCookie(await login('inga'));
  await t.request('PATCH', '/auth/me', { display_name: 'Inga Lie' }, { as: null, headers: cookie });
  const { id } = (await get('/auth/me', cookie)).json();
  // Somebody else's change of this account is not the person's own.
  await t.request('PATCH', `/auth/users/${id}`, { phone: '1' });
  const own = (await get('/auth/activity', cookie)).json();
  expect(own).toMatchObject([{ event: 'profile_updated' }, { event: 'login_success', method: 'password', ip_address: '10.0.0.1' }]);
  expect((await t.request('GET', '/auth/activity', undefined, { as: null })).statusCode).toBe(401);
  expect((await t.request('GET', '/auth/activity', undefined, { as: 'admin' })).statusCode).toBe(403);
  const tor = (await get('/auth/activity', sessionCookie(await login('tor')))).json() as { event: string }[];
  expect(tor.map(({ event }) => event)).not.toContain('profile_updated');
});

test('an account says since when it exists and when its password was changed', async () => {
  const cookie = sessionCookie(await login('other'));
  const before = (await get('/auth/me', cookie)).json();
  expect(Date.parse(before.created_at)).toBeLessThanOrEqual(Date.parse(before.password_changed_at));
  await t.request('PATCH', `/auth/users/${before.id}`, { password: 'another long password' });
  const after = (await get('/auth/me', sessionCookie(await login('other', 'another long password')))).json();
  expect(Date.parse(after.password_changed_at)).toBeGreaterThan(Date.parse(before.password_changed_at));
});
