import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { fireIfDue } from '../../platform/queue/index.ts';
import { exportMaintenance, exportTasks } from '../exports/tasks.ts';
import { scheduleChecks } from './checks.ts';
import { reportSchedules } from './index.ts';
import { scheduleTasks } from './tasks.ts';

let t: TestApp;
let photos: string;
let films: string;
let hook: Server;
let mail: SMTPServer;
let webhook: string;
let mailbox: string;
const posts: Record<string, unknown>[] = [];
const mails: string[] = [];
/** Status codes of the next answers of the webhook; 200 when empty. */
const answers: number[] = [];

beforeAll(async () => {
  t = await createTestApp({
    SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    SVC_PUBLIC_BASE_URL: 'https://catalog.example',
    SVC_REPORT_EMAIL_MAX_BYTES: '800',
  });
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: '/media/photos' });
  films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
  await addItem(t.deps, photos, 'one.jpg', { size: 500 });
  await addItem(t.deps, films, 'two.mov', { size: 900 });
  hook = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const status = answers.shift() ?? 200;
      if (status === 200) posts.push(JSON.parse(text));
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        mails.push(text);
        done();
      });
    },
  });
  await new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve));
  webhook = await addChannel('Hook', 'webhook', { url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` });
  const { port } = mail.server.address() as AddressInfo;
  mailbox = await addChannel('Post', 'smtp', {
    host: '127.0.0.1',
    port,
    security: 'plain',
    allow_insecure: true,
    from_addr: 'catalog@example.org',
    to: ['ada@example.org'],
  });
});
afterAll(async () => {
  hook.close();
  await new Promise<void>((resolve) => mail.close(() => resolve()));
  await t.close();
});
beforeEach(() => {
  posts.length = 0;
  mails.length = 0;
  answers.length = 0;
});

async function addChannel(name: string, type: string, config: Record<string, unknown>): Promise<string> {
  const response = await t.request('POST', '/alert-channels', { name, type, config });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().id;
}

let names = 0;
async function addSchedule(fields: Record<string, unknown>, as: string = 'write'): Promise<string> {
  names += 1;
  const body = { name: `Schedule ${names}`, canned_report_key: 'largest_files', cron: '0 6 * * 1', ...fields };
  const response = await t.request('POST', '/report-schedules', body, { as });
  expect(response.statusCode, response.body).toBe(201);
  return response.json().id;
}

/** Performs the waiting jobs of schedules and exports like a worker; a job that is rescheduled is performed again by the next call. */
async function work(): Promise<void> {
  for (const task of [...scheduleTasks(t.deps), ...exportTasks(t.deps)]) {
    const { rows } = await sql<{
      id: string;
      payload: never;
    }>`select id, payload from jobs where task = ${task.name} and state = 'todo' order by id`.execute(t.deps.db);
    for (const job of rows) {
      try {
        await performTask(t.deps, task, job.payload, { jobId: job.id });
      } catch (error) {
        if ('seconds' in (error as object)) continue;
        throw error;
      }
      await sql`update jobs set state = 'succeeded' where id = ${job.id}`.execute(t.deps.db);
    }
  }
}

async function runNow(id: string, as: string = 'write') {
  const started = await t.request('POST', `/report-schedules/${id}/run`, undefined, { as });
  expect(started.statusCode, started.body).toBe(202);
  for (let n = 0; n < 4; n += 1) await work();
  return (await runs(id, as))[0]!;
}
const runs = async (id: string, as: string = 'write') =>
  (await t.request('GET', `/report-schedules/${id}/runs`, undefined, { as })).json().runs as {
    state: string;
    detail: string | null;
    row_count: number;
    export_id: string;
    deliveries: { state: string; attempts: number; last_error: string | null }[];
  }[];

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
  const id = await addSchedule({ name: 'Twice' });
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

test('a run makes the report, sends it through every channel and is kept in the history', async () => {
  const id = await addSchedule({ channel_ids: [webhook, mailbox], format: 'csv' });
  const run = await runNow(id);
  expect(run).toMatchObject({ state: 'delivered', row_count: 2, deliveries: [{ state: 'delivered' }, { state: 'delivered' }] });
  expect(JSON.stringify(posts[0])).toContain(`https://catalog.example/api/v1/exports/${run.export_id}/download`);
  expect(posts[0]).toMatchObject({ event_type: 'scheduled_report' });
  // Small enough: the file is attached.
  expect(mails[0]).toContain('Content-Disposition: attachment');
  expect((await t.request('GET', `/report-schedules/${id}`, undefined, { as: 'write' })).json()).toMatchObject({
    last_run: { state: 'delivered' },
    next_run_at: expect.any(String),
  });
  expect((await t.request('GET', `/exports/${run.export_id}`, undefined, { as: 'write' })).json()).toMatchObject({
    triggered_by: 'schedule',
    delivery_status: 'delivered',
  });
});

test('a file above the limit is sent as a link', async () => {
  for (let n = 0; n < 30; n += 1) await addItem(t.deps, films, `many/${n}.mov`, { size: 2 });
  const id = await addSchedule({ channel_ids: [mailbox], canned_report_key: 'largest_files' });
  const { export_id } = await runNow(id);
  expect(mails[0]).not.toContain('Content-Disposition: attachment');
  expect(mails[0]?.replace(/=\r?\n/g, '')).toContain(export_id);
  await sql`delete from items where rel_path like 'many/%'`.execute(t.deps.db);
});

test('nothing is sent when the report has no rows, if the schedule says so', async () => {
  const id = await addSchedule({ canned_report_key: 'empty_files', only_if_rows: true, channel_ids: [webhook] });
  expect(await runNow(id)).toMatchObject({ state: 'skipped', detail: 'The report has no rows.' });
  expect(posts).toEqual([]);
});

test('only what changed since the last delivery is sent', async () => {
  const id = await addSchedule({ only_changes: true, channel_ids: [webhook], format: 'ndjson' });
  expect(await runNow(id)).toMatchObject({ state: 'delivered', row_count: 2 });
  expect(await runNow(id)).toMatchObject({ state: 'skipped', detail: 'Nothing has changed since the last time.' });
  await addItem(t.deps, photos, 'new.jpg', { size: 700 });
  // The receiver rejects it for good, so the next run contains the row again.
  answers.push(410);
  expect(await runNow(id)).toMatchObject({ state: 'failed', row_count: 1 });
  const run = await runNow(id);
  expect(run).toMatchObject({ state: 'delivered', row_count: 1 });
  const file = readFileSync(path.join(t.configDir, 'exports', run.export_id), 'utf8');
  expect(file).toContain('new.jpg');
  expect(file).not.toContain('one.jpg');
});

test('what changed since the last delivery includes rows that are gone', async () => {
  const shelf = await addLibrary(t.deps, { name: 'Shelf', root_path: '/media/shelf' });
  const ids = new Map<string, string>();
  for (const name of ['stays.jpg', 'grows.jpg', 'goes.jpg']) ids.set(name, await addItem(t.deps, shelf, name, { size: 10 }));
  const id = await addSchedule({ only_changes: true, channel_ids: [webhook], format: 'ndjson', params: { library_id: shelf } });
  const linesOf = async () => {
    const { export_id, state } = await runNow(id);
    expect(state).toBe('delivered');
    const text = readFileSync(path.join(t.configDir, 'exports', export_id), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { row_change: string; rel_path: string });
    return lines.map(({ row_change, rel_path }) => `${row_change} ${rel_path}`).sort();
  };
  expect(await linesOf()).toEqual(['new goes.jpg', 'new grows.jpg', 'new stays.jpg']);
  await sql`update items set size = 11 where id = ${ids.get('grows.jpg')}`.execute(t.deps.db);
  await sql`update items set status = 'missing', deleted_at = now() where id = ${ids.get('goes.jpg')}`.execute(t.deps.db);
  await addItem(t.deps, shelf, 'comes.jpg', { size: 10 });
  expect(await linesOf()).toEqual(['changed grows.jpg', 'gone goes.jpg', 'new comes.jpg']);
  expect(await runNow(id)).toMatchObject({ state: 'skipped' });
  // Files from which no later run is told are removed.
  const purge = exportMaintenance(t.deps).find(({ key }) => key === 'purge_exports')!;
  await performTask(t.deps, purge.task, {});
  const { rows } = await sql<{ export_id: string }>`select export_id from export_digests where schedule_id = ${id}`.execute(t.deps.db);
  expect(rows).toHaveLength(1);
  await sql`delete from items where library_id = ${shelf}`.execute(t.deps.db);
});

test('rows of another report or with other filters are not compared', async () => {
  const [first, second] = await Promise.all(['Attic', 'Cellar'].map((name) => addLibrary(t.deps, { name, root_path: `/media/${name}` })));
  await addItem(t.deps, first!, 'one.jpg', { size: 10 });
  await addItem(t.deps, second!, 'two.jpg', { size: 0 });
  const id = await addSchedule({ only_changes: true, format: 'ndjson', params: { library_id: first } });
  const changesOf = async (patch: Record<string, unknown>) => {
    expect((await t.request('PATCH', `/report-schedules/${id}`, patch, { as: 'write' })).statusCode).toBe(200);
    const { export_id } = await runNow(id);
    const lines = readFileSync(path.join(t.configDir, 'exports', export_id), 'utf8')
      .trim()
      .split('\n');
    return lines.map((line) => JSON.parse(line)).map(({ row_change, rel_path }) => `${row_change} ${rel_path}`);
  };
  expect(await changesOf({})).toEqual(['new one.jpg']);
  expect(await changesOf({ params: { library_id: second } })).toEqual(['new two.jpg']);
  expect(await changesOf({ canned_report_key: 'empty_files' })).toEqual(['new two.jpg']);
  await sql`delete from items where library_id in (${first}, ${second})`.execute(t.deps.db);
});

test('a channel that has the changes does not receive them again because another one failed', async () => {
  const id = await addSchedule({ only_changes: true, channel_ids: [webhook, mailbox] });
  answers.push(404);
  expect(await runNow(id)).toMatchObject({ state: 'failed', deliveries: [{ state: 'failed' }, { state: 'delivered' }] });
  expect(mails).toHaveLength(1);
  expect(await runNow(id)).toMatchObject({ state: 'skipped', detail: 'Nothing has changed since the last time.' });
  expect(mails).toHaveLength(1);
});

test('an aborted job ends its run, so that the next one can start', async () => {
  const id = await addSchedule({});
  expect((await t.request('POST', `/report-schedules/${id}/run`, undefined, { as: 'write' })).statusCode).toBe(202);
  const { rows } = await sql<{ job_id: string }>`select job_id from schedule_runs where schedule_id = ${id}`.execute(t.deps.db);
  expect((await t.request('POST', `/system/jobs/${rows[0]!.job_id}/abort`)).statusCode).toBe(200);
  expect(await runs(id)).toMatchObject([{ state: 'failed', detail: 'Aborted on request.' }]);
  expect(await runNow(id)).toMatchObject({ state: 'stored' });
});

test('a row that the owner may no longer see is not told as gone', async () => {
  const shelf = await addLibrary(t.deps, { name: 'Drawer', root_path: '/media/drawer' });
  await addItem(t.deps, shelf, 'open/one.jpg');
  await addItem(t.deps, shelf, 'closed/two.jpg');
  const { id: person, key } = await addPerson(
    t.deps,
    ['open', 'closed'].flatMap((folder) => [
      [shelf, folder, 'search_metadata'],
      [shelf, folder, 'download'],
    ]) as Parameters<typeof addPerson>[1],
  );
  const id = await addSchedule({ only_changes: true, params: { library_id: shelf } }, key);
  expect(await runNow(id, key)).toMatchObject({ state: 'stored', row_count: 2 });
  await sql`delete from grants where principal_id = ${person} and rel_path = 'closed'`.execute(t.deps.db);
  expect(await runNow(id, key)).toMatchObject({ state: 'skipped', row_count: 0 });
  await sql`delete from items where library_id = ${shelf} and rel_path = 'open/one.jpg'`.execute(t.deps.db);
  expect(await runNow(id, key)).toMatchObject({ state: 'stored', row_count: 1 });
});

test('a failed delivery is retried, and the last failure raises an event', async () => {
  const id = await addSchedule({ channel_ids: [webhook] });
  answers.push(503);
  expect((await runNow(id)).deliveries).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  answers.push(400);
  expect(await runNow(id)).toMatchObject({ state: 'failed', deliveries: [{ state: 'failed', attempts: 1 }] });
  const { rows } = await sql<{
    subject: string;
  }>`select subject from system_events where kind = 'report_delivery_failed' order by id desc limit 1`.execute(t.deps.db);
  expect(rows).toEqual([{ subject: id }]);
  await t.request('PATCH', `/alert-channels/${webhook}`, { enabled: false });
  expect(await runNow(id)).toMatchObject({ state: 'failed', deliveries: [{ state: 'skipped' }] });
  await t.request('PATCH', `/alert-channels/${webhook}`, { enabled: true });
});

test('a scheduled report has the rights that its owner has when it runs', async () => {
  const { id: person, key } = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, '', 'download'],
    [films, '', 'search_metadata'],
    [films, '', 'download'],
  ]);
  const id = await addSchedule({}, key);
  expect(await runNow(id, key)).toMatchObject({ state: 'stored', row_count: 3 });
  await sql`delete from grants where principal_id = ${person} and library_id = ${films}`.execute(t.deps.db);
  expect(await runNow(id, key)).toMatchObject({ row_count: 2 });
  // Started by an administrator, it still has the rights of its owner.
  expect(await runNow(id, 'admin')).toMatchObject({ row_count: 2 });
  expect((await t.request('PATCH', `/report-schedules/${id}`, { canned_report_key: 'kinds' })).json().code).toBe('action_denied');
  const other = await addPerson(t.deps, [[photos, '', 'search_metadata']]);
  expect((await t.request('GET', `/report-schedules/${id}`, undefined, { as: other.key })).statusCode).toBe(404);
  expect((await t.request('GET', '/report-schedules', undefined, { as: other.key })).json()).toEqual([]);
  await sql`delete from grants where principal_id = ${person}`.execute(t.deps.db);
  expect(await runNow(id, key)).toMatchObject({ state: 'failed', detail: expect.stringContaining('download') });
  await sql`update principals set disabled = true where id = ${person}`.execute(t.deps.db);
  expect(await runNow(id, 'admin')).toMatchObject({ state: 'failed', detail: expect.stringContaining('no longer exists') });
});

test('it fires once per occurrence, not while it runs, and not in maintenance mode', async () => {
  const id = await addSchedule({ cron: '* * * * *' });
  const own = async () => (await reportSchedules(t.deps.db)).find(({ key }) => key.endsWith(id))!;
  const at = (minute: number) => ({ now: () => new Date(Date.UTC(2030, 0, 1, 0, minute, 1)) });
  expect(await fireIfDue(t.deps.db, await own(), at(0))).toBeNull();
  expect(await fireIfDue(t.deps.db, await own(), at(1))).not.toBeNull();
  expect(await fireIfDue(t.deps.db, await own(), at(1))).toBeNull();
  expect(await fireIfDue(t.deps.db, await own(), at(2))).not.toBeNull();
  expect(await runs(id)).toHaveLength(1);
  expect((await t.request('POST', `/report-schedules/${id}/run`, undefined, { as: 'write' })).json().code).toBe('schedule_running');
  await t.request('POST', '/system/maintenance-mode', { active: true });
  expect(await reportSchedules(t.deps.db)).toEqual([]);
  await t.request('POST', '/system/maintenance-mode', { active: false });
  await t.request('PATCH', `/report-schedules/${id}`, { enabled: false }, { as: 'write' });
  expect(await own()).toBeUndefined();
  for (let n = 0; n < 4; n += 1) await work();
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
  const theirs = await addSchedule({ ...source, name: 'Bob’s Monday' }, bob.key);
  const refused = (await remove(ann.key)).json();
  expect(refused).toMatchObject({ status: 409, code: 'report_in_use', detail: expect.stringContaining('of other people (1)') });
  expect(JSON.stringify(refused)).not.toContain('Monday');
  const mine = await addSchedule({ ...source, name: 'My Tuesday' }, ann.key);
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
    const id = await addSchedule({ canned_report_key, params });
    expect((await t.request('GET', `/report-schedules/${id}`)).json().params).toEqual(params);
    const { export_id } = await runNow(id);
    expect((await t.request('GET', `/exports/${export_id}`, undefined, { as: 'write' })).json()).toMatchObject({ status: 'complete' });
    const { rows } = await sql<{ source: unknown }>`select source from exports where id = ${export_id}`.execute(t.deps.db);
    expect(rows[0]?.source).toMatchObject({ kind: 'report', id: canned_report_key, params });
  }
});
