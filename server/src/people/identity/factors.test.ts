import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../test/app.ts';
import { SoftAuthenticator } from '../../../test/soft-authenticator.ts';
import { enterWithPasskey } from './passkeys.ts';
import { matchingStep, totpCode, totpStep } from './totp.ts';

const password = 'correct horse';
let t: TestApp;
let headers: Record<string, string>;
beforeAll(async () => {
  t = await createTestApp({ SVC_PUBLIC_BASE_URL: 'http://localhost:8080', SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
  await t.request('POST', '/auth/bootstrap', { username: 'ann', password }, { as: null });
  await t.request('POST', '/auth/users', { username: 'bob', password, global_role: 'user' });
});
afterAll(() => t.close());
beforeEach(async () => {
  await sql`delete from auth_failures`.execute(t.deps.db);
});

const login = (username: string, code?: string, typed = password) =>
  t.request('POST', '/auth/login', { username, password: typed, ...(code === undefined ? {} : { code }) }, { as: null });
const own = (method: string, url: string, body?: unknown) => t.request(method, url, body, { as: null, headers });
const me = async (answer: Awaited<ReturnType<typeof login>>) =>
  (await t.request('GET', '/auth/me', undefined, { as: null, headers: sessionCookie(answer) })).json();

test('codes are those of RFC 6238', () => {
  // The secret "12345678901234567890" of appendix B; its codes have eight digits, of which authenticator apps show the last six.
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ] as const) {
    expect(totpCode(secret, totpStep(seconds * 1000))).toBe(code);
    expect(matchingStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, seconds * 1000)).toBe(totpStep(seconds * 1000));
    expect(matchingStep(secret, code, (seconds + 90) * 1000)).toBeNull();
  }
});

describe('an authenticator app', () => {
  let secret: string;
  let codes: string[];
  const code = (step = 0): string => totpCode(secret, totpStep(Date.now()) + step);
  /** The step of each code is used once, so tests go back to before the last accepted one. */
  const forgetSteps = () => sql`update totp_factors set last_step = 0`.execute(t.deps.db);

  test('is set up with the password and a first code, and gives recovery codes once', async () => {
    headers = sessionCookie(await login('bob'));
    expect((await own('POST', '/auth/totp', { current_password: 'wrong' })).statusCode).toBe(422);
    ({ secret } = (await own('POST', '/auth/totp', { current_password: password })).json());
    expect((await own('POST', '/auth/totp/confirm', { code: '000000' })).statusCode).toBe(422);
    // Nothing is asked for until the set-up is confirmed.
    expect((await login('bob')).statusCode).toBe(200);
    codes = (await own('POST', '/auth/totp/confirm', { code: code() })).json().recovery_codes;
    expect(new Set(codes).size).toBe(10);
    const { rows } = await sql<{ text: string }>`select string_agg(code_hash, ' ') as text from recovery_codes`.execute(t.deps.db);
    expect(rows[0]?.text).not.toContain(codes[0]?.replaceAll('-', ''));
    expect((await own('GET', '/auth/second-factors')).json()).toMatchObject({ totp: true, recovery_codes_left: 10, required: false });
  });

  test('the password alone no longer signs in; a code works once', async () => {
    await forgetSteps();
    const asked = await login('bob');
    expect([asked.statusCode, asked.json().code]).toEqual([401, 'second_factor_required']);
    expect((await login('bob', '123')).json().code).toBe('code_wrong');
    expect((await login('bob', code(), 'wrong password')).json().code).toBe('login_failed');
    const accepted = code();
    expect((await login('bob', accepted)).statusCode).toBe(200);
    expect((await login('bob', accepted)).json().code).toBe('code_wrong');
  });

  test('a recovery code works once', async () => {
    expect((await login('bob', codes[0]!.toUpperCase())).statusCode).toBe(200);
    expect((await login('bob', codes[0])).json().code).toBe('code_wrong');
    expect((await own('GET', '/auth/second-factors')).json().recovery_codes_left).toBe(9);
  });

  test('somebody who knows the password cannot guess codes without end', async () => {
    await sql`delete from auth_failures`.execute(t.deps.db);
    const answers: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      await login('bob');
      answers.push((await login('bob', '000000')).statusCode);
    }
    expect(answers.filter((status) => status === 401).length).toBeLessThanOrEqual(3);
    expect(answers.at(-1)).toBe(429);
  });

  test('an administrator resets the second factor of a person who lost it', async () => {
    const { id } = (await own('GET', '/auth/me')).json();
    expect((await t.request('DELETE', `/auth/users/${id}/second-factors`)).statusCode).toBe(204);
    expect((await login('bob')).statusCode).toBe(200);
    const { rows } = await sql`select 1 from secrets where name like 'totp/%'`.execute(t.deps.db);
    expect(rows).toEqual([]);
  });

  test('a role can require a second factor: until it is set up only the account page works', async () => {
    expect((await t.request('PATCH', '/rbac/roles/user', { require_second_factor: true })).statusCode).toBe(200);
    headers = sessionCookie(await login('bob'));
    expect((await own('GET', '/libraries')).json()).toMatchObject({ status: 403, code: 'second_factor_missing' });
    expect((await own('GET', '/auth/me')).json().must_enrol).toBe(true);
    for (const [method, path, body] of [
      ['GET', '/auth/users', undefined],
      ['POST', '/auth/oidc/connect', {}],
    ] as const)
      expect((await own(method, path, body)).json(), path).toMatchObject({ code: 'second_factor_missing' });
    ({ secret } = (await own('POST', '/auth/totp', { current_password: password })).json());
    await own('POST', '/auth/totp/confirm', { code: code() });
    expect((await own('GET', '/libraries')).statusCode).toBe(200);
    expect((await own('POST', '/auth/totp/remove', { current_password: password })).statusCode).toBe(409);
  });

  test('a new password ends other sessions and earlier tokens, but this session keeps its second factor', async () => {
    const [old, current_password] = [headers, 'another correct horse'];
    const changed = await own('POST', '/auth/password', { current_password: password, new_password: current_password });
    headers = sessionCookie(changed);
    expect((await t.request('GET', '/auth/me', undefined, { as: null, headers: old })).statusCode).toBe(401);
    expect((await own('GET', '/libraries')).statusCode).toBe(200);
    headers = sessionCookie(await own('POST', '/auth/password', { current_password, new_password: password }));
  });

  test('when the role no longer requires it, the app can be removed', async () => {
    await t.request('PATCH', '/rbac/roles/user', { require_second_factor: false });
    expect((await own('POST', '/auth/totp/remove', { current_password: password })).statusCode).toBe(204);
  });

  test('what a built-in role may do stays fixed', async () => {
    expect((await t.request('PATCH', '/rbac/roles/user', { require_second_factor: true, scopes: ['read'] })).statusCode).toBe(409);
  });
});

describe('passkeys', () => {
  const device = new SoftAuthenticator();
  const options = async () => (await t.request('POST', '/auth/passkeys/sign-in/options', undefined, { as: null })).json();
  const signIn = (response: unknown) => t.request('POST', '/auth/passkeys/sign-in', { response }, { as: null });

  test('a passkey is added with the password and a verified person', async () => {
    headers = sessionCookie(await login('ann'));
    expect((await own('POST', '/auth/passkeys/options', { current_password: 'wrong' })).statusCode).toBe(422);
    const { challenge, rp } = (await own('POST', '/auth/passkeys/options', { current_password: password })).json();
    expect(rp.id).toBe('localhost');
    const unverified = await own('POST', '/auth/passkeys', { name: 'Phone', response: device.create({ challenge, userVerified: false }) });
    expect(unverified.statusCode).toBe(422);
    const again = (await own('POST', '/auth/passkeys/options', { current_password: password })).json();
    const added = await own('POST', '/auth/passkeys', { name: 'Phone', response: device.create(again) });
    expect(added.statusCode, added.body).toBe(201);
    expect(added.json()).toMatchObject([{ name: 'Phone', last_used_at: null }]);
  });

  test('it signs in without a name and counts as second factor', async () => {
    const answer = await signIn(device.get(await options()));
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await me(answer)).toMatchObject({ username: 'ann' });
    const { rows } = await sql<{
      method: string;
      second_factor: boolean;
    }>`select method, second_factor from sessions order by created_at desc limit 1`.execute(t.deps.db);
    expect(rows[0]).toEqual({ method: 'passkey', second_factor: true });
  });

  test.each<[string, (challenge: string) => Promise<unknown> | unknown]>([
    ['of another site', (challenge) => device.get({ challenge, origin: 'https://evil.example' })],
    ['for another relying party', (challenge) => device.get({ challenge, rpId: 'evil.example' })],
    ['without verification of the person', (challenge) => device.get({ challenge, userVerified: false })],
    ['with an invented challenge', () => device.get({ challenge: Buffer.alloc(32).toString('base64url') })],
    ['of an unknown passkey', (challenge) => new SoftAuthenticator().get({ challenge })],
    [
      'with a foreign signature',
      (challenge) => ({
        ...new SoftAuthenticator().get({ challenge }),
        id: device.id.toString('base64url'),
        rawId: device.id.toString('base64url'),
      }),
    ],
    [
      'of a copied passkey, whose counter goes back',
      (challenge) => {
        device.counter = 0;
        const answer = device.get({ challenge });
        device.counter = 100;
        return answer;
      },
    ],
    ['that is nonsense', () => ({ id: 'x' })],
  ])('an answer %s is refused', async (_name, answer) => {
    const response = await signIn(await answer((await options()).challenge));
    expect(response.statusCode, response.body).toBe(401);
    expect(response.cookies).toEqual([]);
  });

  test('an answer is used once', async () => {
    const answer = device.get(await options());
    expect((await signIn(answer)).statusCode).toBe(200);
    expect((await signIn(answer)).statusCode).toBe(401);
  });

  test('where a second factor is required, the password alone neither removes it, sets up another one nor changes the account', async () => {
    await t.request('PATCH', '/rbac/roles/admin', { require_second_factor: true });
    const stranger = sessionCookie(await login('ann'));
    const attempt = (method: string, url: string, body?: unknown) => t.request(method, url, body, { as: null, headers: stranger });
    const [passkey] = (await own('GET', '/auth/second-factors')).json().passkeys;
    expect((await attempt('GET', '/auth/me')).json().must_enrol).toBe(true);
    for (const [method, path, body] of [
      ['POST', '/auth/totp', { current_password: password }],
      ['POST', '/auth/passkeys/options', { current_password: password }],
      ['POST', `/auth/passkeys/${passkey.id}/remove`, { current_password: password }],
      ['POST', '/auth/users', { username: 'mallory', password, global_role: 'admin' }],
      ['PATCH', '/auth/me', { email: 'mallory@example.org' }],
    ] as const)
      expect((await attempt(method, path, body)).json(), path).toMatchObject({
        code: 'second_factor_missing',
        detail: 'Your account has a second factor. Sign out, then sign in with it.',
      });
    expect((await attempt('POST', '/auth/logout')).statusCode).toBe(204);
    await t.request('PATCH', '/rbac/roles/admin', { require_second_factor: false });
  });

  const remove = (id: string, as = headers, current_password = password) =>
    t.request('POST', `/auth/passkeys/${id}/remove`, { current_password }, { as: null, headers: as });
  const works = async (as: Record<string, string>) =>
    (await t.request('GET', '/auth/me', undefined, { as: null, headers: as })).statusCode === 200;
  const passkeys = async (): Promise<{ id: string; name: string }[]> => (await own('GET', '/auth/second-factors')).json().passkeys;
  const add = async (name: string) => {
    const another = new SoftAuthenticator();
    const { challenge } = (await own('POST', '/auth/passkeys/options', { current_password: password })).json();
    await own('POST', '/auth/passkeys', { name, response: another.create({ challenge }) });
    const { id } = (await passkeys()).find((each) => each.name === name)!;
    return { id, enter: async () => sessionCookie(await signIn(another.get(await options()))) };
  };

  test('it can be renamed and removed with the password, but not by others', async () => {
    const [passkey] = await passkeys();
    const bob = sessionCookie(await login('bob'));
    expect((await remove(passkey!.id, bob)).statusCode).toBe(404);
    expect((await own('PATCH', `/auth/passkeys/${passkey!.id}`, { name: 'Blue key' })).statusCode).toBe(204);
    expect((await remove(passkey!.id, headers, 'wrong')).json()).toMatchObject({ code: 'password_wrong' });
    expect(await passkeys()).toMatchObject([{ name: 'Blue key' }]);
    expect((await remove(passkey!.id)).statusCode).toBe(204);
    expect((await signIn(device.get(await options()))).statusCode).toBe(401);
  });

  test('the sessions that were opened with it end, others stay', async () => {
    const [lost, kept] = [await add('Lost phone'), await add('Laptop')];
    const [byLost, byKept] = [await lost.enter(), await kept.enter()];
    // One of an earlier version does not say which passkey opened it.
    const earlier = await kept.enter();
    await sql`update sessions set provider_session = null where id = (select id from sessions order by created_at desc limit 1)`.execute(
      t.deps.db,
    );
    expect((await remove(lost.id.toUpperCase())).statusCode).toBe(204);
    expect([await works(byLost), await works(earlier), await works(byKept), await works(headers)]).toEqual([false, false, true, true]);
    expect((await remove(kept.id, byKept)).statusCode).toBe(204);
    const mine = (await t.request('GET', '/auth/sessions', undefined, { as: null, headers: byKept })).json();
    expect(mine.find((each: { current: boolean }) => each.current)).toMatchObject({ method: 'password' });
  });

  test('its own session ends too where the password alone would not open one', async () => {
    const [first, second] = [await add('First'), await add('Second')];
    const [byFirst, bySecond] = [await first.enter(), await second.enter()];
    await t.request('PATCH', '/rbac/roles/admin', { require_second_factor: true });
    expect((await remove(first.id, byFirst)).statusCode).toBe(204);
    expect(await works(byFirst)).toBe(false);
    expect((await remove(second.id, bySecond)).json()).toMatchObject({ status: 409, detail: expect.stringContaining('the only one') });
    await t.request('PATCH', '/rbac/roles/admin', { require_second_factor: false });
    await sql`insert into totp_factors (principal_id, confirmed_at) select id, now() from principals where username = 'ann'`.execute(
      t.deps.db,
    );
    expect((await remove(second.id, bySecond)).statusCode).toBe(204);
    expect(await works(bySecond)).toBe(false);
    await sql`delete from totp_factors`.execute(t.deps.db);
  });

  test('a sign-in that began before it was removed, or before the account was disabled, opens no session', async () => {
    const { db } = t.deps;
    const another = await add('Tablet');
    const { rows } = await sql<{ id: string }>`select id from principals where username = 'ann'`.execute(db);
    const enterWith = (passkeyId: string) =>
      db.transaction().execute((trx) => enterWithPasskey(trx, { id: rows[0]!.id, passkeyId }, { principalId: null, ip: '' }));
    await sql`update principals set disabled = true where username = 'ann'`.execute(db);
    await expect(enterWith(another.id)).rejects.toMatchObject({ code: 'login_failed' });
    await sql`update principals set disabled = false where username = 'ann'`.execute(db);
    await remove(another.id);
    await expect(enterWith(another.id)).rejects.toMatchObject({ code: 'login_failed' });
  });

  test('an administrator who removes them also ends their sessions', async () => {
    const session = await (await add('Watch')).enter();
    const { id } = (await own('GET', '/auth/me')).json();
    expect((await t.request('DELETE', `/auth/users/${id}/second-factors`)).statusCode).toBe(204);
    expect([await works(session), await works(headers)]).toEqual([false, true]);
  });
});
