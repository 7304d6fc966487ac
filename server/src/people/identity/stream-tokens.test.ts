import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
let scans: string[];
beforeAll(async () => {
  t = await createTestApp();
  const library = await addLibrary(t.deps);
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, settled, stats)
    select ${library}::uuid, 'finished', 'done', now(), true, '{}' from generate_series(1, 2) returning id`.execute(t.deps.db);
  scans = rows.map(({ id }) => id);
});
afterAll(() => t.close());

const issue = (scan: string, as = 'read') => t.request('POST', `/scans/${scan}/events-token`, undefined, { as });
const follow = (scan: string, token: string) => t.request('GET', `/scans/${scan}/events?stream_token=${token}`, undefined, { as: null });

test('a token opens the events of its scan once, within a minute, and nothing else', async () => {
  const [scan = '', other = ''] = scans;
  const { token, expires_in } = (await issue(scan)).json();
  expect(expires_in).toBe(60);
  expect((await follow(other, token)).statusCode, 'another scan').toBe(401);
  expect((await t.request('GET', `/scans/${scan}?stream_token=${token}`, undefined, { as: null })).statusCode, 'another route').toBe(401);
  const stream = await follow(scan, token);
  expect([stream.statusCode, stream.body]).toEqual([200, expect.stringContaining('event: done')]);
  expect((await follow(scan, token)).statusCode, 'a second time').toBe(401);
  const late = (await issue(scan)).json().token;
  await sql`update stream_tokens set expires_at = now() - interval '1 second'`.execute(t.deps.db);
  expect((await follow(scan, late)).statusCode, 'too late').toBe(401);
});

test('only those who see the scan get a token, and it ends with the account', async () => {
  const [scan = ''] = scans;
  const stranger = await addPerson(t.deps, []);
  expect((await issue(scan, stranger.key)).statusCode).toBe(404);
  const { rows } = await sql<{ library_id: string }>`select library_id from scan_runs where id = ${scan}`.execute(t.deps.db);
  const person = await addPerson(t.deps, [[rows[0]!.library_id, '', 'search_metadata']]);
  const { token } = (await issue(scan, person.key)).json();
  await sql`update principals set disabled = true where id = ${person.id}`.execute(t.deps.db);
  expect((await follow(scan, token)).statusCode).toBe(401);
});
