import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../../test/app.ts';
import { type OpenIdProvider, startOpenIdProvider } from '../../../../test/openid-provider.ts';
import { silentLog } from '../../../platform/log/index.ts';
import { createSecrets } from '../../../platform/secrets/index.ts';
import { createOidcClient, type OidcProvider } from './client.ts';
import { refreshOidcSessions } from './refresh.ts';
import { endRemovedProviders } from './removed.ts';
import { createOidcService } from './service.ts';

const base = 'http://localhost:8080';
const callback = `${base}/api/v1/auth/oidc/callback`;

let t: TestApp;
let provider: OpenIdProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider(callback);
  t = await createTestApp({
    SVC_PUBLIC_BASE_URL: base,
    SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  await t.request('POST', '/auth/bootstrap', { username: 'root', password: 'correct horse' }, { as: null });
  await configure({ enabled: true, issuer: provider.issuer, client_id: provider.clientId, client_secret: provider.clientSecret });
});
afterAll(async () => {
  await t.close();
  await provider.close();
});
beforeEach(async () => {
  await configure({ role_map: null, role_claim: null, admin_groups: null, default_role: null, auto_provision: null, link_by_email: null });
});

async function configure(values: Record<string, unknown>): Promise<void> {
  const answer = await t.request('PUT', '/auth-config/oidc?confirm=true', values);
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Starts a sign-in and returns the address at the provider with the cookie of the browser. */
async function start(query = '') {
  const answer = await t.request('GET', `/auth/oidc/login${query}`, undefined, { as: null });
  expect(answer.statusCode).toBe(303);
  const cookie = answer.cookies.find(({ name }) => name === '__Host-catalog_sso');
  return { url: answer.headers.location as string, cookie: `__Host-catalog_sso=${cookie?.value}` };
}

async function signIn(sub: string, claims: Record<string, unknown> = {}, query = '') {
  provider.account = { sub, claims: { preferred_username: sub, ...claims } };
  const { url, cookie } = await start(query);
  const back = await provider.visit(url);
  return t.request('GET', `${back.pathname}${back.search}`, undefined, { as: null, headers: { cookie } });
}

const me = async (headers: Record<string, string>) => (await t.request('GET', '/auth/me', undefined, { as: null, headers })).json();

describe('sign-in with an OpenID provider', () => {
  test('the status names the providers for the sign-in page', async () => {
    await configure({ label: 'Aas Engineering' });
    expect((await t.request('GET', '/auth/status', undefined, { as: null })).json()).toMatchObject({
      oidc_enabled: true,
      oidc_providers: [{ name: 'default', label: 'Aas Engineering' }],
    });
  });

  test('code, PKCE, state and nonce are sent, and the session opens where the person wanted to go', async () => {
    const { url } = await start();
    const sent = new URL(url).searchParams;
    expect(sent.get('response_type')).toBe('code');
    expect(sent.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(sent.get(name)?.length, name).toBeGreaterThanOrEqual(43);
    const answer = await signIn('vera', { name: 'Vera Aas', email: 'vera@example.org' }, `?return_to=${encodeURIComponent('/#/item/1')}`);
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe('/#/item/1');
    expect(await me(sessionCookie(answer))).toMatchObject({
      username: 'vera',
      display_name: 'Vera Aas',
      auth_provider: 'oidc',
      global_role: 'viewer',
      role_source: 'oidc',
      role_reason: 'default role',
    });
  });

  test('the same person gets the same account, and a taken name gets a number', async () => {
    const first = await me(sessionCookie(await signIn('jo')));
    expect((await me(sessionCookie(await signIn('jo')))).id).toBe(first.id);
    const other = await me(sessionCookie(await signIn('another jo', { preferred_username: 'jo' })));
    expect(other).toMatchObject({ username: 'jo2' });
  });

  test('return_to is a path of this console and nothing else', async () => {
    for (const evil of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a\\b', '/%0d%0a', 'evil', '/\u0001x']) {
      const answer = await signIn('vera', {}, `?return_to=${encodeURIComponent(evil)}`);
      expect(answer.headers.location, evil).toBe(evil === '/%0d%0a' ? evil : '/');
    }
  });

  test('a replaced signing key is read at once', async () => {
    await signIn('vera');
    provider.rotateKeys();
    expect((await signIn('vera')).headers.location).toBe('/');
  });

  test('a started sign-in belongs to one browser, is used once and ends after 10 minutes', async () => {
    provider.account = { sub: 'mallory', claims: {} };
    const { url, cookie } = await start();
    const back = await provider.visit(url);
    const target = `${back.pathname}${back.search}`;
    const stranger = (await start()).cookie;
    for (const headers of [{}, { cookie: stranger }] as Record<string, string>[]) {
      const planted = await t.request('GET', target, undefined, { as: null, headers });
      expect(planted.headers.location).toBe('/?sso_error=bad_state');
      expect(planted.cookies).toEqual([]);
    }
    expect((await t.request('GET', target, undefined, { as: null, headers: { cookie } })).headers.location).toBe('/');
    expect((await t.request('GET', target, undefined, { as: null, headers: { cookie } })).headers.location).toBe('/?sso_error=bad_state');
    const late = await start();
    const lateBack = await provider.visit(late.url);
    await sql`update oidc_sign_ins set expires_at = now() - interval '1 second'`.execute(t.deps.db);
    const expired = await t.request('GET', `${lateBack.pathname}${lateBack.search}`, undefined, {
      as: null,
      headers: { cookie: late.cookie },
    });
    expect(expired.headers.location).toBe('/?sso_error=expired_state');
  });
});

describe('roles and groups of a provider', () => {
  test('a role map with a claim path decides, the role with the most rights wins, and the reason is kept', async () => {
    await configure({ role_claim: 'realm_access.roles', role_map: 'staff:user,guests:viewer,nonsense:missing' });
    const answer = await signIn('rita', { realm_access: { roles: ['guests', 'staff'] } });
    expect(await me(sessionCookie(answer))).toMatchObject({ global_role: 'user', role_reason: 'claim realm_access.roles = staff' });
    expect(await me(sessionCookie(await signIn('rita', { realm_access: { roles: ['guests'] } })))).toMatchObject({ global_role: 'viewer' });
  });

  test('with the default role none, people without a mapped claim are refused and no account is created', async () => {
    await configure({ role_map: 'staff:user', default_role: 'none' });
    expect((await signIn('nobody', { groups: ['others'] })).headers.location).toBe('/?sso_error=no_role');
    expect((await t.request('GET', '/auth/users')).json().map((each: { username: string }) => each.username)).not.toContain('nobody');
    expect((await signIn('somebody', { groups: ['staff'] })).headers.location).toBe('/');
  });

  test('groups of the provider are joined and left; memberships given by hand stay', async () => {
    const group = async (name: string, external_name?: string) =>
      (await t.request('POST', '/rbac/groups', { name, ...(external_name ? { external_name } : {}) })).json().id as string;
    const [archive, drawings, byHand] = [await group('archive'), await group('Drawings', 'cad-users'), await group('by hand')];
    const { id } = await me(sessionCookie(await signIn('gina', { groups: ['Archive', 'cad-users', 'unknown'] })));
    await t.request('POST', `/rbac/groups/${byHand}/members`, { principal_id: id });
    const groupsOf = async () => {
      const found: string[] = [];
      for (const each of [archive, drawings, byHand])
        if ((await t.request('GET', `/rbac/groups/${each}/members`)).json().some((m: { principal_id: string }) => m.principal_id === id))
          found.push(each);
      return found;
    };
    expect(await groupsOf()).toEqual([archive, drawings, byHand]);
    await signIn('gina', { groups: ['cad-users'] });
    expect(await groupsOf()).toEqual([drawings, byHand]);
    const { events } = (await t.request('GET', `/audit?event_type=group_membership_changed&principal_id=${id}`)).json();
    expect(events.map(({ details }: { details: unknown }) => details)).toEqual([
      { group_id: archive, user_id: id, member: false, source: 'oidc' },
      expect.objectContaining({ member: true, source: 'oidc' }),
      expect.objectContaining({ member: true, source: 'oidc' }),
    ]);
  });

  test('the last local administrator is never demoted, not even when linked by email', async () => {
    await configure({ link_by_email: true });
    const root = (await t.request('GET', '/auth/users')).json().find((each: { username: string }) => each.username === 'root');
    await t.request('PATCH', `/auth/users/${root.id}`, { email: 'root@example.org' });
    const answer = await signIn('boss', { email: 'root@example.org', email_verified: true });
    expect(await me(sessionCookie(answer))).toMatchObject({ id: root.id, username: 'root', global_role: 'admin' });
    const local = await t.request('POST', '/auth/login', { username: 'root', password: 'correct horse' }, { as: null });
    expect(local.statusCode).toBe(200);
  });

  test('an unverified email address links nothing, and linking is off by default', async () => {
    await t.request('POST', '/auth/users', { username: 'lena', password: 'correct horse', email: 'lena@example.org' });
    await configure({ link_by_email: true });
    expect(await me(sessionCookie(await signIn('lena-1', { email: 'lena@example.org', email_verified: false })))).toMatchObject({
      username: 'lena-1',
    });
    await configure({ link_by_email: null });
    expect(await me(sessionCookie(await signIn('lena-2', { email: 'lena@example.org', email_verified: true })))).toMatchObject({
      username: 'lena-2',
    });
  });

  test('an address that people entered themselves links nothing: it may be somebody else’s', async () => {
    await configure({ link_by_email: true, admin_groups: ['admins'] });
    const password = 'correct horse';
    const nick = (await t.request('POST', '/auth/users', { username: 'nick', password })).json();
    const headers = sessionCookie(await t.request('POST', '/auth/login', { username: 'nick', password }, { as: null }));
    const entered = await t.request('PATCH', '/auth/me', { email: 'Boss@example.org' }, { as: null, headers });
    expect(entered.json().email).toBe('Boss@example.org');
    const boss = { email: 'boss@example.org', email_verified: true, groups: ['admins'] };
    expect((await me(sessionCookie(await signIn('the boss', boss)))).id).not.toBe(nick.id);
    expect(await me(headers)).toMatchObject({ id: nick.id, global_role: 'user' });
    // One that an administrator entered does.
    await t.request('PATCH', `/auth/users/${nick.id}`, { email: 'nick@example.org' });
    const own = await signIn('nick at work', { email: 'nick@example.org', email_verified: true });
    expect((await me(sessionCookie(own))).id).toBe(nick.id);
  });

  test('accounts are created only if that is on, and disabled accounts stay out', async () => {
    await configure({ auto_provision: false });
    expect((await signIn('stranger')).headers.location).toBe('/?sso_error=no_account');
    await configure({ auto_provision: null });
    const { id } = await me(sessionCookie(await signIn('dora')));
    await t.request('PATCH', `/auth/users/${id}`, { disabled: true });
    expect((await signIn('dora')).headers.location).toBe('/?sso_error=disabled');
  });

  test('rights of a long session are read again; a revoked sign-in ends it and an outage does not', async () => {
    await configure({ admin_groups: ['admins'] });
    const headers = sessionCookie(await signIn('paul', { groups: ['admins'] }));
    expect(await me(headers)).toMatchObject({ global_role: 'admin' });
    const stale = () => sql`update sessions set rights_checked_at = now() - interval '1 hour' where method = 'oidc'`.execute(t.deps.db);
    await sql`delete from sessions where principal_id <> (select id from principals where username = 'paul')`.execute(t.deps.db);
    provider.account = { sub: 'paul', claims: { preferred_username: 'paul', groups: [] } };
    await stale();
    await refreshOidcSessions({ ...t.deps, log: silentLog });
    expect(await me(headers)).toMatchObject({ global_role: 'viewer' });
    provider.offline = true;
    await stale();
    await refreshOidcSessions({ ...t.deps, log: silentLog });
    provider.offline = false;
    expect(await me(headers)).toMatchObject({ global_role: 'viewer' });
    // A restarted provider has forgotten its refresh tokens.
    provider.rotateKeys();
    await stale();
    await refreshOidcSessions({ ...t.deps, log: silentLog });
    expect((await t.request('GET', '/auth/me', undefined, { as: null, headers })).statusCode).toBe(401);
  });

  test('a provider that has got another name since the sign-in is still asked', async () => {
    await configure({ admin_groups: ['admins'] });
    const headers = sessionCookie(await signIn('pavel', { groups: ['admins'] }));
    await sql`update sessions set provider_name = 'earlier', rights_checked_at = now() - interval '1 hour'
      where principal_id = (select id from principals where username = 'pavel')`.execute(t.deps.db);
    provider.account = { sub: 'pavel', claims: { preferred_username: 'pavel', groups: [] } };
    await refreshOidcSessions({ ...t.deps, log: silentLog });
    expect(await me(headers)).toMatchObject({ global_role: 'viewer' });
    const { url } = (await t.request('GET', '/auth/oidc/logout-url', undefined, { as: null, headers })).json();
    expect(url).toContain(`${provider.issuer}/session/end`);
  });

  test('one run reads the rights of all sessions, however many there are', async () => {
    await configure({ admin_groups: ['admins'] });
    const headers = sessionCookie(await signIn('pia', { groups: ['admins'] }));
    await sql`insert into sessions (principal_id, identity_id, provider_name, token_hash, rights_checked_at)
      select principal_id, identity_id, provider_name, 'many ' || n, now() - interval '2 hours' from sessions, generate_series(1, 450) n
      where provider_name is not null and id = (select id from sessions order by created_at desc limit 1)`.execute(t.deps.db);
    await sql`update sessions set rights_checked_at = now() - interval '1 hour' where token_hash not like 'many %'`.execute(t.deps.db);
    provider.account = { sub: 'pia', claims: { preferred_username: 'pia', groups: [] } };
    await refreshOidcSessions({ ...t.deps, log: silentLog });
    expect(await me(headers)).toMatchObject({ global_role: 'viewer' });
    await sql`delete from sessions where token_hash like 'many %'`.execute(t.deps.db);
  });

  test('sessions that fail for a reason of their own do not keep others waiting for good', async () => {
    await configure({ admin_groups: ['admins'] });
    const headers = sessionCookie(await signIn('pola', { groups: ['admins'] }));
    await sql`update sessions set rights_checked_at = now() where provider_name is not null`.execute(t.deps.db);
    await sql`insert into sessions (principal_id, identity_id, provider_name, token_hash, rights_checked_at)
      select principal_id, identity_id, provider_name, 'broken ' || n, now() - interval '2 hours' from sessions, generate_series(1, 6) n
      where id = (select id from sessions order by created_at desc limit 1)`.execute(t.deps.db);
    await sql`update sessions set rights_checked_at = now() - interval '1 hour' where id = (select id from sessions where token_hash not like 'broken %'
      order by created_at desc limit 1)`.execute(t.deps.db);
    const { rows } = await sql<{ id: string }>`select id from sessions where token_hash like 'broken %'`.execute(t.deps.db);
    const secrets = createSecrets(t.deps.settings);
    for (const { id } of rows) await secrets.write(t.deps.db, `oidc-session/${id}`, 'cannot be read');
    provider.account = { sub: 'pola', claims: { preferred_username: 'pola', groups: [] } };
    for (let run = 1; run <= 2; run++) await refreshOidcSessions({ ...t.deps, log: silentLog });
    expect(await me(headers)).toMatchObject({ global_role: 'viewer' });
    await sql`delete from sessions where token_hash like 'broken %'`.execute(t.deps.db);
  });

  test('a provider that refreshes without an ID token, which alone names the groups, takes no rights away', async () => {
    await configure({ admin_groups: ['admins'] });
    const headers = sessionCookie(await signIn('petra', { groups: ['admins'] }));
    const client = createOidcClient(t.deps);
    /** Answers of the provider without what the ID token and the userinfo endpoint say. */
    const fetch: typeof client.fetch = async (url, options) => {
      const response = await client.fetch(url, options);
      if (!/\/(token|me)$/.test(url)) return response;
      const { id_token: _, groups: __, ...rest } = (await response.json()) as Record<string, unknown>;
      return Response.json(rest);
    };
    const sparing = { ...client, configuration: (of: OidcProvider) => client.configuration(of, { fetch }) };
    await sql`update sessions set rights_checked_at = now() - interval '1 hour' where method = 'oidc'`.execute(t.deps.db);
    const deps = { ...t.deps, log: silentLog };
    await refreshOidcSessions(deps, createOidcService(deps, sparing));
    expect(await me(headers)).toMatchObject({ global_role: 'admin' });
  });
});

describe('configuration in the console', () => {
  test('each value has its source, secrets are never shown, and __unchanged__ keeps them', async () => {
    const shown = (await t.request('GET', '/auth-config/oidc')).json();
    expect(shown).toMatchObject({
      issuer: provider.issuer,
      has_client_secret: true,
      _source: { issuer: 'gui', client_secret: 'gui', scopes: 'unset' },
    });
    expect(JSON.stringify(shown)).not.toContain(provider.clientSecret);
    await configure({ client_secret: '__unchanged__', scopes: ['openid', 'profile', 'email'] });
    expect((await signIn('vera')).headers.location).toBe('/');
    const { rows } = await sql<{ text: string }>`select string_agg(value::text, '') as text from auth_config`.execute(t.deps.db);
    expect(rows[0]?.text).not.toContain(provider.clientSecret);
  });

  test('an unknown field is refused', async () => {
    expect((await t.request('PUT', '/auth-config/oidc', { isuer: 'x' })).statusCode).toBe(422);
    expect((await t.request('GET', '/auth-config/saml')).statusCode).toBe(404);
  });

  test('unsaved values are tested with discovery and keys', async () => {
    expect((await t.request('POST', '/auth-config/oidc/test', {})).json()).toMatchObject({ ok: true, issuer: provider.issuer, keys: 1 });
    const wrong = (await t.request('POST', '/auth-config/oidc/test', { issuer: 'http://127.0.0.1:9' })).json();
    expect(wrong).toMatchObject({ ok: false });
    expect(wrong.error).toMatch(/connection to 127.0.0.1 failed/);
    expect((await t.request('GET', '/auth-config/oidc')).json().issuer).toBe(provider.issuer);
  });

  test('a change that would lock people out needs a confirmation', async () => {
    await signIn('only-sso');
    const refused = await t.request('PUT', '/auth-config/oidc', { enabled: false });
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'would_lock_out' });
    expect(refused.json().warnings[0]).toMatch(/people sign in only this way/);
    const nobody = await t.request('PUT', '/auth-config/oidc', { default_role: 'none' });
    expect(nobody.json().warnings).toEqual([
      'No group or claim gives a role and there is no default role, so nobody could sign in this way.',
    ]);
  });

  test('providers of the environment keep their secrets when one of them is edited in the console', async () => {
    const SVC_OIDC_PROVIDERS = JSON.stringify([
      { name: 'partner', label: 'Partner', issuer: provider.issuer, client_id: 'catalog', client_secret: provider.clientSecret },
    ]);
    const SVC_SECRET_KEY = Buffer.alloc(32, 7).toString('base64');
    const other = await createTestApp({ SVC_OIDC_ENABLED: 'true', SVC_OIDC_PROVIDERS, SVC_SECRET_KEY, SVC_PUBLIC_BASE_URL: base });
    try {
      const { providers } = (await other.request('GET', '/auth-config/oidc')).json();
      expect(providers[0].client_secret).toBe('__unchanged__');
      for (const label of ['Partners', 'Our partners'])
        await other.request('PUT', '/auth-config/oidc', { providers: [{ ...providers[0], label }] });
      const [{ label, clientSecret }] = (await createOidcService({ ...other.deps, log: silentLog }).offered()) as [OidcProvider];
      expect([label, clientSecret]).toEqual(['Our partners', provider.clientSecret]);
    } finally {
      await other.close();
    }
  });

  test('a provider that gets another name needs its secret again, and nothing is saved without it', async () => {
    const partner = { name: 'partner', issuer: 'https://id.example.org', client_id: 'catalog' };
    await configure({ providers: [{ ...partner, client_secret: 'of the partner' }] });
    const renamed = { ...partner, name: 'agency', client_secret: '__unchanged__' };
    expect((await t.request('PUT', '/auth-config/oidc', { providers: [renamed] })).json()).toMatchObject({
      status: 422,
      errors: [{ loc: ['body', 'providers'], msg: 'Enter the secret of "agency" again, because its name has changed.' }],
    });
    const { rows } = await sql<{ name: string }>`select name from secrets where name like 'auth-config/oidc/providers/%'`.execute(
      t.deps.db,
    );
    expect(rows).toEqual([{ name: 'auth-config/oidc/providers/partner' }]);
    await configure({ providers: [{ ...renamed, client_secret: 'again' }] });
    await configure({ providers: null });
  });

  test('SVC_OIDC_ENABLED=false switches it off whatever the console says', async () => {
    const off = await createTestApp({ SVC_OIDC_ENABLED: 'false' });
    try {
      await sql`insert into auth_config (provider, field, value) values ('oidc', 'enabled', 'true'), ('oidc', 'issuer', ${JSON.stringify(provider.issuer)}), ('oidc', 'client_id', '"catalog"')`.execute(
        off.deps.db,
      );
      expect((await off.request('GET', '/auth/status', undefined, { as: null })).json().oidc_enabled).toBe(false);
      expect((await off.request('GET', '/auth/oidc/login', undefined, { as: null })).statusCode).toBe(404);
      expect((await off.request('PUT', '/auth-config/oidc', { enabled: true })).statusCode).toBe(422);
    } finally {
      await off.close();
    }
  });

  test('a signed-in person connects an identity, which then signs in to the same account; that of another account is refused', async () => {
    await t.request('POST', '/auth/users', { username: 'olga', password: 'a long password' });
    const headers = sessionCookie(await t.request('POST', '/auth/login', { username: 'olga', password: 'a long password' }, { as: null }));
    const connect = async (sub: string) => {
      provider.account = { sub, claims: { preferred_username: sub } };
      const answer = await t.request('POST', '/auth/oidc/connect', {}, { as: null, headers });
      expect(answer.statusCode, answer.body).toBe(200);
      const browser = `__Host-catalog_sso=${answer.cookies.find(({ name }) => name === '__Host-catalog_sso')?.value}`;
      const back = await provider.visit(answer.json().url);
      return t.request('GET', `${back.pathname}${back.search}`, undefined, { as: null, headers: { cookie: browser } });
    };
    const connected = await connect('olga-at-provider');
    expect(connected.headers.location).toBe('/#/account');
    expect(connected.cookies.some(({ name }) => name === '__Host-catalog_session')).toBe(false);
    const identities = (await t.request('GET', '/auth/identities', undefined, { as: null, headers })).json();
    expect(identities).toMatchObject([{ provider: 'oidc', issuer: provider.issuer, name: 'olga-at-provider' }]);
    expect(await me(sessionCookie(await signIn('olga-at-provider')))).toMatchObject({ username: 'olga' });
    await signIn('somebody');
    expect((await connect('somebody')).headers.location).toBe('/?sso_error=already_connected');
    expect((await t.request('POST', '/auth/oidc/connect', {}, { as: null })).statusCode).toBe(401);
  });

  test('a second provider has its own accounts', async () => {
    const second = await startOpenIdProvider(callback);
    try {
      await configure({
        providers: [
          { name: 'partner', label: 'Partner', issuer: second.issuer, client_id: second.clientId, client_secret: second.clientSecret },
        ],
      });
      expect((await t.request('GET', '/auth-config/oidc')).json().providers[0].client_secret).toBe('__unchanged__');
      second.account = { sub: 'vera', claims: { preferred_username: 'vera' } };
      const { url, cookie } = await start('?provider=partner');
      const back = await second.visit(url);
      const answer = await t.request('GET', `${back.pathname}${back.search}`, undefined, { as: null, headers: { cookie } });
      expect(await me(sessionCookie(answer))).toMatchObject({ username: 'vera2' });
      const refused = await t.request('PUT', '/auth-config/oidc', { providers: [] });
      expect(refused.json().warnings, 'people of the second provider').toEqual([
        `One person signs in with ${second.issuer} only. Without it they could not sign in, and with another issuer they would get new accounts.`,
        `The session of one person from ${second.issuer} would end, with the roles and groups that this provider gave.`,
      ]);
    } finally {
      await configure({ providers: null });
      await second.close();
    }
  });
});

describe('when a provider is removed', () => {
  let second: OpenIdProvider;
  let headers: Record<string, string>;
  const partner = () => ({ name: 'partner', issuer: second.issuer, client_id: second.clientId, client_secret: second.clientSecret });
  const rights = async () => {
    const { rows } = await sql<{ global_role: string; groups: number }>`select global_role,
        (select count(*)::int from principal_group_members m where m.principal_id = p.id) as groups
      from principals p where username = 'paula'`.execute(t.deps.db);
    return { ...rows[0], signedIn: (await t.request('GET', '/auth/me', undefined, { as: null, headers })).statusCode === 200 };
  };
  beforeAll(async () => {
    second = await startOpenIdProvider(callback);
    await t.request('POST', '/rbac/groups', { name: 'partners' });
  });
  afterAll(() => second.close());
  beforeEach(async () => {
    await configure({ providers: [partner()], admin_groups: ['partners'] });
    second.account = { sub: 'paula', claims: { preferred_username: 'paula', groups: ['partners'] } };
    const { url, cookie } = await start('?provider=partner');
    const back = await second.visit(url);
    headers = sessionCookie(await t.request('GET', `${back.pathname}${back.search}`, undefined, { as: null, headers: { cookie } }));
  });
  const before = { global_role: 'admin', groups: 1, signedIn: true };
  const after = { global_role: 'viewer', groups: 0, signedIn: false };

  test('the sessions, and the role and groups that it gave, end at once; people of other providers keep theirs', async () => {
    const other = sessionCookie(await signIn('stays', { groups: ['partners'] }));
    expect(await rights()).toEqual(before);
    await configure({ providers: [] });
    expect(await rights()).toEqual(after);
    expect(await me(other)).toMatchObject({ username: 'stays', global_role: 'admin' });
    const { events } = (await t.request('GET', '/audit?event_type=role_changed&limit=1')).json();
    expect(events[0].details).toMatchObject({ before: 'admin', role: 'viewer', source: 'oidc', reason: 'The provider was removed.' });
  });

  test('one that is only switched off takes nothing away, and one that left the environment does at the next start', async () => {
    const restart = () => endRemovedProviders(t.deps, { principalId: null, ip: '' });
    await configure({ enabled: false });
    await restart();
    expect(await rights()).toEqual(before);
    await configure({ enabled: true });
    await sql`update auth_config set value = '[]' where field = 'providers'`.execute(t.deps.db);
    await restart();
    expect(await rights()).toEqual(after);
  });
});

describe('signing out', () => {
  test('the sign-out page of the provider is offered with a hint of the session', async () => {
    const headers = sessionCookie(await signIn('vera'));
    const { url } = (await t.request('GET', '/auth/oidc/logout-url', undefined, { as: null, headers })).json();
    expect(url).toContain(`${provider.issuer}/session/end`);
    expect(new URL(url).searchParams.get('id_token_hint')).toMatch(/^ey/);
    const local = sessionCookie(await t.request('POST', '/auth/login', { username: 'root', password: 'correct horse' }, { as: null }));
    expect((await t.request('GET', '/auth/oidc/logout-url', undefined, { as: null, headers: local })).json()).toEqual({ url: null });
  });
});
