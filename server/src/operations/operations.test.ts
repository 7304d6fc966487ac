import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../test/catalog-rows.ts';
import { performTask } from '../../test/perform.ts';
import { maintenanceTasks } from '../assembly/maintenance.ts';
import { createDatabaseSink, createLog } from '../platform/log/index.ts';
import { defineTask, enqueue, fireIfDue, purgeJobs } from '../platform/queue/index.ts';
import { maintenanceSchedules } from './maintenance/index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
const task = defineTask({
  name: 'weigh',
  queue: 'exports',
  payload: Type.Object({ library_id: Type.String(), rel_path: Type.String() }),
  attempts: 1,
  perform: async () => {},
});
const add = async (lock?: string) =>
  (await enqueue(t.deps.db, task, { library_id: 'x', rel_path: 'secret/plan.pdf' }, lock ? { lock } : {}))!;
const fail = (id: string) =>
  sql`update jobs set state = 'failed', finished_at = now(), error = 'It broke.', traceback = 'at line 1' where id = ${id}`.execute(
    t.deps.db,
  );

describe('jobs over HTTP', () => {
  test('GET /system/jobs filters by state, queue and task and pages', async () => {
    const ids = [await add(), await add(), await add()];
    const first = (await t.request('GET', '/system/jobs?queue=exports&task=weigh&state=todo&limit=2')).json();
    expect(first).toMatchObject({ total: 3, limit: 2 });
    const second = (await t.request('GET', `/system/jobs?queue=exports&limit=2&cursor=${first.next_cursor}`)).json();
    expect([...first.items, ...second.items].map((job: { id: string }) => job.id)).toEqual(ids.reverse());
    expect(second.next_cursor).toBeNull();
    expect((await t.request('GET', '/system/jobs?state=failed&queue=exports')).json().items).toEqual([]);
    for (const bad of ['state=sleeping', 'limit=0', 'limit=900', 'cursor=x'])
      expect((await t.request('GET', `/system/jobs?${bad}`)).statusCode, bad).toBe(422);
  });

  test('GET /system/jobs/summary feeds a dashboard in one request', async () => {
    const library = await addLibrary(t.deps);
    await sql`insert into scan_runs (library_id, status, trigger, started_at, finished_at, stats)
      values (${library}, 'finished', 'manual', now() - interval '20 seconds', now(), '{"seen": 600, "bytes_seen": 4000}')`.execute(
      t.deps.db,
    );
    await t.request('POST', '/system/jobs/priority', { queue: 'exports', priority: 7 });
    const due = await Promise.all(
      (['active', 'missing', 'trashed'] as const).map((status) => addItem(t.deps, library, `${status}.jpg`, { status })),
    );
    // Nothing is drawn of a file that is not there or was put aside.
    await sql`insert into thumbs_due select unnest(${due}::uuid[])`.execute(t.deps.db);
    const summary = (await t.request('GET', '/system/jobs/summary')).json();
    expect(summary).toMatchObject({
      extract: { waiting: 0, running: 0 },
      thumbs: { waiting: 1 },
      scans_running: 0,
      scan_throughput: {
        window_days: 7,
        runs: 1,
        files: 600,
        files_per_min: expect.closeTo(1800, -2),
        bytes_per_s: expect.closeTo(200, -1),
      },
      staged_pipeline: expect.any(Boolean),
      disk: { status: expect.any(String), low: expect.any(Array) },
      resources: {
        cpu: { cores: expect.any(Number) },
        io: { read_bytes: expect.any(Number), write_bytes: expect.any(Number) },
        net: { rx_bytes: expect.any(Number), tx_bytes: expect.any(Number) },
        database: { max_connections: expect.any(Number) },
      },
    });
    expect(summary.priorities.exports).toEqual([{ priority: 7, waiting: 3 }]);
    expect(summary.upcoming.filter(({ queue }: { queue: string }) => queue === 'exports')).toHaveLength(3);
    expect((await t.request('GET', '/system/jobs/summary', undefined, { as: 'read' })).json().scan_throughput).toBeNull();
    await sql`delete from scan_runs`.execute(t.deps.db);
  });

  test('a scan whose waiting job is aborted is stopped at once, not failed later', async () => {
    const library = await addLibrary(t.deps);
    const { scan_id, job_id } = (await t.request('POST', `/libraries/${library}/scan`)).json();
    expect((await t.request('POST', `/system/jobs/${job_id}/abort`)).json()).toMatchObject({ state: 'failed', abort_requested: true });
    expect((await t.request('GET', `/scans/${scan_id}`)).json()).toMatchObject({ status: 'stopped', error: null });
    await sql`delete from scan_runs`.execute(t.deps.db);
    await sql`delete from jobs where id = ${job_id}`.execute(t.deps.db);
  });

  test('a waiting job is aborted, a failed one retried and deleted; each rejection has a reason', async () => {
    const id = await add('one at a time');
    expect((await t.request('POST', `/system/jobs/${id}/retry`)).json()).toMatchObject({ status: 409, code: 'job_not_failed' });
    expect((await t.request('POST', `/system/jobs/${id}/abort`)).json()).toMatchObject({ state: 'failed', abort_requested: true });
    expect((await t.request('POST', `/system/jobs/${id}/abort`)).json()).toMatchObject({ status: 409, code: 'job_not_running' });
    const holder = await add('one at a time');
    expect((await t.request('POST', `/system/jobs/${id}/retry`)).json()).toMatchObject({ status: 409, code: 'already_queued' });
    await fail(holder);
    expect((await t.request('POST', `/system/jobs/${id}/retry`)).json()).toMatchObject({ state: 'todo', attempts: 0 });
    expect((await t.request('POST', '/system/jobs/clear-failed', { queue: 'exports' })).json()).toEqual({ deleted: 1, queue: 'exports' });
    expect((await t.request('GET', `/system/jobs/${holder}`)).statusCode).toBe(404);
  });

  test('without admin, jobs are listed without paths and errors', async () => {
    const id = await add();
    await fail(id);
    const [shown] = (await t.request('GET', '/system/jobs?state=failed', undefined, { as: 'read' })).json().items;
    expect(shown).toMatchObject({ id, traceback: null, lock: null, args: { library_id: 'x' } });
    expect(JSON.stringify(shown)).not.toContain('plan.pdf');
    expect((await t.request('GET', `/system/jobs/${id}`)).json()).toMatchObject({
      traceback: 'at line 1',
      args: { rel_path: 'secret/plan.pdf' },
    });
  });

  test('a person learns of a job which library it works on only if they see anything of that library', async () => {
    const [seen, hidden] = [await addLibrary(t.deps), await addLibrary(t.deps)];
    const { key } = await addPerson(t.deps, [[seen, 'a', 'search_metadata']]);
    const jobs = [seen, hidden].map((library_id) =>
      enqueue(t.deps.db, task, { library_id, rel_path: 'x' }, { lock: `weigh:${library_id}` }),
    );
    const [ofSeen, ofHidden] = await Promise.all(jobs);
    await sql`update jobs set state = 'doing', started_at = now(), heartbeat_at = now(), worker_id = uuidv7() where id = any(${[ofSeen, ofHidden]}::uuid[])`.execute(
      t.deps.db,
    );
    for (const url of ['/system/jobs', '/system/jobs/running', '/system/jobs/summary', `/system/jobs/${ofHidden}`]) {
      const { body } = await t.request('GET', url, undefined, { as: key });
      expect(body, url).not.toContain(hidden);
    }
    expect((await t.request('GET', `/system/jobs/${ofSeen}`, undefined, { as: key })).json().args).toEqual({ library_id: seen });
    await sql`delete from jobs where id = any(${[ofSeen, ofHidden]}::uuid[])`.execute(t.deps.db);
  });

  test('GET /system/jobs/reap requeues jobs of lost workers and counts reconciled scan runs', async () => {
    const id = await add();
    await sql`update jobs set state = 'doing', started_at = now() - interval '2 minutes', heartbeat_at = now() - interval '1 minute', worker_id = uuidv7() where id = ${id}`.execute(
      t.deps.db,
    );
    const library = (await sql<{ id: string }>`insert into libraries (name, root_path) values ('L', '/l') returning id`.execute(t.deps.db))
      .rows[0]!.id;
    await sql`insert into scan_runs (library_id, status, started_at, heartbeat_at) values (${library}, 'running', now() - interval '1 hour', now() - interval '1 hour'), (${library}, 'stopping', now() - interval '1 hour', now() - interval '1 hour')`.execute(
      t.deps.db,
    );
    expect((await t.request('GET', '/system/jobs/reap')).json()).toMatchObject({ requeued: 1, failed: 0, scan_runs_reconciled: 2 });
    const runs = (await sql<{ status: string }>`select status from scan_runs order by id`.execute(t.deps.db)).rows.map((run) => run.status);
    expect(runs).toEqual(['failed', 'stopped']);
    expect((await t.request('GET', '/system/jobs/summary')).json().queues.exports.todo).toBeGreaterThan(0);
  });
});

test('jobs/priority changes the waiting jobs of one queue and no others', async () => {
  const { db } = t.deps;
  await sql`insert into jobs (queue, task, payload, state, max_attempts) values
    ('thumbs', 'none', '{}', 'todo', 1), ('thumbs', 'none', '{}', 'failed', 1), ('embed', 'none', '{}', 'todo', 1)`.execute(db);
  const answer = await t.request('POST', '/system/jobs/priority', { queue: 'thumbs', priority: 42, scope: 'pending' });
  expect(answer.json()).toEqual({ queue: 'thumbs', priority: 42, updated: 1 });
  const { rows } = await sql`select queue, state from jobs where priority = 42`.execute(db);
  expect(rows).toEqual([{ queue: 'thumbs', state: 'todo' }]);
  expect((await t.request('POST', '/system/jobs/priority', { queue: 'thumbs', priority: 101 })).statusCode).toBe(422);
  expect((await t.request('POST', '/system/jobs/priority', { queue: 'nothing', priority: 1 })).statusCode).toBe(422);
  await sql`delete from jobs where task = 'none'`.execute(db);
});

describe('maintenance', () => {
  test('a task fires at its new time even if that comes at once', async () => {
    const { db } = t.deps;
    const soon = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 60_000);
    const change = (fields: object) => t.request('PATCH', '/system/maintenance/purge_app_logs', fields);
    const fire = async () => {
      const schedule = (await maintenanceSchedules(db, maintenanceTasks(t.deps))).find(({ key }) => key === 'purge_app_logs')!;
      return fireIfDue(db, schedule, { now: () => new Date(soon.getTime() + 5_000) });
    };
    await change({ cron: `${soon.getUTCMinutes()} ${soon.getUTCHours()} * * *` });
    expect(await fire()).toEqual(soon);
    await change({ enabled: false });
    await change({ enabled: true });
    expect(await fire()).toEqual(soon);
    await change({ cron: null });
    await sql`delete from jobs where task = 'purge_app_logs'`.execute(db);
  });

  test('a task is rescheduled, disabled, reset and run; fixed ones are read-only; an invalid cron is a 422', async () => {
    const { tasks } = (await t.request('GET', '/system/maintenance')).json();
    expect(tasks.find((each: { key: string }) => each.key === 'compact_meili')).toMatchObject({
      cron: '0 6 * * 0',
      enabled: true,
      editable: true,
      overridden: false,
    });
    expect((await t.request('PATCH', '/system/maintenance/purge_app_logs', { cron: '5 5 * * *' })).json()).toMatchObject({
      cron: '5 5 * * *',
      overridden: true,
      default_cron: '35 4 * * *',
    });
    expect((await t.request('PATCH', '/system/maintenance/purge_app_logs', { enabled: false })).json()).toMatchObject({
      enabled: false,
      next_run_at: null,
    });
    expect((await t.request('PATCH', '/system/maintenance/purge_app_logs', { cron: null, enabled: true })).json()).toMatchObject({
      cron: '35 4 * * *',
      overridden: false,
      enabled: true,
    });
    expect((await t.request('PATCH', '/system/maintenance/purge_app_logs', { cron: '61 * * * *' })).json()).toMatchObject({ status: 422 });
    expect((await t.request('PATCH', '/system/maintenance/reap_stalled_jobs', { enabled: false })).statusCode).toBe(409);
    expect((await t.request('GET', '/system/maintenance/nothing')).statusCode).toBe(404);
    expect((await t.request('POST', '/system/maintenance/purge_app_logs/run')).statusCode).toBe(202);
    expect((await t.request('POST', '/system/maintenance/purge_app_logs/run')).json()).toMatchObject({
      status: 409,
      code: 'already_queued',
    });
    expect((await t.request('GET', '/system/maintenance/purge_app_logs')).json().last_run).toMatchObject({ status: 'todo' });
  });

  test('the last run of a task stays known after its job is purged or cleared', async () => {
    const { db } = t.deps;
    const lastRun = async (task: string) => (await t.request('GET', `/system/maintenance/${task}`)).json().last_run;
    const { job_id } = (await t.request('POST', '/system/maintenance/compact_meili/run')).json();
    await sql`update jobs set state = 'succeeded', started_at = now() - interval '3 days 4 seconds', finished_at = now() - interval '3 days' where id = ${job_id}`.execute(
      db,
    );
    expect(await purgeJobs(db, { failedDays: 14 })).toMatchObject({ succeeded: 1 });
    expect(await lastRun('compact_meili')).toMatchObject({ job_id, status: 'succeeded', duration_seconds: 4 });
    const next = (await t.request('POST', '/system/maintenance/compact_meili/run')).json().job_id;
    expect(await lastRun('compact_meili')).toMatchObject({ job_id: next, status: 'todo' });
    await fail(next);
    await t.request('POST', '/system/jobs/clear-failed', {});
    expect(await lastRun('compact_meili')).toMatchObject({ job_id: next, status: 'failed' });
  });

  test('the outcome of every run is kept in words, also after its job is purged; a failure is explained to administrators only', async () => {
    const { db } = t.deps;
    const outcome = async (as = 'admin') =>
      (await t.request('GET', '/system/maintenance/purge_app_logs', undefined, { as })).json().last_run.outcome;
    await sql`delete from jobs where task = 'purge_app_logs'`.execute(db);
    const { job_id } = (await t.request('POST', '/system/maintenance/purge_app_logs/run')).json();
    expect(await outcome()).toBeNull();
    await sql`insert into app_logs (ts, level, source, logger, message) values (now() - interval '90 days', 'info', 'app', 'x', 'old')`.execute(
      db,
    );
    const task = maintenanceTasks(t.deps).find(({ key }) => key === 'purge_app_logs')!.task;
    const finish = async (state: 'succeeded' | 'failed', error: string | null) => {
      const reported: Record<string, unknown>[] = [];
      await performTask(t.deps, task, {}, { progress: (value) => void reported.push(value) });
      await sql`update jobs set state = ${state}, error = ${error}, progress = ${JSON.stringify(reported.at(-1) ?? null)}::jsonb,
        started_at = now() - interval '3 days', finished_at = now() - interval '3 days' where id = ${job_id}`.execute(db);
    };
    await finish('succeeded', null);
    expect(await outcome()).toBe('Expired 1.');
    await finish('succeeded', null);
    expect(await outcome()).toBe('Nothing to do.');
    await purgeJobs(db, { failedDays: 14 });
    expect(await outcome()).toBe('Nothing to do.');
    await sql`update last_runs set state = 'failed', error = 'Cannot read /secret/file.' where job_id = ${job_id}`.execute(db);
    expect([await outcome(), await outcome('read')]).toEqual([
      'Cannot read /secret/file.',
      'The run failed. Ask an administrator for the reason.',
    ]);
  });

  test('a task that is switched off by a setting is not started, and says what to set', async () => {
    expect((await t.request('POST', '/system/maintenance/content_sniff/run')).json()).toMatchObject({
      status: 409,
      detail: expect.stringContaining('SVC_CONTENT_SNIFF_ENABLED'),
    });
    expect((await t.request('GET', '/system/maintenance/content_sniff')).json()).toMatchObject({
      runnable: false,
      next_run_at: null,
      gate: { enabled: false, reason: expect.stringContaining('SVC_CONTENT_SNIFF_ENABLED') },
    });
    expect((await t.request('GET', '/system/maintenance/purge_app_logs')).json().gate).toBeNull();
  });

  test('in maintenance mode no next run is shown for a task that will not run', async () => {
    const next = async (task: string) => (await t.request('GET', `/system/maintenance/${task}`)).json().next_run_at;
    expect(await next('purge_app_logs')).not.toBeNull();
    await t.request('POST', '/system/maintenance-mode', { active: true });
    expect([await next('purge_app_logs'), await next('monitor_disk')]).toEqual([null, expect.any(String)]);
    await t.request('POST', '/system/maintenance-mode', { active: false });
    await sql`delete from security_events where event_type = 'maintenance_mode_changed'`.execute(t.deps.db);
  });

  test('maintenance mode survives restarts and ends only on request', async () => {
    expect((await t.request('GET', '/system/maintenance-mode')).json()).toEqual({ active: false, reason: null, started_at: null });
    expect((await t.request('POST', '/system/maintenance-mode', { active: true, reason: 'new disks' })).json()).toMatchObject({
      active: true,
      reason: 'new disks',
    });
    expect((await t.request('GET', '/system/maintenance-mode', undefined, { as: 'read' })).json()).toMatchObject({ active: true });
    expect((await t.request('POST', '/system/maintenance-mode', { active: false }, { as: 'write' })).statusCode).toBe(403);
    expect((await t.request('POST', '/system/maintenance-mode', { active: false })).json().active).toBe(false);
    expect((await t.request('GET', '/audit?event_type=maintenance_mode_changed')).json().events).toHaveLength(2);
  });
});

test('GET /system/logs filters by level, source and words and pages backwards; error rows carry a traceback', async () => {
  const sink = createDatabaseSink({ db: t.deps.db, source: 'worker', level: 'info', maxRows: 1000 });
  const log = createLog({ name: 'catalog.scan', level: 'debug', sinks: [sink] });
  log.debug('too quiet');
  for (const n of [1, 2, 3]) log.info(`walked ${n}`);
  log.error('broke', { error: new Error('the reason') });
  await sink.close();
  const all = (await t.request('GET', '/system/logs?limit=2')).json();
  expect(all.logs.map((row: { message: string }) => row.message)).toEqual(['broke', 'walked 3']);
  expect(all.logs[0].exc).toContain('the reason');
  const older = (await t.request('GET', `/system/logs?before_id=${all.next_before_id}`)).json();
  expect(older.logs.map((row: { message: string }) => row.message)).toEqual(['walked 2', 'walked 1']);
  expect((await t.request('GET', '/system/logs?min_level=error&source=worker')).json().logs).toHaveLength(1);
  expect((await t.request('GET', '/system/logs?q=WALKED%202')).json().logs).toHaveLength(1);
  expect((await t.request('GET', '/system/logs?source=app')).json().logs).toEqual([]);
});

test('GET /system/about lists versions and tools, reports missing ones, and shows settings to administrators only', async () => {
  const about = (await t.request('GET', '/system/about')).json();
  expect(about.services[0]).toMatchObject({ name: 'PostgreSQL', version: expect.stringMatching(/^18/), error: null });
  expect(about.services[1]).toMatchObject({ name: 'Search engine', detail: 'not ready' });
  expect(about.host_tools.map((tool: { name: string }) => tool.name)).toContain('ffmpeg');
  for (const tool of about.host_tools) expect(tool.present || tool.impact).toBeTruthy();
  expect(about.settings.find((row: { name: string }) => row.name === 'SVC_PORT')).toMatchObject({ value: '8484', source: 'default' });
  expect((await t.request('GET', '/system/about', undefined, { as: 'read' })).json().settings).toEqual([]);
  const packages = about.packages.map((each: { name: string }) => each.name);
  // One package of each part: server, engine or readers, console and manual.
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'sharp', 'react', 'markdown-it']));
  expect(about.embedding).toEqual({
    enabled: false,
    detail: 'Semantic search is off.',
    repository: null,
    file: null,
    cached: false,
    size_bytes: null,
    revision: null,
    downloaded_at: null,
  });
});

test('GET /system/about notices a tool that is installed, updated or removed while the service runs', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tools-'));
  const before = process.env['PATH'];
  const tool = path.join(folder, 'tesseract');
  const shown = async () => {
    const { host_tools } = (await t.request('GET', '/system/about')).json();
    return host_tools.find(({ name }: { name: string }) => name === 'tesseract');
  };
  const install = (version: string) => writeFileSync(tool, `#!/bin/sh\necho tesseract ${version}\n`, { mode: 0o755 });
  try {
    process.env['PATH'] = folder;
    expect(await shown()).toMatchObject({
      present: false,
      verdict: 'missing',
      impact: expect.stringContaining('fast text recognition'),
    });
    install('5.3.0');
    expect(await shown()).toMatchObject({ present: true, version: '5.3.0', path: tool });
    install('3.10.2');
    expect(await shown()).toMatchObject({ version: '3.10.2', verdict: 'old' });
    rmSync(tool);
    expect(await shown()).toMatchObject({ present: false });
  } finally {
    process.env['PATH'] = before;
    rmSync(folder, { recursive: true });
  }
});

test('GET /system/disk reports free space with a status for each path', async () => {
  const { status, paths } = (await t.request('GET', '/system/disk', undefined, { as: 'read' })).json();
  expect(['ok', 'warn', 'critical']).toContain(status);
  expect(paths[0]).toMatchObject({ label: 'config', path: t.configDir });
  expect(paths[0].free + paths[0].used).toBeGreaterThan(0);
});
