import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { proveJob } from '../src/insight/duplicates/prove.ts';
import { exportTasks } from '../src/insight/exports/tasks.ts';
import { digestOf } from '../src/people/identity/credentials.ts';
import { enqueue } from '../src/platform/queue/index.ts';
import { createTestApp, type TestApp } from './app.ts';
import { addItem, addLibrary, addLimitedKey, addPerson } from './catalog-rows.ts';
import { performTask } from './perform.ts';

let t: TestApp;
let person: { id: string; key: string };
let limited: string;
let sibling: string;

beforeAll(async () => {
  t = await createTestApp();
  const library = await addLibrary(t.deps, { name: 'Shelf', root_path: '/media/shelf' });
  await addItem(t.deps, library, 'team/one.txt', { size: 5 });
  await addItem(t.deps, library, 'board/two.txt', { size: 7 });
  person = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, '', 'download'],
  ]);
  limited = await addLimitedKey(t.deps, person.id, 'team');
  sibling = await addLimitedKey(t.deps, person.id, 'board');
});
afterAll(() => t.close());

const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', url: string, as: string, body?: unknown) =>
  t.request(method, url, body, { as });
const made = async (url: string, as: string, body?: unknown): Promise<string> => {
  const response = await call('POST', url, as, body);
  expect(response.statusCode, response.body).toBeLessThan(300);
  return response.json().id;
};

test('a limited key has no export but its own', async () => {
  const [wide, narrow] = [await made('/reports/largest_files/export', person.key), await made('/reports/largest_files/export', limited)];
  for (const id of [wide, narrow]) await performTask(t.deps, exportTasks(t.deps)[0]!, { export_id: id, byte_order_mark: false });
  expect((await call('GET', `/exports/${wide}/download`, person.key)).body).toContain('board/two.txt');
  for (const key of [limited, sibling]) {
    expect((await call('GET', `/exports/${wide}/download`, key)).statusCode).toBe(404);
    expect((await call('DELETE', `/exports/${wide}`, key)).statusCode).toBe(404);
  }
  const own = (await call('GET', `/exports/${narrow}/download`, limited)).body;
  expect(own).toContain('team/one.txt');
  expect(own).not.toContain('board');
  const listed = async (key: string) =>
    (await call('GET', '/exports', key))
      .json()
      .exports.map(({ id }: { id: string }) => id)
      .sort();
  expect(await listed(limited)).toEqual([narrow]);
  expect(await listed(sibling)).toEqual([]);
  expect(await listed(person.key)).toEqual([wide, narrow].sort());
});

test('a limited key cannot see, change or run a schedule of its account', async () => {
  const schedule = { name: 'Weekly', canned_report_key: 'largest_files', cron: '0 6 * * 1' };
  const id = await made('/report-schedules', person.key, schedule);
  const own = await made('/report-schedules', limited, { ...schedule, name: 'Mine' });
  expect((await call('PATCH', `/report-schedules/${id}`, limited, { canned_report_key: 'empty_files' })).statusCode).toBe(404);
  expect((await call('POST', `/report-schedules/${id}/run`, limited)).statusCode).toBe(404);
  expect((await call('GET', `/report-schedules/${id}/runs`, limited)).statusCode).toBe(404);
  expect((await call('DELETE', `/report-schedules/${id}`, limited)).statusCode).toBe(404);
  const schedules = (await call('GET', '/report-schedules', limited)).json();
  expect(schedules).toMatchObject([{ id: own }]);
});

test('a limited key has its own searches, custom reports, pins and cleanup plan', async () => {
  const search = await made('/saved-searches', person.key, { name: 'Board papers', params: { q: 'board' } });
  const shared = await made('/saved-searches', person.key, { name: 'For all', params: { q: 'team' }, shared: true });
  const report = await made('/custom-reports', person.key, { name: 'Board', query: 'board', columns: ['rel_path'] });
  await call('PUT', '/report-pins/largest_files', person.key);
  for (const url of [`/saved-searches/${search}`, `/custom-reports/${report}`]) {
    expect((await call('GET', url, limited)).statusCode).toBe(404);
    expect((await call('PATCH', url, limited, { name: 'Taken' })).statusCode).toBe(404);
    expect((await call('DELETE', url, limited)).statusCode).toBe(404);
  }
  expect((await call('GET', `/saved-searches/${shared}`, limited)).statusCode).toBe(200);
  expect((await call('DELETE', `/saved-searches/${shared}`, limited)).statusCode).toBe(403);
  const own = await made('/saved-searches', limited, { name: 'Mine', params: { q: 'team' } });
  expect((await call('DELETE', `/saved-searches/${own}`, limited)).statusCode).toBe(204);
  expect((await call('GET', '/report-pins', limited)).json()).toEqual({ reports: [] });
  const rulesOf = async (key: string) => (await call('GET', '/duplicates/plan', key)).json().rules;
  const before = await rulesOf(person.key);
  const changed = await call('PUT', '/duplicates/plan', limited, { rules: [{ kind: 'shortest_path' }] });
  expect(changed.statusCode, changed.body).toBeLessThan(300);
  expect(await rulesOf(person.key)).toEqual(before);
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from duplicate_plans where owner_id = ${person.id} and key_id is null`.execute(t.deps.db);
  expect(rows[0]?.n).toBe(0);
});

test('a limited key does not read the names of the schedules of its account that use its report', async () => {
  const report = await made('/custom-reports', limited, { name: 'Team files', columns: ['rel_path'], shared: true });
  const schedule = { cron: '0 6 * * 1', report_definition_id: report };
  await made('/report-schedules', person.key, { ...schedule, name: 'Board meeting' });
  await made('/report-schedules', limited, { ...schedule, name: 'Team meeting' });
  const { code, detail } = (await call('DELETE', `/custom-reports/${report}`, limited)).json();
  expect(code).toBe('report_in_use');
  expect(detail).toContain('Team meeting');
  expect(detail).not.toContain('Board meeting');
});

test('an account reads and changes what its limited keys made, also after they are revoked', async () => {
  const key = await addLimitedKey(t.deps, person.id, 'team');
  const kinds = [
    ['/saved-searches', { name: 'Kept', params: { q: 'team' } }],
    ['/custom-reports', { name: 'Kept', query: 'team', columns: ['rel_path'] }],
  ] as const;
  const urls = await Promise.all(kinds.map(async ([url, body]) => `${url}/${await made(url, key, body)}`));
  // A key has names of its own, so that it does not learn those of its account.
  for (const [url, body] of kinds) await made(url, person.key, body);
  for (const [at, [list]] of kinds.entries()) {
    const ids = async (as: string) => (await call('GET', list, as)).json().map(({ id }: { id: string }) => `${list}/${id}`);
    expect(await ids(person.key)).toContain(urls[at]);
    expect(await ids(key)).toContain(urls[at]);
    expect(await ids(sibling)).not.toContain(urls[at]);
  }
  const expectAccountMayEdit = async (name: string) => {
    for (const url of urls) {
      expect((await call('GET', url, person.key)).json()).toMatchObject({ owner_principal: person.id, may_edit: true });
      expect((await call('PATCH', url, person.key, { name })).json()).toMatchObject({ name });
      expect((await call('PATCH', url, sibling, { name })).statusCode).toBe(404);
    }
  };
  await expectAccountMayEdit('Renamed');
  await sql`delete from api_keys where key_hash = ${digestOf(key)}`.execute(t.deps.db);
  await expectAccountMayEdit('Renamed again');
  for (const url of urls) expect((await call('DELETE', url, person.key)).statusCode).toBe(204);
});

test('the account can change what a schedule of its limited key reports', async () => {
  const report = await made('/custom-reports', limited, { name: 'Key report', columns: ['rel_path'] });
  const id = await made('/report-schedules', limited, { name: 'Key schedule', cron: '0 6 * * 1', report_definition_id: report });
  const patched = await call('PATCH', `/report-schedules/${id}`, person.key, { params: { limit: 5 } });
  expect(patched.statusCode, patched.body).toBe(200);
});

test('a limited key cannot stop the reading of duplicates that its account started', async () => {
  await enqueue(
    t.deps.db,
    proveJob,
    { owner: { kind: 'user', id: person.id, keyId: null }, key: null },
    { lock: `prove_duplicates ${person.id}` },
  );
  expect((await call('DELETE', '/duplicates/prove', limited)).statusCode).toBe(404);
  expect((await call('DELETE', '/duplicates/prove', person.key)).statusCode).toBe(204);
});

test('the cleanup plan of a revoked key goes to its account, whose own rules and choices win', async () => {
  const owner = await addPerson(t.deps, []);
  const plan = async (as: string) => (await call('GET', '/duplicates/plan', as)).json();
  const choices = async () => {
    const { rows } = await sql<{ key: string; item_id: string }>`select c.key, c.item_id from duplicate_choices c
      join duplicate_plans p on p.id = c.plan_id where p.owner_id = ${owner.id} and p.key_id is null order by 1`.execute(t.deps.db);
    return rows.map(({ key, item_id }) => `${key} ${item_id.at(-1)}`);
  };
  const choose = (number: number, key: string, item: number) =>
    sql`insert into duplicate_choices (plan_id, key, item_id) values (${number}, ${key}, ${`00000000-0000-7000-8000-00000000000${item}`})`.execute(
      t.deps.db,
    );
  const planOfNewKey = async (kind: string) => {
    const key = await addLimitedKey(t.deps, owner.id, 'team');
    const { number } = (await call('PUT', '/duplicates/plan', key, { rules: [{ kind }] })).json();
    return { number, revoke: () => sql`delete from api_keys where key_hash = ${digestOf(key)}`.execute(t.deps.db) };
  };
  const first = await planOfNewKey('shortest_path');
  await choose(first.number, 'h:1', 1);
  expect((await plan(owner.key)).rules).not.toEqual([{ kind: 'shortest_path' }]);
  await first.revoke();
  expect((await plan(owner.key)).rules).toEqual([{ kind: 'shortest_path' }]);
  expect(await choices()).toEqual(['h:1 1']);
  const second = await planOfNewKey('oldest');
  await choose(second.number, 'h:1', 2);
  await choose(second.number, 'h:2', 2);
  await second.revoke();
  expect((await plan(owner.key)).rules).toEqual([{ kind: 'shortest_path' }]);
  expect(await choices()).toEqual(['h:1 1', 'h:2 2']);
});
