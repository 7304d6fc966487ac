import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../test/app.ts';
import { hashPassword } from './credentials.ts';
import { attemptSubjects, createLimiter } from './limiter.ts';

const password = 'correct horse';

/** How many of the responses came after the password was verified. */
const verified = (responses: readonly LightMyRequestResponse[]): number =>
  responses.filter(({ statusCode }) => statusCode === 401 || statusCode === 422 || statusCode === 200).length;

const deviceCookie = (response: LightMyRequestResponse): string => {
  const cookie = response.cookies.find(({ name }) => name === '__Host-catalog_device');
  if (!cookie) throw new Error(`No device cookie in ${response.statusCode} ${response.body}`);
  return `${cookie.name}=${cookie.value}`;
};

describe('the brute-force limiter', () => {
  let t: TestApp;
  beforeAll(async () => {
    t = await createTestApp({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
    await t.request('POST', '/auth/bootstrap', { username: 'ann', password }, { as: null });
  });
  afterAll(() => t.close());
  const attempt = (username: string, guess: string, ip: string, cookie?: string) =>
    t.request(
      'POST',
      '/auth/login',
      { username, password: guess },
      { as: null, headers: { 'x-forwarded-for': ip, ...(cookie ? { cookie } : {}) } },
    );
  const forget = () => sql`delete from auth_failures`.execute(t.deps.db);
  const lockEverything = () =>
    sql`update auth_failures set failures = attempt_limit, locked_until = now() + interval '5 minutes'`.execute(t.deps.db);

  test('250 simultaneous wrong guesses are verified at most three times', async () => {
    const responses = await Promise.all(Array.from({ length: 250 }, () => attempt('ann', 'wrong guess', '10.0.0.1')));
    expect(verified(responses)).toBe(3);
    expect(responses.filter(({ statusCode }) => statusCode === 429)).toHaveLength(247);
    await forget();
  });

  test('250 simultaneous wrong guesses at a password change are verified at most three times', async () => {
    const headers = sessionCookie(await attempt('ann', password, '10.0.0.1'));
    const body = { current_password: 'wrong guess', new_password: 'a new password' };
    const change = () => t.request('POST', '/auth/password', body, { as: null, headers });
    expect(verified(await Promise.all(Array.from({ length: 250 }, change)))).toBe(3);
    await forget();
  });

  test('three failures lock this client at this account, even for the correct password, with Retry-After', async () => {
    for (let n = 0; n < 3; n += 1) expect((await attempt('ann', 'wrong guess', '10.0.0.1')).statusCode).toBe(401);
    const locked = await attempt('ann', password, '10.0.0.1');
    expect(locked.statusCode).toBe(429);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(290);
    expect((await t.request('GET', '/audit?event_type=lockout')).json().events.length).toBeGreaterThan(0);
    await sql`update auth_failures set locked_until = now() - interval '1 second'`.execute(t.deps.db);
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(200);
    await forget();
  });

  test('a success clears the failures before it, and an attempt that succeeds is not counted', async () => {
    for (let round = 0; round < 4; round += 1) {
      for (let n = 0; n < 2; n += 1) expect((await attempt('ann', 'wrong guess', '10.0.0.1')).statusCode).toBe(401);
      expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(200);
    }
    const { rows } = await sql<{ subject: string; failures: number }>`select subject, failures from auth_failures`.execute(t.deps.db);
    expect(Object.fromEntries(rows.map(({ subject, failures }) => [subject, failures]))).toEqual({
      'pair:10.0.0.1 ann': 0,
      'client:10.0.0.1': 8,
      'account:ann': 8,
    });
    await forget();
  });

  test('strangers cannot lock an owner out: wrong guesses from several addresses lock only those addresses', async () => {
    for (const ip of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5'])
      for (let n = 0; n < 4; n += 1) await attempt('ann', 'wrong guess', ip);
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(429);
    expect((await attempt('ann', password, '10.0.0.9')).statusCode).toBe(200);
    await forget();
  });

  test('a known device is never locked out by others, but has a limit of its own', async () => {
    const device = deviceCookie(await attempt('ann', password, '10.0.0.1'));
    await attempt('ann', 'wrong guess', '10.0.0.1');
    await lockEverything();
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(429);
    const again = await attempt('ann', password, '10.0.0.1', device);
    expect(again.statusCode).toBe(200);
    expect(deviceCookie(again)).toBe(device);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => attempt('ann', 'wrong guess', '10.0.0.8', device)));
    expect(verified(guesses)).toBe(3);
    await forget();
  });

  test('a device cookie that is forged, or belongs to another account, is worth nothing', async () => {
    await t.request('POST', '/auth/users', { username: 'bob', password });
    const device = deviceCookie(await attempt('ann', password, '10.0.0.1'));
    const [name, owner, id] = /^(.*)=(.*)\.(.*)\./.exec(device)!.slice(1);
    const bob = (await t.request('GET', '/auth/users')).json().find(({ username }: { username: string }) => username === 'bob').id;
    const forged = [
      `${name}=${owner}.${id}.${'A'.repeat(43)}`,
      `${name}=${owner}.${id}`,
      `${name}=${device.slice(device.indexOf('=') + 1).replace(owner!, bob)}`,
      device,
    ];
    await attempt('bob', 'wrong guess', '10.0.0.1');
    await lockEverything();
    for (const cookie of forged) expect((await attempt('bob', password, '10.0.0.1', cookie)).statusCode, cookie).toBe(429);
    await forget();
  });

  test('a client that guesses at many accounts is locked at ten times the limit, IPv6 by its /64', async () => {
    for (let n = 0; n < 3; n += 1) await attempt(`ghost${n}`, 'guess guess', `2001:db8:1:2::${n}`);
    await sql`update auth_failures set failures = 29 where subject = 'client:2001:db8:1:2::/64'`.execute(t.deps.db);
    expect((await attempt('ghost9', 'guess guess', '2001:db8:1:2::ffff')).statusCode).toBe(401);
    expect((await attempt('ann', password, '2001:db8:1:2:3:4:5:6')).statusCode).toBe(429);
    expect((await attempt('ann', password, '2001:db8:1:3::1')).statusCode).toBe(200);
    await forget();
  });

  test('an account under a distributed attack is locked at thirty times the limit, except for known devices', async () => {
    const device = deviceCookie(await attempt('ann', password, '10.0.0.1'));
    await attempt('ann', 'wrong guess', '10.0.1.1');
    await sql`update auth_failures set failures = 88 where subject = 'account:ann'`.execute(t.deps.db);
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, n) => attempt('ann', 'wrong guess', `10.0.2.${n}`)));
    expect(verified(guesses)).toBe(2);
    expect((await attempt('ann', password, '10.0.3.1')).statusCode).toBe(429);
    expect((await attempt('ann', password, '10.0.3.1', device)).statusCode).toBe(200);
    await forget();
  });

  test('an attempt whose password could not be verified is not counted', async () => {
    const limiter = createLimiter(t.deps.db, t.deps.settings);
    for (let n = 0; n < 5; n += 1) {
      const taken = await limiter.take(attemptSubjects('ann', '10.0.0.1', null));
      await expect(taken.evaluate(() => Promise.reject(new Error('busy')))).rejects.toThrow('busy');
    }
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(200);
    await forget();
  });

  test('sign-ins in flight are no failures: a hundred people behind one address wait for a slow directory', async () => {
    const limiter = createLimiter(t.deps.db, t.deps.settings);
    const people = Array.from({ length: 100 }, (_, n) => attemptSubjects(`person${n}`, '10.0.0.1', null));
    const waiting = await Promise.all(people.map((subjects) => limiter.take(subjects)));
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(200);
    await Promise.all(waiting.map((taken) => taken.succeed()));
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(200);
    await forget();
  });

  test('a client that guesses at many accounts at once has a bounded number of attempts in flight, and is locked by its failures', async () => {
    const limiter = createLimiter(t.deps.db, t.deps.settings);
    await limiter.take(attemptSubjects('ghost0', '10.0.0.1', null));
    await sql`update auth_failures set in_flight = 298 where subject = 'client:10.0.0.1'`.execute(t.deps.db);
    const takes = Array.from({ length: 10 }, (_, n) => limiter.take(attemptSubjects(`ghost${n}`, '10.0.0.1', null)));
    const outcomes = await Promise.allSettled(takes);
    const taken = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect(taken).toHaveLength(2);
    const refused = await attempt('ghost20', 'guess guess', '10.0.0.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json().detail).toBe('Too many sign-ins at the same time. Try again in a few seconds.');
    await sql`update auth_failures set failures = 28 where subject = 'client:10.0.0.1'`.execute(t.deps.db);
    expect((await taken[0]!.fail()).locks).toBe(false);
    expect((await taken[1]!.fail()).locks).toBe(true);
    expect((await attempt('ghost20', 'guess guess', '10.0.0.1')).json().detail).toContain('Too many failed attempts.');
    await forget();
  });

  test('attempts that a killed process left in flight are forgotten after the window', async () => {
    const limiter = createLimiter(t.deps.db, t.deps.settings);
    for (let n = 0; n < 3; n += 1) await limiter.take(attemptSubjects('ann', '10.0.0.1', null));
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(429);
    await sql`update auth_failures set window_started_at = now() - interval '121 seconds'`.execute(t.deps.db);
    expect((await attempt('ann', password, '10.0.0.1')).statusCode).toBe(200);
    await forget();
  });

  test('failures outside the window are not counted', async () => {
    for (let n = 0; n < 5; n += 1) {
      expect((await attempt('carol', 'wrong guess', '10.9.9.9')).statusCode).toBe(401);
      await sql`update auth_failures set window_started_at = now() - interval '121 seconds'`.execute(t.deps.db);
    }
    await forget();
  });

  test('bootstrap after setup is 409 every time and locks nobody out', async () => {
    for (let n = 0; n < 8; n += 1)
      expect((await t.request('POST', '/auth/bootstrap', { username: 'eve', password }, { as: null })).statusCode).toBe(409);
    expect((await t.request('POST', '/auth/login', { username: 'ann', password }, { as: null })).statusCode).toBe(200);
  });
});

test('X-Forwarded-For is used only from a trusted proxy', async () => {
  const t = await createTestApp();
  const attempt = (ip: string) =>
    t.request('POST', '/auth/login', { username: 'y', password: 'wrong guess' }, { as: null, headers: { 'x-forwarded-for': ip } });
  for (const ip of ['10.1.0.1', '10.1.0.2', '10.1.0.3']) expect((await attempt(ip)).statusCode).toBe(401);
  expect((await attempt('10.1.0.9')).statusCode).toBe(429);
  await t.close();
});

test('switched off by SVC_AUTH_RATELIMIT_ENABLED=false', async () => {
  const t = await createTestApp({ SVC_AUTH_RATELIMIT_ENABLED: 'false' });
  for (let n = 0; n < 6; n += 1)
    expect((await t.request('POST', '/auth/login', { username: 'ann', password: 'wrong guess' }, { as: null })).statusCode).toBe(401);
  await t.close();
});

test('passwords are hashed two at a time, 64 callers wait, and more get 503 with Retry-After', async () => {
  const outcomes = await Promise.allSettled(Array.from({ length: 80 }, () => hashPassword(password)));
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused).toHaveLength(80 - 2 - 64);
  expect(refused[0]!.reason).toMatchObject({ code: 'unavailable', extras: { retryAfter: 5 } });
  await expect(hashPassword(password)).resolves.toContain('argon2id');
}, 60_000);
