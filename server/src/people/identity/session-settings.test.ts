import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { performTask } from '../../../test/perform.ts';
import { settingsForTests } from '../../settings/index.ts';
import { recordEnvironmentLimits } from './session-settings.ts';
import { identityMaintenance } from './tasks.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_AUTH_RATELIMIT_ENABLED: 'false' });
  await t.request('POST', '/auth/users', { username: 'chief', password, global_role: 'admin' });
});
afterAll(() => t.close());
const password = 'a long enough password';
const change = (body: object, as = 'admin') => t.request('PATCH', '/auth/settings/session', body, { as });

test('the limits of sessions are changed without a restart, 0 goes back to the environment, and each says where it comes from', async () => {
  expect((await t.request('GET', '/auth/settings/session')).json()).toEqual({
    inactivity_hours: 168,
    inactivity_source: 'env',
    ttl_hours: 720,
    ttl_source: 'env',
    env_inactivity_hours: 168,
    env_ttl_hours: 720,
    min_hours: 0,
    max_hours: 8760,
  });
  const answer = await t.request('POST', '/auth/login', { username: 'chief', password }, { as: null });
  const headers = { cookie: `__Host-catalog_session=${answer.cookies.find(({ name }) => name === '__Host-catalog_session')?.value}` };
  const timeouts = async () => t.request('GET', '/auth/me/session-timeouts', undefined, { as: null, headers });
  await sql`update sessions set last_seen_at = now() - interval '3 hours'`.execute(t.deps.db);
  expect((await timeouts()).json()).toMatchObject({ inactivity_hours: 168, inactivity_source: 'env' });
  await sql`update sessions set last_seen_at = now() - interval '3 hours'`.execute(t.deps.db);
  expect((await change({ inactivity_hours: 2 })).json()).toMatchObject({
    inactivity_hours: 2,
    inactivity_source: 'global',
    ttl_source: 'env',
  });
  expect((await timeouts()).statusCode, 'idle for too long').toBe(401);
  await change({ inactivity_hours: 4 });
  expect((await timeouts()).json()).toMatchObject({ inactivity_hours: 4, inactivity_source: 'global' });
  await sql`update principals set session_inactivity_hours = 5 where username = 'chief'`.execute(t.deps.db);
  expect((await timeouts()).json()).toMatchObject({ inactivity_hours: 5, inactivity_source: 'user' });
  expect((await change({ inactivity_hours: 0 })).json()).toMatchObject({ inactivity_hours: 168, inactivity_source: 'env' });
  expect((await t.request('GET', '/audit?event_type=session_settings_changed')).json().events).toHaveLength(3);
});

test('an idle window longer than the session, too many hours and callers who are no administrators are refused', async () => {
  expect((await change({ inactivity_hours: 20, ttl_hours: 10 })).statusCode).toBe(422);
  expect((await change({ ttl_hours: 9000 })).statusCode).toBe(422);
  expect((await change({ ttl_hours: 100 }, 'write')).statusCode).toBe(403);
});

test('a worker with other limits in its environment removes only sessions that are over for the app', async () => {
  const app = await createTestApp({ SVC_SESSION_INACTIVITY_HOURS: '600', SVC_AUTH_RATELIMIT_ENABLED: 'false' });
  try {
    await recordEnvironmentLimits(app.deps.db, app.deps.settings);
    await app.request('POST', '/auth/users', { username: 'chief', password, global_role: 'admin' });
    const answer = await app.request('POST', '/auth/login', { username: 'chief', password }, { as: null });
    const headers = { cookie: `__Host-catalog_session=${answer.cookies.find(({ name }) => name === '__Host-catalog_session')?.value}` };
    const [purge] = identityMaintenance({ settings: settingsForTests({ SVC_SESSION_INACTIVITY_HOURS: '1' }) });
    const purgeAfter = async (hours: number) => {
      await sql`update sessions set last_seen_at = now() - make_interval(hours => ${hours}::int)`.execute(app.deps.db);
      await performTask(app.deps, purge!.task, {});
      return (await app.request('GET', '/auth/me/session-timeouts', undefined, { as: null, headers })).statusCode;
    };
    expect(await purgeAfter(500)).toBe(200);
    expect(await purgeAfter(601)).toBe(401);
    expect((await sql`select from sessions`.execute(app.deps.db)).rows).toEqual([]);
  } finally {
    await app.close();
  }
});
