import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../test/app.ts';
import { addLibrary } from '../../../test/catalog-rows.ts';

const password = 'correct horse';

describe('the first administrator', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp();
  });
  afterAll(() => t.close());

  test('bootstrap works once and returns 409 afterwards', async () => {
    expect((await t.request('GET', '/auth/status', undefined, { as: null })).json()).toMatchObject({
      auth_enabled: true,
      users_exist: false,
      mode: 'bootstrap',
    });
    const short = await t.request('POST', '/auth/bootstrap', { username: 'ann', password: 'short' }, { as: null });
    expect(short.statusCode).toBe(422);
    expect(short.json().errors[0]).toMatchObject({ loc: ['body', 'password'] });
    const both = await Promise.all(
      [1, 2, 3].map((n) => t.request('POST', '/auth/bootstrap', { username: `Ann${n}`, password }, { as: null })),
    );
    expect(both.map((each) => each.statusCode).sort()).toEqual([201, 409, 409]);
    const made = both.find((each) => each.statusCode === 201)!;
    expect(made.json()).toMatchObject({ global_role: 'admin', scopes: ['read', 'write', 'admin'], last_login_at: expect.any(String) });
    expect(JSON.stringify(made.json())).not.toContain('argon2');
    expect((await t.request('GET', '/auth/status', undefined, { as: null })).json()).toMatchObject({ mode: 'enabled', users_exist: true });
  });

  test('the last administrator can be neither deleted, demoted nor disabled', async () => {
    const [admin] = (await t.request('GET', '/auth/users')).json();
    for (const answer of [
      await t.request('DELETE', `/auth/users/${admin.id}`),
      await t.request('PATCH', `/auth/users/${admin.id}`, { global_role: 'user' }),
      await t.request('PATCH', `/auth/users/${admin.id}`, { disabled: true }),
    ]) {
      expect(answer.statusCode).toBe(409);
      expect(answer.json().code).toBe('last_admin');
    }
    const second = (await t.request('POST', '/auth/users', { username: 'second', password, global_role: 'admin' })).json();
    const removals = await Promise.all([t.request('DELETE', `/auth/users/${admin.id}`), t.request('DELETE', `/auth/users/${second.id}`)]);
    expect(removals.map((each) => each.statusCode).sort()).toEqual([204, 409]);
  });
});

describe('sessions', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp();
    await t.request('POST', '/auth/bootstrap', { username: 'ann', password }, { as: null });
  });
  afterAll(() => t.close());
  const login = async (username = 'ann') => t.request('POST', '/auth/login', { username, password }, { as: null });
  const me = (headers: Record<string, string>) => t.request('GET', '/auth/me', undefined, { as: null, headers });

  test('the cookie is Secure, HttpOnly and SameSite from the setting', async () => {
    const answer = await login('ANN');
    expect(answer.statusCode).toBe(200);
    const shared = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' };
    // Browsers accept the prefix only for a Secure cookie of this host, so no other host of the domain can plant one.
    expect(answer.cookies).toMatchObject([
      { name: '__Host-catalog_session', ...shared },
      { name: '__Host-catalog_device', ...shared, maxAge: 400 * 86_400 },
    ]);
    expect(answer.cookies.every(({ domain }) => domain === undefined)).toBe(true);
    expect((await me(sessionCookie(answer))).json().username).toBe('ann');
  });

  test('the token rotates after the interval; parallel requests with the previous one are accepted during the grace period only', async () => {
    const old = sessionCookie(await login());
    await sql`update sessions set rotated_at = now() - interval '11 minutes'`.execute(t.deps.db);
    const parallel = await Promise.all([me(old), me(old), me(old), me(old)]);
    expect(parallel.map((each) => each.statusCode)).toEqual([200, 200, 200, 200]);
    const rotated = parallel.filter((each) => each.cookies.length > 0);
    expect(rotated).toHaveLength(1);
    expect((await me(old)).statusCode).toBe(200);
    expect((await me(sessionCookie(rotated[0]!))).statusCode).toBe(200);
    await sql`update sessions set rotated_at = now() - interval '61 seconds'`.execute(t.deps.db);
    expect((await me(old)).statusCode).toBe(401);
    expect((await me(sessionCookie(rotated[0]!))).statusCode).toBe(200);
  });

  test('a new token lost with a cancelled request ends no session: the previous one is accepted until the new one is used', async () => {
    const old = sessionCookie(await login());
    await sql`update sessions set rotated_at = now() - interval '11 minutes'`.execute(t.deps.db);
    const lost = await me(old);
    expect(lost.cookies).toHaveLength(1);
    await sql`update sessions set rotated_at = now() - interval '5 minutes'`.execute(t.deps.db);
    const again = await me(old);
    expect(again.statusCode).toBe(200);
    // The lost token is not accepted; the one sent again is, and from then on the previous one no longer works.
    expect((await me(sessionCookie(lost))).statusCode).toBe(401);
    expect((await me(sessionCookie(again))).statusCode).toBe(200);
    await sql`update sessions set rotated_at = now() - interval '61 seconds'`.execute(t.deps.db);
    expect((await me(old)).statusCode).toBe(401);
    expect((await me(sessionCookie(again))).statusCode).toBe(200);
  });

  test('a session ends after the inactivity window and after its maximum age', async () => {
    for (const column of ['last_seen_at', 'created_at']) {
      const cookie = sessionCookie(await login());
      expect((await me(cookie)).statusCode).toBe(200);
      const hours = column === 'last_seen_at' ? 169 : 721;
      await sql`update sessions set ${sql.ref(column)} = now() - make_interval(hours => ${hours})`.execute(t.deps.db);
      const answer = await me(cookie);
      expect(answer.statusCode).toBe(401);
      expect(answer.json().code).toBe('credentials_bad');
    }
  });

  test('sessions are listed, revoked one by one, and all but the current one', async () => {
    const [a, b, c] = [sessionCookie(await login()), sessionCookie(await login()), sessionCookie(await login())];
    const list = (await t.request('GET', '/auth/sessions', undefined, { as: null, headers: a })).json();
    expect(list.filter((each: { current: boolean }) => each.current)).toHaveLength(1);
    const other = (await t.request('GET', '/auth/sessions', undefined, { as: null, headers: b }))
      .json()
      .find((each: { current: boolean }) => each.current);
    expect((await t.request('DELETE', `/auth/sessions/${other.id}`, undefined, { as: null, headers: a })).statusCode).toBe(204);
    expect((await me(b)).statusCode).toBe(401);
    expect((await t.request('POST', '/auth/sessions/revoke-all', undefined, { as: null, headers: a })).statusCode).toBe(204);
    expect((await me(c)).statusCode).toBe(401);
    expect((await me(a)).statusCode).toBe(200);
  });

  test('requests from another site with the cookie are rejected', async () => {
    const cookie = sessionCookie(await login());
    const from = (headers: Record<string, string>) =>
      t.request('POST', '/auth/logout', undefined, { as: null, headers: { ...cookie, host: 'catalog.example', ...headers } });
    expect((await from({ 'sec-fetch-site': 'cross-site' })).json().code).toBe('cross_site');
    expect((await from({ origin: 'https://evil.example' })).json().code).toBe('cross_site');
    for (const origin of ['null', 'nonsense', 'file://', 'https://catalog.example.evil.example', 'https://catalog.example:444'])
      expect((await from({ origin })).json().code, origin).toBe('cross_site');
    // X-Forwarded-Host of a caller that is no trusted proxy must not make a foreign origin the own one.
    expect((await from({ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' })).json().code).toBe('cross_site');
    expect((await from({ origin: 'https://catalog.example', host: 'catalog.example:443' })).statusCode).toBe(204);
  });

  test('the origin may also be the public address, or the host that a trusted proxy forwards', async () => {
    for (const [env, headers] of [
      [{ SVC_PUBLIC_BASE_URL: 'https://files.example/catalog' }, {}],
      [{ SVC_TRUSTED_PROXIES: '127.0.0.1' }, { 'x-forwarded-host': 'files.example' }],
    ] as const) {
      const proxied = await createTestApp(env);
      const made = await proxied.request('POST', '/auth/bootstrap', { username: 'ann', password }, { as: null });
      const from = (origin: string) =>
        proxied.request('PATCH', '/auth/me', { phone: '1' }, { as: null, headers: { ...sessionCookie(made), ...headers, origin } });
      expect((await from('https://files.example')).statusCode).toBe(200);
      expect((await from('https://other.example')).json().code).toBe('cross_site');
      await proxied.close();
    }
  });

  test('a changed password ends the other sessions and keeps this person signed in', async () => {
    const [here, elsewhere] = [sessionCookie(await login()), sessionCookie(await login())];
    const wrong = await t.request(
      'POST',
      '/auth/password',
      { current_password: 'nonsense', new_password: 'a new password' },
      { as: null, headers: here },
    );
    expect(wrong.statusCode).toBe(422);
    const done = await t.request(
      'POST',
      '/auth/password',
      { current_password: password, new_password: 'a new password' },
      { as: null, headers: here },
    );
    expect(done.statusCode).toBe(204);
    expect((await me(elsewhere)).statusCode).toBe(401);
    expect((await me(sessionCookie(done))).statusCode).toBe(200);
    await t.request(
      'POST',
      '/auth/password',
      { current_password: 'a new password', new_password: password },
      { as: null, headers: sessionCookie(done) },
    );
  });

  test('a disabled account loses its sessions and cannot sign in; only the correct password reveals why', async () => {
    const { id } = (await t.request('POST', '/auth/users', { username: 'bob', password, global_role: 'viewer' })).json();
    const cookie = sessionCookie(await login('bob'));
    expect((await t.request('PATCH', `/auth/users/${id}`, { disabled: true })).json().disabled).toBe(true);
    expect((await me(cookie)).statusCode).toBe(401);
    expect((await login('bob')).json().code).toBe('account_disabled');
    expect((await t.request('POST', '/auth/login', { username: 'bob', password: 'guess guess' }, { as: null })).json().code).toBe(
      'login_failed',
    );
  });
});

describe('API keys', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp();
    await t.request('POST', '/auth/bootstrap', { username: 'ann', password }, { as: null });
  });
  afterAll(() => t.close());

  test('a key is shown once, stored as a digest, listed by prefix, marked as used, and invalid when revoked', async () => {
    const account = (await t.request('POST', '/service-accounts', { name: 'backup robot' })).json();
    const made = await t.request('POST', '/api-keys', {
      name: 'robot',
      scopes: ['write'],
      service_account_id: account.id,
      expires_days: 3,
    });
    expect(made.statusCode).toBe(201);
    const { key, prefix, id } = made.json();
    expect(key).toMatch(/^ck_[a-z0-9]{6}_[A-Za-z0-9_-]{43}$/);
    expect(key.startsWith(`${prefix}_`)).toBe(true);
    const listed = (await t.request('GET', '/api-keys')).json().keys.find((each: { id: string }) => each.id === id);
    expect((await t.request('GET', '/api-keys/scopes')).json().scopes).toMatchObject([
      { name: 'read' },
      { name: 'write' },
      { name: 'admin' },
    ]);
    expect(listed).toMatchObject({ prefix, service_account: 'backup robot', last_used_at: null, expired: false });
    expect(JSON.stringify(listed)).not.toContain(key.slice(12));
    expect((await t.request('GET', '/auth/users', undefined, { as: key })).statusCode).toBe(403);
    expect((await t.request('GET', '/api-keys')).json().keys.find((each: { id: string }) => each.id === id).last_used_at).not.toBeNull();
    await sql`update api_keys set expires_at = now() - interval '1 second' where id = ${id}`.execute(t.deps.db);
    expect((await t.request('GET', '/auth/users', undefined, { as: key })).statusCode).toBe(401);
    expect((await t.request('DELETE', `/api-keys/${id}`)).statusCode).toBe(204);
    expect((await t.request('DELETE', `/api-keys/${id}`)).statusCode).toBe(404);
  });

  test('keys of a disabled service account are rejected, and a personal key has at most the rights of its owner', async () => {
    const account = (await t.request('POST', '/service-accounts', { name: 'sleeper' })).json();
    const { key } = (await t.request('POST', '/api-keys', { name: 'k', scopes: ['admin'], service_account_id: account.id })).json();
    expect((await t.request('GET', '/auth/users', undefined, { as: key })).statusCode).toBe(200);
    await t.request('PATCH', `/service-accounts/${account.id}`, { disabled: true });
    expect((await t.request('GET', '/auth/users', undefined, { as: key })).statusCode).toBe(401);
    const cookie = sessionCookie(await t.request('POST', '/auth/login', { username: 'ann', password }, { as: null }));
    const own = (await t.request('POST', '/api-keys', { name: 'own', scopes: ['admin'] }, { as: null, headers: cookie })).json();
    expect((await t.request('GET', '/auth/users', undefined, { as: own.key })).statusCode).toBe(200);
    await t.request('POST', '/auth/users', { username: 'other', password, global_role: 'admin' });
    await t.request('PATCH', `/auth/users/${own.principal_id}`, { global_role: 'viewer' });
    expect((await t.request('GET', '/auth/users', undefined, { as: own.key })).statusCode).toBe(403);
  });

  test('a key cannot widen itself: an administrator key has no limits, and a limited key is no administrator', async () => {
    const library = await addLibrary(t.deps);
    const account = (await t.request('POST', '/service-accounts', { name: 'narrow' })).json();
    for (const limit of [{ libraries: [library] }, { path_scope: 'a' }]) {
      const refused = await t.request('POST', '/api-keys', {
        name: 'k',
        scopes: ['admin'],
        service_account_id: account.id,
        ...limit,
      });
      expect(refused.statusCode).toBe(422);
      expect(refused.json().errors[0]).toMatchObject({ loc: ['body', 'scopes'], type: 'admin_with_limits' });
      const { key, id } = (
        await t.request('POST', '/api-keys', { name: 'k', scopes: ['write'], service_account_id: account.id, ...limit })
      ).json();
      // Not even a row changed by hand makes it one.
      await expect(sql`update api_keys set scopes = '{admin}' where id = ${id}`.execute(t.deps.db)).rejects.toThrow(/admin_without_limits/);
      await sql`alter table api_keys drop constraint api_keys_admin_without_limits`.execute(t.deps.db);
      await sql`update api_keys set scopes = '{admin}' where id = ${id}`.execute(t.deps.db);
      const attempts = [
        ['POST', '/api-keys', { name: 'wide', scopes: ['admin'], service_account_id: account.id }],
        ['POST', '/service-accounts', { name: 'wide' }],
        ['POST', '/auth/users', { username: 'wide', password, global_role: 'admin' }],
        ['POST', '/rbac/grants', { subject_kind: 'principal', subject_id: account.id, library_id: library, action: 'download' }],
        ['POST', '/libraries', { name: 'wide', root_path: '/' }],
      ] as const;
      for (const [method, url, body] of attempts) expect((await t.request(method, url, body, { as: key })).statusCode, url).toBe(403);
      await sql`update api_keys set scopes = '{write}' where id = ${id}`.execute(t.deps.db);
      await sql`alter table api_keys add constraint api_keys_admin_without_limits
        check (not ('admin' = any(scopes)) or num_nonnulls(libraries, path_scope) = 0)`.execute(t.deps.db);
    }
  });

  test('a new password leaves API keys valid, says how many there are, and revokes them on request', async () => {
    const owner = (await t.request('POST', '/auth/users', { username: 'keys', password, global_role: 'admin' })).json();
    let cookie = sessionCookie(await t.request('POST', '/auth/login', { username: 'keys', password }, { as: null }));
    const make = async () =>
      (await t.request('POST', '/api-keys', { name: 'own', scopes: ['read'] }, { as: null, headers: cookie })).json().key;
    const works = async (key: string) => (await t.request('GET', '/libraries', undefined, { as: key })).statusCode;
    const change = async (current: string, next: string, more: object = {}) => {
      const body = { current_password: current, new_password: next, ...more };
      cookie = sessionCookie(await t.request('POST', '/auth/password', body, { as: null, headers: cookie }));
    };
    const key = await make();
    expect((await t.request('GET', '/auth/me', undefined, { as: null, headers: cookie })).json().api_keys).toBe(1);
    await change(password, 'second password');
    expect(await works(key)).toBe(200);
    await change('second password', 'third password', { revoke_api_keys: true });
    expect(await works(key)).toBe(401);
    expect((await t.request('GET', '/auth/me', undefined, { as: null, headers: cookie })).json().api_keys).toBe(0);
    const another = await make();
    await t.request('PATCH', `/auth/users/${owner.id}`, { password: 'fourth password', revoke_api_keys: true });
    expect(await works(another)).toBe(401);
    const events: { details: { reason?: string } }[] = (await t.request('GET', '/audit?event_type=API_KEY_REVOKED')).json().events;
    expect(events.filter(({ details }) => details.reason === 'password_change')).toHaveLength(2);
    await t.request('DELETE', `/auth/users/${owner.id}`);
  });

  test('people change their own user name; a taken one is refused, and one from a directory stays', async () => {
    const made = (await t.request('POST', '/auth/users', { username: 'before', password, global_role: 'user' })).json();
    const headers = sessionCookie(await t.request('POST', '/auth/login', { username: 'before', password }, { as: null }));
    const rename = (username: string) => t.request('PATCH', '/auth/me', { username }, { as: null, headers });
    expect((await rename('ANN')).json()).toMatchObject({ status: 409, code: 'username_taken' });
    expect((await rename(' ')).statusCode).toBe(422);
    expect((await rename(' After ')).json()).toMatchObject({ id: made.id, username: 'after' });
    expect((await t.request('POST', '/auth/login', { username: 'before', password }, { as: null })).statusCode).toBe(401);
    expect((await t.request('POST', '/auth/login', { username: 'after', password }, { as: null })).statusCode).toBe(200);
    const { events } = (await t.request('GET', '/audit?event_type=profile_updated')).json();
    expect(events[0].details).toMatchObject({ user_id: made.id, username: 'after', previous_username: 'before' });
    await sql`update principals set auth_provider = 'ldap' where id = ${made.id}`.execute(t.deps.db);
    expect((await rename('third')).json()).toMatchObject({ status: 409, detail: expect.stringContaining('directory') });
    await t.request('DELETE', `/auth/users/${made.id}`);
  });

  test('a Bearer key takes precedence over the cookie', async () => {
    const cookie = sessionCookie(await t.request('POST', '/auth/login', { username: 'other', password }, { as: null }));
    expect((await t.request('GET', '/auth/users', undefined, { as: 'read', headers: cookie })).statusCode).toBe(403);
  });
});

test('every account change records an audit event, without secrets', async () => {
  const t = await createTestApp();
  await t.request('POST', '/auth/bootstrap', { username: 'ann', password }, { as: null });
  const { id } = (await t.request('POST', '/auth/users', { username: 'bob', password })).json();
  await t.request('PATCH', `/auth/users/${id}`, { global_role: 'viewer' });
  await t.request('POST', '/auth/login', { username: 'bob', password: 'wrong guess' }, { as: null });
  await t.request('DELETE', `/auth/users/${id}`);
  const first = (await t.request('GET', '/audit?limit=3')).json();
  const rest = (await t.request('GET', `/audit?limit=50&cursor=${first.next_cursor}`)).json();
  const types = [...first.events, ...rest.events].map((event: { event_type: string }) => event.event_type);
  expect(types).toEqual(['user_deleted', 'login_failure', 'role_changed', 'user_created', 'bootstrap']);
  expect(JSON.stringify([first, rest])).not.toContain(password);
  const services = (await t.request('GET', '/service-accounts')).json().items.map((one: { id: string }) => one.id);
  expect(services, 'the service account whose key was used').toContain(first.events[0].principal_id);
  expect((await t.request('GET', '/audit?event_type=login_failure')).json().events).toHaveLength(1);
  expect((await t.request('GET', '/audit?cursor=forged')).statusCode).toBe(422);
  expect((await t.request('GET', '/audit', undefined, { as: 'write' })).statusCode).toBe(403);
  await t.close();
});

test('SVC_AUTH_ENABLED=false opens every route', async () => {
  const t = await createTestApp({ SVC_AUTH_ENABLED: 'false' });
  expect((await t.request('GET', '/auth/users', undefined, { as: null })).statusCode).toBe(200);
  expect((await t.request('GET', '/auth/status', undefined, { as: null })).json().mode).toBe('disabled');
  await t.close();
});
