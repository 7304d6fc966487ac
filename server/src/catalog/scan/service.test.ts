import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, databaseForTest } from '../../../test/database.ts';
import type { Database, Db } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import { fireIfDue } from '../../platform/queue/index.ts';
import { diffScans, iterateDiff, purgeScanChanges } from './diff.ts';
import { type ScanEvent, scanEvents } from './events.ts';
import { addLibrary, inline, items, scan, statuses, tree, write } from './library.fixture.ts';
import { performScan, scanDependencies } from './run.ts';
import { createScanRun } from './run-store.ts';
import { forceClearScan, getScan, listScans, reconcileRuns, scanSchedules, startScan, stopScan } from './service.ts';
import { createScanTask } from './tasks.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const task = createScanTask((db) => scanDependencies({ db, ...inline }));
/** Performs a job like the worker of the queue. */
async function perform(db: Db, jobId: string): Promise<void> {
  const { rows } = await sql<{ payload: { library_id: string; scan_run_id: string } }>`
    update jobs set state = 'doing', heartbeat_at = now(), started_at = now() where id = ${jobId} returning payload`.execute(db);
  await task.perform(rows[0]!.payload, {
    db,
    log: silentLog,
    clock: { now: () => new Date() },
    jobId,
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
  });
  await sql`update jobs set state = 'succeeded', finished_at = now() where id = ${jobId}`.execute(db);
}

test('at most one scan of a library is queued or running; a second request joins it and adds its folders', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a/b/1.txt': 'x', 'a/c/2.txt': 'y', 'd.txt': 'z' }));
  const first = await startScan(db, library, { scopes: [{ path: 'a/b', depth: 'tree' }], trigger: 'watch' });
  expect(first).toMatchObject({ status: 'running', already_running: false, job_id: expect.any(String) });
  expect(await startScan(db, library, { scopes: [{ path: 'a/c', depth: 'tree' }], trigger: 'watch' })).toMatchObject({
    scan_id: first.scan_id,
    already_running: true,
  });
  expect(await getScan(db, first.scan_id)).toMatchObject({
    scope: 'a',
    scopes: ['a/b', 'a/c'],
    phase: 'queued',
    stalled: false,
    stalled_since: null,
  });
  await perform(db, first.job_id!);
  expect(await getScan(db, first.scan_id)).toMatchObject({ status: 'finished', seen: 2, new: 2, pruned_files: null });
  expect(Object.keys(await items(db, library))).toEqual(['a/b/1.txt', 'a/c/2.txt']);
});

test('a scan may not leave its library, needs a library, and is refused in maintenance mode', async () => {
  const { db } = await databaseForTest();
  const library = await addLibrary(db, tree());
  await expect(startScan(db, library, { scopes: [{ path: '../x', depth: 'tree' }], trigger: 'manual' })).rejects.toMatchObject({
    code: 'validation_failed',
  });
  await expect(startScan(db, '01890000-0000-7000-8000-000000000009', { trigger: 'manual' })).rejects.toMatchObject({ code: 'not_found' });
  await setMaintenanceMode(db, true, 'test');
  await expect(startScan(db, library, { trigger: 'manual' })).rejects.toMatchObject({ code: 'maintenance_mode' });
});

test('a scoped scan covers only its folder or file; a missing scope changes nothing', async () => {
  const { db } = database;
  const root = tree({ 'a/1.txt': 'x', 'a/deep/2.txt': 'y', 'b/3.txt': 'z', 'ab/4.txt': 'w' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'a/deep/2.txt'));
  rmSync(path.join(root, 'b/3.txt'));
  rmSync(path.join(root, 'ab/4.txt'));
  write(root, { 'a/new.txt': 'n', 'b/new.txt': 'm' });
  expect((await scan(db, library, { scope: 'a' })).stats).toMatchObject({ seen: 2, new: 1, missing: 1 });
  expect(await statuses(db, library)).toEqual({
    'a/1.txt': 'active',
    'a/deep/2.txt': 'missing',
    'a/new.txt': 'active',
    'ab/4.txt': 'active',
    'b/3.txt': 'active',
  });
  expect((await scan(db, library, { scope: 'b/new.txt' })).stats).toMatchObject({ seen: 1, new: 1, missing: 0 });
  expect((await scan(db, library, { scope: 'b/3.txt' })).stats).toMatchObject({ seen: 0, missing: 1 });
  expect(await scan(db, library, { scope: 'nowhere/deep/file.txt' })).toMatchObject({
    status: 'finished',
    stats: { scope_missing: true, missing: 0 },
  });
  // A full scan finds what the scoped scans did not cover.
  expect((await scan(db, library)).stats).toMatchObject({ seen: 3, new: 0, missing: 1 });
});

test('a move seen by two scoped scans is still a move', async () => {
  const { db } = database;
  const root = tree({ 'from/a.txt': 'travels', 'to/': '' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const { id } = (await items(db, library))['from/a.txt']!;
  renameSync(path.join(root, 'from/a.txt'), path.join(root, 'to/a.txt'));
  await scan(db, library, { scope: 'from' });
  expect((await scan(db, library, { scope: 'to' })).stats).toMatchObject({ moved: 1, new: 0 });
  expect((await items(db, library))['to/a.txt']!.id).toBe(id);
});

test('a queued scan is stopped at once; runs of a dead worker are ended before the next is queued', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  const queued = await startScan(db, library, { trigger: 'manual' });
  expect(await stopScan(db, queued.scan_id)).toEqual({ status: 'stopped' });
  await expect(stopScan(db, queued.scan_id)).rejects.toMatchObject({ code: 'scan_ended' });
  const dead = await startScan(db, library, { trigger: 'manual' });
  await sql`update jobs set state = 'failed' where id = ${dead.job_id}`.execute(db);
  const next = await startScan(db, library, { trigger: 'manual' });
  expect(next).toMatchObject({ already_running: false });
  expect(await getScan(db, dead.scan_id)).toMatchObject({ status: 'failed', error_code: 'worker_gone' });
});

test('force-clear is refused while a live worker performs the run, and ends it otherwise', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree());
  const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
  await sql`update jobs set state = 'doing', heartbeat_at = now() where id = ${job_id}`.execute(db);
  await expect(forceClearScan(db, scan_id)).rejects.toMatchObject({ code: 'scan_still_active' });
  expect(await stopScan(db, scan_id)).toEqual({ status: 'stopping' });
  await sql`update jobs set heartbeat_at = now() - interval '10 minutes' where id = ${job_id}`.execute(db);
  expect(await forceClearScan(db, scan_id)).toEqual({ status: 'stopped', previous_status: 'stopping' });
});

test('the reconciler ends orphaned runs after the grace: running is failed, stopping is stopped, a live job is left alone', async () => {
  const { db } = await databaseForTest();
  const libraries = await Promise.all([1, 2, 3, 4].map(() => addLibrary(db, tree())));
  const runs = await Promise.all(libraries.map((library) => startScan(db, library, { trigger: 'manual' })));
  await sql`update jobs set state = 'failed' where id in (${runs[0]!.job_id}, ${runs[1]!.job_id}, ${runs[3]!.job_id})`.execute(db);
  await sql`update scan_runs set status = 'stopping' where id = ${runs[1]!.scan_id}`.execute(db);
  await sql`update scan_runs set started_at = now() - interval '700 seconds', heartbeat_at = now() - interval '700 seconds' where id <> ${runs[3]!.scan_id}`.execute(
    db,
  );
  expect(await reconcileRuns(db, 600)).toBe(2);
  expect(await Promise.all(runs.map(async ({ scan_id }) => (await getScan(db, scan_id)).status))).toEqual([
    'failed',
    'stopped',
    'running',
    'running',
  ]);
});

test('a job retried after its worker died fails the old run and performs a new one', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
  await sql`update scan_runs set phase = 'walking' where id = ${scan_id}`.execute(db);
  await perform(db, job_id!);
  expect(await getScan(db, scan_id)).toMatchObject({ status: 'failed', error_code: 'worker_gone' });
  const page = await listScans(db, { library_id: library });
  expect(page.items.map(({ status }) => status)).toEqual(['finished', 'failed']);
  expect(page).toMatchObject({ total: 2, limit: 50, next_cursor: null });
});

test('runs are listed newest first, by page, library and status', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  for (let index = 0; index < 3; index += 1) await scan(db, library);
  const first = await listScans(db, { library_id: library, limit: 2 });
  const second = await listScans(db, { library_id: library, limit: 2, cursor: first.next_cursor! });
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([2, 1, null]);
  expect(first.items[0]!.started_at >= first.items[1]!.started_at).toBe(true);
  expect((await listScans(db, { library_id: library, status: 'failed' })).total).toBe(0);
});

test('schedules fire once per occurrence, not in maintenance mode, and folders have their own', async () => {
  const { db } = await databaseForTest();
  const library = await addLibrary(db, tree({ 'a/1.txt': 'x' }), { scan_cron: '0 3 * * *' });
  await sql`insert into scan_paths (library_id, rel_path, scan_cron) values (${library}, 'a', '30 * * * *')`.execute(db);
  await addLibrary(db, tree(), { scan_cron: '0 4 * * *', enabled: false });
  const schedules = () => scanSchedules(db, { maxCatchupMinutes: 2880 });
  const at = (time: string) => ({ now: () => new Date(time) });
  expect((await schedules()).map(({ cron }) => cron).sort()).toEqual(['0 3 * * *', '30 * * * *']);
  const [whole] = await schedules();
  expect(await fireIfDue(db, whole!, at('2030-01-01T02:00:00Z'))).toBeNull();
  expect(await fireIfDue(db, whole!, at('2030-01-02T02:59:00Z'))).toEqual(new Date('2030-01-01T03:00:00Z'));
  expect(await fireIfDue(db, whole!, at('2030-01-02T02:59:30Z'))).toBeNull();
  expect((await listScans(db, { library_id: library })).items).toMatchObject([{ trigger: 'schedule', status: 'running', scope: '' }]);
  await setMaintenanceMode(db, true, 'test');
  expect(await schedules()).toEqual([]);
});

test('a scan is followed by its events: progress, then done; a failed one ends in an error', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x' });
  const library = await addLibrary(db, root);
  const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
  const notices = new Set<(payload: string) => void>();
  const subscribe = (_channel: string, notice: (payload: string) => void) => {
    notices.add(notice);
    return () => void notices.delete(notice);
  };
  const events: ScanEvent[] = [];
  const following = (async () => {
    for await (const event of scanEvents(db, scan_id, subscribe, new AbortController().signal)) events.push(event);
  })();
  await perform(db, job_id!);
  for (const notice of notices) notice(scan_id);
  await following;
  expect(events.map(({ event }) => event)).toEqual(['progress', 'done']);
  expect(events.at(-1)!.data).toMatchObject({ id: scan_id, status: 'finished', seen: 1 });
  expect(notices.size).toBe(0);
  rmSync(root, { recursive: true });
  const failed = await scan(db, library);
  const last: ScanEvent[] = [];
  for await (const event of scanEvents(db, failed.id, subscribe, new AbortController().signal)) last.push(event);
  expect(last.at(-1)).toMatchObject({ event: 'error', data: { scan_id: failed.id, detail: expect.stringContaining('does not exist') } });
});

test('two runs are compared: the net of what was added, changed, gone, returned and moved in between', async () => {
  const { db } = database;
  const root = tree({
    'changes.txt': 'x',
    'goes.txt': 'y',
    'returns.txt': 'z',
    'moves.txt': 'moving',
    'stays.txt': 's',
    'blinks.txt': 'b',
  });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'returns.txt'));
  const a = await scan(db, library);
  write(root, { 'changes.txt': 'longer', 'returns.txt': 'z', 'added.txt': 'new', 'short-lived.txt': 'q' });
  rmSync(path.join(root, 'blinks.txt'));
  await scan(db, library);
  rmSync(path.join(root, 'goes.txt'));
  rmSync(path.join(root, 'short-lived.txt'));
  write(root, { 'blinks.txt': 'b' });
  mkdirSync(path.join(root, 'sub'));
  renameSync(path.join(root, 'moves.txt'), path.join(root, 'sub/moved.txt'));
  writeFileSync(path.join(root, 'added.txt'), 'new and changed');
  const b = await scan(db, library);
  const page = await diffScans(db, a.id, b.id);
  expect(
    Object.fromEntries(page.items.map(({ rel_path, kind, from_rel_path }) => [rel_path, from_rel_path ? [kind, from_rel_path] : [kind]])),
  ).toEqual({
    'changes.txt': ['changed'],
    'goes.txt': ['gone'],
    'returns.txt': ['returned'],
    'added.txt': ['added'],
    'sub/moved.txt': ['moved', 'moves.txt'],
  });
  expect(page).toMatchObject({ library_id: library, complete: true, next_cursor: null });
  const reversed = await diffScans(db, b.id, a.id, { limit: 2 });
  expect(reversed.items).toHaveLength(2);
  expect((await diffScans(db, a.id, b.id, { limit: 10, cursor: reversed.next_cursor! })).items).toHaveLength(3);
  const all = [];
  for await (const entry of iterateDiff(db, a.id, b.id)) all.push(entry);
  expect(all).toEqual(page.items);
  const other = await scan(db, await addLibrary(db, tree()));
  await expect(diffScans(db, a.id, other.id)).rejects.toMatchObject({ code: 'unprocessable' });
});

test('the change log is bounded by retention, and a diff over a cleared run says so', async () => {
  const { db } = await databaseForTest();
  const root = tree({ 'a.txt': 'x' });
  const library = await addLibrary(db, root);
  const runs = [];
  for (let index = 0; index < 13; index += 1) {
    write(root, { [`f${index}.txt`]: String(index) });
    runs.push(await scan(db, library));
  }
  await sql`update scan_runs set started_at = now() - interval '100 days'`.execute(db);
  // Only the second and third run have a change log.
  expect(await purgeScanChanges(db, 90)).toBe(2);
  expect(await diffScans(db, runs[0]!.id, runs[12]!.id)).toMatchObject({ complete: false });
  expect(await diffScans(db, runs[5]!.id, runs[12]!.id)).toMatchObject({ complete: true });
});

test.each([
  ['forward', -1],
  ['back', 1],
])('a clock that jumps %s a day while a scan runs harms neither the run nor what it finds', async (_way, sign) => {
  const { db } = database;
  const root = tree({ 'a/1.txt': 'x', 'b/2.txt': 'y' });
  // File times in the future are stored like any other.
  utimesSync(path.join(root, 'b/2.txt'), new Date('2150-01-01'), new Date('2150-01-01'));
  const library = await addLibrary(db, root);
  const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
  await sql`update jobs set state = 'doing', heartbeat_at = now() where id = ${job_id}`.execute(db);
  const jump = sql`update scan_runs set started_at = started_at + ${sign} * interval '1 day', heartbeat_at = heartbeat_at + ${sign} * interval '1 day' where id = ${scan_id}`;
  const walk = inline.startWalk!;
  const parts = scanDependencies({
    db,
    ...inline,
    async *startWalk(options) {
      for await (const batch of walk(options)) {
        await jump.execute(db);
        // The run has a live job, so it is not ended.
        expect(await reconcileRuns(db, 600)).toBe(0);
        yield batch;
      }
    },
  });
  expect(await performScan(parts, scan_id)).toMatchObject({ status: 'finished', stats: { seen: 2, new: 2 } });
  expect((await getScan(db, scan_id)).elapsed).toBeGreaterThanOrEqual(0);
  await sql`update jobs set state = 'succeeded', finished_at = now() where id = ${job_id}`.execute(db);
  const next = await scan(db, library);
  expect(next).toMatchObject({ status: 'finished', stats: { seen: 2, new: 0, changed: 0, missing: 0 } });
  expect((next.stats['estimate'] as { seconds: number }).seconds).toBeGreaterThanOrEqual(0);

  const lost = await createScanRun(db, { libraryId: library, trigger: 'manual', forceEmpty: false });
  await sql`update scan_runs set phase = 'walking', heartbeat_at = now() + ${sign} * interval '1 day' where id = ${lost.id}`.execute(db);
  expect(await getScan(db, lost.id)).toMatchObject({ status: 'running', stalled: true, stalled_since: expect.stringMatching(/^\d{4}-/) });
  expect(await reconcileRuns(db, 600)).toBe(1);
  expect(await getScan(db, lost.id)).toMatchObject({ status: 'failed', error_code: 'worker_gone' });
});
