import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../../test/app.ts';
import { type Hostility, startHostileProvider } from '../../../../test/hostile-provider.ts';

const base = 'http://localhost:8080';
const clientSecret = 'client secret';
let t: TestApp;
let provider: Awaited<ReturnType<typeof startHostileProvider>>;
let clientNumber = 0;

beforeAll(async () => {
  provider = await startHostileProvider('catalog', clientSecret);
  t = await createTestApp({ SVC_PUBLIC_BASE_URL: base, SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
  await configure({ enabled: true, issuer: provider.issuer, client_id: 'catalog', client_secret: clientSecret });
});
afterAll(async () => {
  await t.close();
  await provider.close();
});

async function configure(values: Record<string, unknown>): Promise<void> {
  const answer = await t.request('PUT', '/auth-config/oidc?confirm=true', values);
  expect(answer.statusCode, answer.body).toBe(200);
}

/** Discovery is cached by client secret, so another one makes the service read it again. */
const forgetDiscovery = () => configure({ client_secret: `${clientSecret} ${clientNumber++}` });

async function signIn(hostility: Hostility) {
  provider.misbehave(hostility);
  const started = await t.request('GET', '/auth/oidc/login', undefined, { as: null });
  const location = started.headers.location as string;
  if (location.startsWith('/?sso_error=')) return started;
  const cookie = `__Host-catalog_sso=${started.cookies.find(({ name }) => name === '__Host-catalog_sso')?.value}`;
  const back = provider.redirectOf(location);
  return t.request('GET', `${back.pathname}${back.search}`, undefined, { as: null, headers: { cookie } });
}

const now = (): number => Math.floor(Date.now() / 1000);
const without = (name: string) => (correct: Record<string, unknown>) => {
  const { [name]: _, ...rest } = correct;
  return rest;
};
const with_ = (change: Record<string, unknown>) => (correct: Record<string, unknown>) => ({ ...correct, ...change });

/** What is wrong, how, and the reason that the browser is told. */
const discoveryCases: [string, Hostility, string][] = [
  ['discovery of another issuer', { discovery: with_({ issuer: 'https://other.example' }) }, 'issuer_mismatch'],
  ['discovery of the issuer with a slash added', { discovery: (c) => ({ ...c, issuer: `${String(c['issuer'])}/` }) }, 'issuer_mismatch'],
  ['discovery without an issuer', { discovery: without('issuer') }, 'bad_response'],
  ['discovery without an authorization endpoint', { discovery: without('authorization_endpoint') }, 'incomplete_discovery'],
  ['discovery without a token endpoint', { discovery: without('token_endpoint') }, 'incomplete_discovery'],
  ['discovery without keys', { discovery: without('jwks_uri') }, 'incomplete_discovery'],
  ['discovery that is not JSON', { discoveryText: '<html>' }, 'bad_response'],
  ['discovery that is a list', { discoveryText: '[]' }, 'bad_response'],
  ['discovery that is not found', { discoveryText: '{}', discoveryStatus: 404 }, 'bad_response'],
  ['discovery that redirects', { discoveryText: '{}', discoveryStatus: 302 }, 'bad_response'],
  ['discovery larger than 1 MiB', { discoveryText: `{"x":"${'x'.repeat(1_100_000)}"}` }, 'oversized_response'],
  ['a token endpoint without TLS', { discovery: with_({ token_endpoint: 'http://id.example.org/token' }) }, 'insecure_url'],
  ['keys without TLS', { discovery: with_({ jwks_uri: 'http://id.example.org/keys' }) }, 'insecure_url'],
  ['an authorization endpoint that is a script', { discovery: with_({ authorization_endpoint: 'javascript:alert(1)' }) }, 'insecure_url'],
  [
    'a provider that signs with shared secrets only',
    { discovery: with_({ id_token_signing_alg_values_supported: ['HS256', 'none'] }) },
    'no_supported_alg',
  ],
];

const answerCases: [string, Hostility, string][] = [
  ['an answer without a state', { redirect: (q) => q.delete('state') }, 'bad_state'],
  ['an answer with a foreign state', { redirect: (q) => q.set('state', 'x'.repeat(43)) }, 'bad_state'],
  ['an answer without a code', { redirect: (q) => q.delete('code') }, 'missing_code'],
  ['a refusal by the person', { redirect: (q) => q.set('error', 'access_denied') }, 'access_denied'],
  ['an error of the provider', { redirect: (q) => q.set('error', 'server_error') }, 'provider_error'],
  ['an answer of another issuer (mix-up)', { redirect: (q) => q.set('iss', 'https://other.example') }, 'bad_response'],
  ['an answer without the promised issuer', { redirect: (q) => q.delete('iss') }, 'bad_response'],
  ['an answer with an ID token in the URL', { redirect: (q) => q.set('response', 'a.b.c') }, 'bad_response'],
];

const tokenCases: [string, Hostility, string][] = [
  ['a refused code', { tokenText: '{"error":"invalid_grant"}', tokenStatus: 400 }, 'token_exchange_failed'],
  ['a wrong client secret', { tokenText: '{"error":"invalid_client"}', tokenStatus: 401 }, 'token_exchange_failed'],
  ['a token response that is not JSON', { tokenText: '<html>' }, 'token_exchange_failed'],
  ['a token response that is not found', { tokenText: 'no', tokenStatus: 404 }, 'token_exchange_failed'],
  ['a token response larger than 1 MiB', { tokenText: `{"x":"${'x'.repeat(1_100_000)}"}` }, 'oversized_response'],
  ['a token response without an ID token', { token: without('id_token') }, 'no_id_token'],
  ['a token response without an access token', { token: without('access_token') }, 'token_exchange_failed'],
  ['an ID token that is a number', { idToken: () => 42 }, 'no_id_token'],
  ['an ID token of two parts', { idToken: (text) => text.split('.').slice(0, 2).join('.') }, 'invalid_id_token'],
  ['an ID token that is encrypted', { idToken: (text) => `${text}.d.e` }, 'invalid_id_token'],
];

const idTokenCases: [string, Hostility, string][] = [
  ['an ID token without a signature', { header: with_({ alg: 'none' }) }, 'no_supported_alg'],
  ['an ID token signed with the client secret', { header: with_({ alg: 'HS256' }), signWith: 'client secret' }, 'no_supported_alg'],
  ['an ID token signed with another key', { signWith: 'foreign key' }, 'invalid_id_token'],
  ['an ID token with an unknown key id', { header: with_({ kid: 'two' }) }, 'invalid_id_token'],
  ['an ID token with critical extensions', { header: with_({ crit: ['b64'], b64: true }) }, 'invalid_id_token'],
  ['an ID token whose signature was cut', { idToken: (text) => text.slice(0, -6) }, 'invalid_id_token'],
  [
    'an ID token whose claims were changed',
    {
      idToken: (text) => {
        const [header, payload, signature] = text.split('.');
        const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
        return [header, Buffer.from(JSON.stringify({ ...claims, sub: 'admin' })).toString('base64url'), signature].join('.');
      },
    },
    'invalid_id_token',
  ],
  ['an ID token of another issuer', { claims: with_({ iss: 'https://other.example' }) }, 'invalid_id_token'],
  ['an ID token without an issuer', { claims: without('iss') }, 'invalid_id_token'],
  ['an ID token for another client', { claims: with_({ aud: 'other' }) }, 'invalid_id_token'],
  ['an ID token for nobody', { claims: with_({ aud: [] }) }, 'invalid_id_token'],
  ['an ID token without an audience', { claims: without('aud') }, 'invalid_id_token'],
  ['an ID token for several clients without azp', { claims: with_({ aud: ['catalog', 'other'] }) }, 'invalid_id_token'],
  [
    'an ID token for several clients with a foreign azp',
    { claims: with_({ aud: ['catalog', 'other'], azp: 'other' }) },
    'invalid_id_token',
  ],
  ['an ID token with a foreign azp', { claims: with_({ azp: 'other' }) }, 'invalid_id_token'],
  ['an expired ID token', { claims: with_({ exp: now() - 600 }) }, 'invalid_id_token'],
  ['an ID token without an end', { claims: without('exp') }, 'invalid_id_token'],
  ['an ID token that ends in words', { claims: with_({ exp: 'tomorrow' }) }, 'invalid_id_token'],
  ['an ID token of the future', { claims: with_({ iat: now() + 3600, exp: now() + 7200 }) }, 'invalid_id_token'],
  ['an ID token without a time', { claims: without('iat') }, 'invalid_id_token'],
  ['an ID token that is not valid yet', { claims: with_({ nbf: now() + 3600 }) }, 'invalid_id_token'],
  ['an ID token with another nonce (replay)', { claims: with_({ nonce: 'another' }) }, 'invalid_id_token'],
  ['an ID token without a nonce', { claims: without('nonce') }, 'invalid_id_token'],
  ['an ID token without a subject', { claims: without('sub') }, 'invalid_id_token'],
  ['an ID token with an empty subject', { claims: with_({ sub: '' }) }, 'no_subject'],
  ['an ID token with a list as subject', { claims: with_({ sub: ['person'] }) }, 'invalid_id_token'],
  [
    'an access token that does not belong to the ID token',
    { claims: with_({ at_hash: Buffer.alloc(16).toString('base64url') }) },
    'invalid_id_token',
  ],
  ['no keys at all', { keys: () => [], header: with_({ kid: 'gone' }) }, 'invalid_id_token'],
  ['a key for encryption only', { keys: ([key]) => [{ ...key, use: 'enc' }], header: with_({ kid: 'enc' }) }, 'invalid_id_token'],
  ['userinfo about another person', { userinfo: with_({ sub: 'other' }) }, 'bad_response'],
  ['userinfo that is not JSON', { userinfo: () => 'nothing' }, 'bad_response'],
];

describe('a hostile or broken OpenID provider opens no session', () => {
  test('a correct provider does', async () => {
    expect((await signIn({})).headers.location).toBe('/');
  });

  test.each(discoveryCases)('%s', async (_name, hostility, reason) => {
    await forgetDiscovery();
    expectRefusal(await signIn(hostility), reason);
    await forgetDiscovery();
  });

  test.each([...answerCases, ...tokenCases, ...idTokenCases])('%s', async (_name, hostility, reason) => {
    expectRefusal(await signIn(hostility), reason);
  });

  test('the code of an answer that is refused is never sent to the provider', async () => {
    const before = provider.tokenRequests;
    for (const [, hostility] of answerCases) await signIn(hostility);
    expect(provider.tokenRequests).toBe(before);
  });

  test('a claim with NUL or half of a surrogate pair is stored without it', async () => {
    const answer = await signIn({
      claims: with_({ sub: 'odd', preferred_username: 'o\u0000d\ud800d', name: 'O\u0000dd', groups: ['\u0000'] }),
    });
    expect(answer.headers.location).toBe('/');
  });

  test('simultaneous sign-ins never get each other’s tokens', async () => {
    provider.misbehave({});
    const started = await Promise.all([1, 2, 3, 4].map(() => t.request('GET', '/auth/oidc/login', undefined, { as: null })));
    // The provider's token carries the nonce of the last one only, so exactly one may succeed.
    const urls = started.map((each) => provider.redirectOf(each.headers.location as string));
    const answers = await Promise.all(
      urls.map((url, n) =>
        t.request('GET', `${url.pathname}${url.search}`, undefined, {
          as: null,
          headers: { cookie: `__Host-catalog_sso=${started[n]?.cookies.find(({ name }) => name === '__Host-catalog_sso')?.value}` },
        }),
      ),
    );
    expect(answers.map((each) => each.headers.location)).toEqual([...Array(3).fill('/?sso_error=invalid_id_token'), '/']);
  });

  test('each failure is in the audit log with its reason', async () => {
    const { rows } = await sql<{ reasons: number }>`select count(distinct details->>'reason')::int as reasons from security_events
      where event_type = 'login_failure' and details->>'method' = 'oidc'`.execute(t.deps.db);
    expect(rows[0]?.reasons).toBeGreaterThan(12);
  });
});

function expectRefusal(answer: Awaited<ReturnType<TestApp['request']>>, reason: string): void {
  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe(`/?sso_error=${reason}`);
  expect(answer.cookies.filter(({ name }) => name === '__Host-catalog_session')).toEqual([]);
}

describe('back-channel logout', () => {
  const send = (token: string, headers: Record<string, string> = { 'content-type': 'application/x-www-form-urlencoded' }) =>
    t.request('POST', '/auth/oidc/backchannel-logout', `logout_token=${token}`, { as: null, headers });
  const open = async () => sessionCookie(await signIn({ claims: with_({ sid: 'session-1' }) }));
  const status = async (headers: Record<string, string>) =>
    (await t.request('GET', '/auth/me', undefined, { as: null, headers })).statusCode;

  test('the provider ends the session it names, or all sessions of the person, once per token', async () => {
    const [headers, other] = [await open(), sessionCookie(await signIn({ claims: with_({ sid: 'session-2' }) }))];
    const bySession = await provider.logoutToken({ sid: 'session-1' });
    expect((await send(bySession)).json()).toEqual({ ended: 1 });
    expect([await status(headers), await status(other)]).toEqual([401, 200]);
    const again = await open();
    const byPerson = await provider.logoutToken({});
    expect((await send(byPerson)).statusCode).toBe(200);
    expect([await status(again), await status(other)]).toEqual([401, 401]);
    const later = await open();
    expect((await send(byPerson)).statusCode).toBe(400);
    expect(await status(later)).toBe(200);
  });

  test.each([
    ['another issuer', { iss: 'https://other.example' }],
    ['another audience', { aud: 'other' }],
    ['expired', { exp: now() - 600 }],
    ['of the future', { iat: now() + 3600 }],
    ['without an event', { events: undefined }],
    ['with another event', { events: { 'https://other': {} } }],
    ['with a nonce', { nonce: 'x' }],
    ['without an id', { jti: undefined }],
    ['about nobody', { sub: undefined }],
  ])('a logout token %s is refused', async (_name, claims) => {
    const headers = await open();
    expect((await send(await provider.logoutToken(claims))).statusCode).toBe(400);
    expect(await status(headers)).toBe(200);
  });

  test('a logout token of a foreign key, of another type, or sent as JSON is refused', async () => {
    const headers = await open();
    expect((await send(await provider.logoutToken({}, undefined, 'foreign'))).statusCode).toBe(400);
    expect((await send(await provider.logoutToken({}, { alg: 'RS256', kid: 'one', typ: 'at+jwt' }))).statusCode).toBe(400);
    expect((await send('a.b.c')).statusCode).toBe(400);
    expect(await status(headers)).toBe(200);
  });
});
