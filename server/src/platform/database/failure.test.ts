import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/service.ts';
import { databaseFailure } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a connection lost in the middle of a request is a 503 problem document', async () => {
  const { pool } = t.deps.database;
  const blocker = await pool.connect();
  try {
    await blocker.query('begin');
    await blocker.query('lock table presets in access exclusive mode');
    const running = t.request('POST', '/presets', { name: 'blocked', patterns: [] });
    await until(
      async () =>
        (
          await pool.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          )
        ).rowCount,
      'the request to wait for the lock',
    );
    const response = await running;
    expect([response.statusCode, response.headers['content-type']]).toEqual([503, expect.stringContaining('application/problem+json')]);
    expect(response.json()).toMatchObject({ code: 'database_unavailable' });
    expect(response.headers['retry-after']).toBe('5');
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect((await t.request('POST', '/presets', { name: 'blocked', patterns: [] })).statusCode).toBe(201);
});

const failure = (message: string, more: object = {}) => databaseFailure(Object.assign(new Error(message), more));

test.each([
  ['could not extend file', { code: '53100' }, 'full'],
  ['could not write to file "pg_wal/xlogtemp.1": No space left on device', { code: '58P01' }, 'full'],
  ['ENOSPC: no space left on device, write', { code: 'ENOSPC' }, 'full'],
  ['Connection terminated unexpectedly', {}, 'lost'],
  ['Client has encountered a connection error and is not queryable', {}, 'lost'],
  ['terminating connection because of crash of another server process', { code: '57P02' }, 'lost'],
  ['the database system is starting up', { code: '57P03' }, 'lost'],
  ['sorry, too many clients already', { code: '53300' }, 'lost'],
  ['read ECONNRESET', { code: 'ECONNRESET' }, 'lost'],
  ['connect ENOENT', { code: 'ENOENT', syscall: 'connect', address: '/x/.s.PGSQL.5432' }, 'lost'],
  ['ENOENT: no such file or directory', { code: 'ENOENT', syscall: 'open' }, null],
  ['duplicate key value', { code: '23505' }, null],
  ['canceling statement due to statement timeout', { code: '57014' }, null],
])('the error "%s" %j is %s', (message, more, expected) => {
  expect(failure(message, more)).toBe(expected);
});

test('a full disk is 507 with the reason', async () => {
  const { db } = t.deps;
  const full = Object.assign(new Error('could not extend file "base/1/2": No space left on device'), { code: '53100' });
  const failing = new Proxy(db, {
    get: (target, key, receiver) =>
      key === 'transaction' ? () => ({ execute: () => Promise.reject(full) }) : Reflect.get(target, key, receiver),
  });
  const { assembleApp } = await import('../../assembly/app.ts');
  const app = await assembleApp({ ...t.deps, db: failing });
  try {
    const response = await app.inject({
      method: 'POST',
      url: '/api/v1/presets',
      headers: { authorization: `Bearer ${t.keys.admin}` },
      payload: { name: 'full', patterns: [] },
    });
    expect(response.json()).toMatchObject({ status: 507, code: 'disk_full', detail: expect.stringContaining('Free some space') });
  } finally {
    await app.close();
  }
});
