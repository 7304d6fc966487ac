import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addItem, addLibrary, addLimitedKey, addPerson } from '../../../test/catalog-rows.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';
import { fireIfDue } from '../../platform/queue/index.ts';
import { scheduleChecks } from './checks.ts';
import { reportSchedules } from './index.ts';
import { createScheduleApp, type ScheduleApp } from './schedules.fixture.ts';

let t: ScheduleApp;
let photos: string;
let films: string;

beforeAll(async () => {
  t = await createScheduleApp();
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: '/media/photos' });
  films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
  await addItem(t.deps, photos, 'one.jpg', { size: 500 });
  await addItem(t.deps, films, 'two.mov', { size: 900 });
});
afterAll(() => t.close());
beforeEach(() => t.forgetMessages());

test('a schedule is checked when it is saved, not at night', async () => {
  const refused = async (body: Record<string, unknown>) => {
    const response = await t.request('POST', '/report-schedules', {
      name: 'Wrong',
      cron: '0 6 * * 1',
      canned_report_key: 'kinds',
      ...body,
    });
    expect(response.statusCode).toBe(422);
    return response.json().errors[0].loc.at(-1);
  };
  expect(await refused({ cron: 'every day' })).toBe('cron');
  expect(await refused({ canned_report_key: 'nothing' })).toBe('canned_report_key');
  expect(await refused({ report_definition_id: photos })).toBe('canned_report_key');
  expect(await refused({ channel_ids: [photos] })).toBe('channel_ids');
  expect(await refused({ params: { threshold_days: 5 } })).toBe('threshold_days');
  const id = await t.addSchedule({ name: 'Twice' });
  expect(
    (await t.request('POST', '/report-schedules', { name: 'twice', cron: '0 6 * * 1', canned_report_key: 'kinds' }, { as: 'write' })).json()
      .code,
  ).toBe('name_taken');
  expect((await t.request('DELETE', `/report-schedules/${id}`, undefined, { as: 'write' })).statusCode).toBe(204);
});

test('the next times of a cron expression can be previewed', async () => {
  const { times } = (await t.request('GET', `/report-schedules/next?cron=${encodeURIComponent('30 6 * * 1')}&count=3`)).json();
  expect(times).toHaveLength(3);
  for (const time of times) {
    expect(new Date(time).getUTCDay()).toBe(1);
    expect(time).toContain('T06:30:00');
  }
  expect((await t.request('GET', '/report-schedules/next?cron=61%20*%20*%20*%20*')).statusCode).toBe(422);
});

test('an occurrence right after a schedule was saved fires, although no worker has seen the schedule yet', async () => {
  const soon = new Date(Math.floor(Date.now() / 60_000) * 60_000 + 120_000);
  const cron = (time: Date) => `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
  const fire = async (id: string, at: Date) => {
    const schedule = (await reportSchedules(t.deps.db)).find(({ key }) => key.endsWith(id))!;
    return fireIfDue(t.deps.db, schedule, { now: () => new Date(at.getTime() + 5_000) });
  };
  const id = await t.addSchedule({ cron: cron(soon) });
  expect(await fire(id, soon)).toEqual(soon);
  const later = new Date(soon.getTime() + 60_000);
  expect((await t.request('PATCH', `/report-schedules/${id}`, { cron: cron(later) }, { as: 'write' })).statusCode).toBe(200);
  expect(await fire(id, later)).toEqual(later);
});

test('nothing is sent when the report has no rows, if the schedule says so', async () => {
  const id = await t.addSchedule({ canned_report_key: 'empty_files', only_if_rows: true, channel_ids: [t.webhook] });
  expect(await t.runNow(id)).toMatchObject({ state: 'skipped', detail: 'The report has no rows.' });
  expect(t.posts).toEqual([]);
});

test('an aborted job ends its run, so that the next one can start', async () => {
  const id = await t.addSchedule({});
  expect((await t.request('POST', `/report-schedules/${id}/run`, undefined, { as: 'write' })).statusCode).toBe(202);
  const { rows } = await sql<{ job_id: string }>`select job_id from schedule_runs where schedule_id = ${id}`.execute(t.deps.db);
  expect((await t.request('POST', `/system/jobs/${rows[0]!.job_id}/abort`)).statusCode).toBe(200);
  expect(await t.runs(id)).toMatchObject([{ state: 'failed', detail: 'Aborted on request.' }]);
  expect(await t.runNow(id)).toMatchObject({ state: 'stored' });
});

test('a scheduled report has the rights that its owner has when it runs', async () => {
  const { id: person, key } = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, '', 'download'],
    [films, '', 'search_metadata'],
    [films, '', 'download'],
  ]);
  const id = await t.addSchedule({}, key);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'stored', row_count: 2 });
  await sql`delete from grants where principal_id = ${person} and library_id = ${films}`.execute(t.deps.db);
  expect(await t.runNow(id, key)).toMatchObject({ row_count: 1 });
  // Started by an administrator, it still has the rights of its owner.
  expect(await t.runNow(id, 'admin')).toMatchObject({ row_count: 1 });
  expect((await t.request('PATCH', `/report-schedules/${id}`, { canned_report_key: 'kinds' })).json().code).toBe('action_denied');
  const other = await addPerson(t.deps, [[photos, '', 'search_metadata']]);
  expect((await t.request('GET', `/report-schedules/${id}`, undefined, { as: other.key })).statusCode).toBe(404);
  expect((await t.request('GET', '/report-schedules', undefined, { as: other.key })).json()).toEqual([]);
  await sql`delete from grants where principal_id = ${person}`.execute(t.deps.db);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'failed', detail: expect.stringContaining('download') });
  await sql`update principals set disabled = true where id = ${person}`.execute(t.deps.db);
  expect(await t.runNow(id, 'admin')).toMatchObject({ state: 'failed', detail: expect.stringContaining('no longer exists') });
});

test('it fires once per occurrence, not while it runs, and not in maintenance mode', async () => {
  const id = await t.addSchedule({ cron: '* * * * *' });
  const own = async () => (await reportSchedules(t.deps.db)).find(({ key }) => key.endsWith(id))!;
  const at = (minute: number) => ({ now: () => new Date(Date.UTC(2030, 0, 1, 0, minute, 1)) });
  expect(await fireIfDue(t.deps.db, await own(), at(1))).not.toBeNull();
  expect(await fireIfDue(t.deps.db, await own(), at(1))).toBeNull();
  expect(await fireIfDue(t.deps.db, await own(), at(2))).not.toBeNull();
  expect(await t.runs(id)).toHaveLength(1);
  expect((await t.request('POST', `/report-schedules/${id}/run`, undefined, { as: 'write' })).json().code).toBe('schedule_running');
  await t.request('POST', '/system/maintenance-mode', { active: true });
  expect(await reportSchedules(t.deps.db)).toEqual([]);
  await t.request('POST', '/system/maintenance-mode', { active: false });
  await t.request('PATCH', `/report-schedules/${id}`, { enabled: false }, { as: 'write' });
  expect(await own()).toBeUndefined();
  for (let n = 0; n < 4; n += 1) await t.work();
  for (const check of scheduleChecks) expect(await check.run(t.deps)).toEqual([]);
});

test('a custom report that schedules use is not deleted; other people’s schedules are counted, not named', async () => {
  const grants = ['search_metadata', 'download'].map((action): [string, string, string] => [photos, '', action]);
  const ann = await addPerson(t.deps, grants);
  const bob = await addPerson(t.deps, grants);
  const { id } = (
    await t.request('POST', '/custom-reports', { name: 'Shared', columns: ['filename'], shared: true }, { as: ann.key })
  ).json();
  const remove = (as: string) => t.request('DELETE', `/custom-reports/${id}`, undefined, { as });
  const source = { canned_report_key: null, report_definition_id: id };
  const theirs = await t.addSchedule({ ...source, name: 'Bob’s Monday' }, bob.key);
  const refused = (await remove(ann.key)).json();
  expect(refused).toMatchObject({ status: 409, code: 'report_in_use', detail: expect.stringContaining('of other people (1)') });
  expect(JSON.stringify(refused)).not.toContain('Monday');
  const mine = await t.addSchedule({ ...source, name: 'My Tuesday' }, ann.key);
  expect((await remove(ann.key)).json().detail).toMatch(/"My Tuesday".*of other people \(1\)/);
  expect((await remove('admin')).json().detail).toMatch(/"Bob’s Monday", "My Tuesday"/);
  await t.request('POST', '/auth/users', { username: 'chief', password: 'long enough', global_role: 'admin' });
  expect((await t.request('DELETE', `/auth/users/${ann.id}`)).statusCode).toBe(204);
  for (const schedule of [theirs, mine]) {
    expect((await t.request('GET', `/report-schedules/${schedule}`)).json()).toMatchObject({ report_definition_id: id });
    expect((await t.request('DELETE', `/report-schedules/${schedule}`)).statusCode).toBe(204);
  }
  expect((await remove('admin')).statusCode).toBe(204);
});

test('a schedule accepts every filter of its report, and its export has them', async () => {
  const on = '2026-01-31T00:00:00Z';
  const cases: [report: string, params: Record<string, unknown>][] = [
    ['permissions_past_access', { library_id: photos, folder: 'a', principal: 'everyone', on, sort: '-size', limit: 5 }],
    ['permissions_difference', { principal: 'everyone', other_principal: 'uid:0' }],
    ['sensitive_world_readable', { words: 'salary, secret' }],
  ];
  for (const [canned_report_key, params] of cases) {
    const id = await t.addSchedule({ canned_report_key, params });
    expect((await t.request('GET', `/report-schedules/${id}`)).json().params).toEqual(params);
    const { export_id } = await t.runNow(id);
    expect((await t.request('GET', `/exports/${export_id}`, undefined, { as: 'write' })).json()).toMatchObject({ status: 'complete' });
    const { rows } = await sql<{ source: unknown }>`select source from exports where id = ${export_id}`.execute(t.deps.db);
    expect(rows[0]?.source).toMatchObject({ kind: 'report', id: canned_report_key, params });
  }
});

test('a schedule of a limited key runs a private report of its account with the rights of the key', async () => {
  await addItem(t.deps, photos, 'team/three.jpg');
  const actions = ['search_metadata', 'download'].map((action): [string, string, string] => [photos, '', action]);
  const { id: person, key } = await addPerson(t.deps, actions);
  const limited = await addLimitedKey(t.deps, person, 'team');
  const { id: report } = (await t.request('POST', '/custom-reports', { name: 'Private', columns: ['rel_path'] }, { as: key })).json();
  const id = await t.addSchedule({ canned_report_key: null, report_definition_id: report }, key);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'stored', row_count: 2 });
  // As before limited keys had reports of their own: the key could choose any report of its account.
  await sql`update report_schedules set key_id = (select id from api_keys where principal_id = ${person} and path_scope = 'team') where id = ${id}`.execute(
    t.deps.db,
  );
  expect(await t.runNow(id, limited)).toMatchObject({ state: 'stored', row_count: 1 });
  expect((await t.request('GET', `/custom-reports/${report}`, undefined, { as: limited })).statusCode).toBe(404);
  const other = await t.request('POST', `/custom-reports/${report}/export?format=csv`, undefined, { as: limited });
  expect(other.statusCode).toBe(404);
  await sql`delete from items where library_id = ${photos} and rel_path = 'team/three.jpg'`.execute(t.deps.db);
});

test('concurrent changes of different fields of a schedule are all kept', async () => {
  const id = await t.addSchedule({});
  const change = (fields: object) => () => t.request('PATCH', `/report-schedules/${id}`, fields, { as: 'write' });
  await editAtOnce(t.deps.db, { table: 'report_schedules', id }, [
    change({ cron: '30 7 * * 1' }),
    change({ params: { limit: 5 } }),
    change({ only_if_rows: true }),
  ]);
  expect((await t.request('GET', `/report-schedules/${id}`, undefined, { as: 'write' })).json()).toMatchObject({
    cron: '30 7 * * 1',
    params: { limit: 5 },
    only_if_rows: true,
  });
});
