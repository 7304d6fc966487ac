import { describe, expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import type { Database } from '../database/index.ts';
import { enqueue, reap } from './index.ts';
import { blockingTask, jobs, startWorker, task, until, untilStates } from './testing.ts';

const limits = { heartbeatSeconds: 30, stallSeconds: 3_600, exemptTasks: [], maxRequeues: 10 };
const nothing = { requeued: 0, failed: 0, aborted: 0, workers_removed: 0 };

/** A job of a worker that died `silent` seconds ago, when the job had run for `running` seconds. */
async function abandoned(
  database: Database,
  name: string,
  left: { silent?: number; running?: number; state?: string; requeues?: number; ageExempt?: boolean },
): Promise<string> {
  const { silent = 0, running = silent, state = 'doing', requeues = 0, ageExempt = false } = left;
  const id = await enqueue(
    database.db,
    task(async () => {}, { name, ageExempt }),
    { n: 1 },
  );
  await database.pool.query(
    `update jobs set state = $2, attempts = 1, claim = 1, requeues = $3, worker_id = uuidv7(), abort_requested = $2 = 'aborting',
       heartbeat_at = now() - make_interval(secs => $4), started_at = now() - make_interval(secs => $5) where id = $1`,
    [id, state, requeues, silent, running],
  );
  return id!;
}

describe('reaper', () => {
  test('a job whose heartbeat is lost is requeued and its attempt is not counted', async () => {
    const database = await databaseForTest();
    await abandoned(database, 'extract_item', { silent: 31 });
    await abandoned(database, 'extract_item', { silent: 29 });
    expect(await reap(database.db, limits)).toEqual({ ...nothing, requeued: 1 });
    expect(await jobs(database)).toMatchObject([
      { state: 'todo', attempts: 0, requeues: 1, worker_id: null, error: 'The worker stopped responding.' },
      { state: 'doing', attempts: 1, requeues: 0 },
    ]);
    expect(await reap(database.db, limits)).toEqual(nothing);
  });

  test('a per-file, index or alert job above the stall age is requeued despite its heartbeat', async () => {
    const database = await databaseForTest();
    for (const name of ['extract_item', 'sync_items', 'dispatch_alert']) await abandoned(database, name, { running: 3_601 });
    await abandoned(database, 'extract_item', { running: 3_599 });
    expect(await reap(database.db, limits)).toEqual({ ...nothing, requeued: 3 });
    expect((await jobs(database)).map(({ state }) => state)).toEqual(['todo', 'todo', 'todo', 'doing']);
  });

  test('whole-catalog jobs are exempt from the age rule, but not from the heartbeat rule', async () => {
    const database = await databaseForTest();
    const exempt = [
      'scan_library',
      'nightly_reconcile',
      'rebuild_index',
      'reproject_library',
      'rebuild_chunks_index',
      'embed_missing',
    ].concat(['chunk_missing', 'backup_now', 'compact_meili', 'content_sniff', 'rehash_small_files']);
    for (const name of exempt) await abandoned(database, name, { running: 90_000 });
    expect(await reap(database.db, limits)).toEqual(nothing);
    await database.pool.query("update jobs set heartbeat_at = now() - interval '31 seconds'");
    expect(await reap(database.db, limits)).toEqual({ ...nothing, requeued: exempt.length });
  });

  test('SVC_JOB_STALL_AGE_EXEMPT_TASKS and `ageExempt` add to the exempt tasks', async () => {
    const database = await databaseForTest();
    await abandoned(database, 'named', { running: 90_000 });
    await abandoned(database, 'declared', { running: 90_000, ageExempt: true });
    await abandoned(database, 'other', { running: 90_000 });
    expect(await reap(database.db, { ...limits, exemptTasks: ['named'] })).toEqual({ ...nothing, requeued: 1 });
    expect((await jobs(database)).map(({ state }) => state)).toEqual(['doing', 'doing', 'todo']);
  });

  test('a non-scan job already requeued SVC_REAP_MAX_ATTEMPTS times fails; a scan is requeued again', async () => {
    const database = await databaseForTest();
    await abandoned(database, 'extract_item', { silent: 60, requeues: 9 });
    await abandoned(database, 'extract_item', { silent: 60, requeues: 10 });
    await abandoned(database, 'scan_library', { silent: 60, requeues: 10 });
    expect(await reap(database.db, limits)).toEqual({ ...nothing, requeued: 2, failed: 1 });
    const [nine, ten, scan] = await jobs(database);
    expect(nine).toMatchObject({ state: 'todo', requeues: 10 });
    expect(ten).toMatchObject({ state: 'failed', requeues: 10, attempts: 1 });
    expect(ten!.error).toBe('The worker stopped responding. It was requeued 10 times before and will not be retried.');
    expect(ten!.finished_at).not.toBeNull();
    expect(scan).toMatchObject({ state: 'todo', requeues: 11 });
  });

  test('an aborting job whose worker died fails as aborted', async () => {
    const database = await databaseForTest();
    await abandoned(database, 'scan_library', { silent: 60, state: 'aborting' });
    expect(await reap(database.db, limits)).toEqual({ ...nothing, aborted: 1 });
    expect(await jobs(database)).toMatchObject([{ state: 'failed', abort_requested: true, error: 'Aborted on request.' }]);
  });

  test('concurrent passes count each job once', async () => {
    const database = await databaseForTest();
    for (let each = 0; each < 20; each += 1) await abandoned(database, 'extract_item', { silent: 60 });
    const counts = await Promise.all([reap(database.db, limits), reap(database.db, limits), reap(database.db, limits)]);
    expect(counts.reduce((sum, { requeued }) => sum + requeued, 0)).toBe(20);
    expect((await jobs(database)).every(({ requeues }) => requeues === 1)).toBe(true);
  });

  test('a worker that lost its job to the reaper is notified, and its result is discarded', async () => {
    const database = await databaseForTest();
    const first = blockingTask({ ignoresAbort: true });
    await enqueue(database.db, first.task, { n: 1 });
    const loser = startWorker(database, [first.task], { heartbeatIntervalSeconds: 0.1 });
    await until(() => expect(first.started()).toBe(1));
    expect(await reap(database.db, { ...limits, stallSeconds: -1 })).toEqual({ ...nothing, requeued: 1 });
    await until(() => expect(first.reasons).toMatchObject([{ kind: 'lost' }]));

    // A worker does not claim a job again while its lost run continues; another worker does.
    const second = blockingTask();
    const winner = startWorker(database, [second.task], { heartbeatIntervalSeconds: 0.1 });
    await until(() => expect(second.started()).toBe(1));
    first.release();
    await until(() => expect(loser.running()).toBe(0));
    expect(await jobs(database)).toMatchObject([{ state: 'doing', worker_id: winner.id, requeues: 1 }]);
    second.release();
    await untilStates(database, ['succeeded']);
  });

  test('removes workers without a heartbeat for an hour', async () => {
    const database = await databaseForTest();
    startWorker(database, []);
    await until(async () => expect(await database.db.selectFrom('workers').select('pid').execute()).toEqual([{ pid: process.pid }]));
    await database.pool.query(
      "insert into workers (id, host, pid, queues, concurrency, heartbeat_at) values (uuidv7(), 'gone', 1, '{}', 4, now() - interval '2 hours')",
    );
    expect(await reap(database.db, limits)).toEqual({ ...nothing, workers_removed: 1 });
    expect(await database.db.selectFrom('workers').select('pid').execute()).toEqual([{ pid: process.pid }]);
  });

  test('a job is requeued sooner when the session of its worker has ended, and not while the worker is only slow', async () => {
    const database = await databaseForTest();
    const blocking = blockingTask({ name: 'scan_library' });
    const worker = startWorker(database, [blocking.task]);
    await enqueue(database.db, blocking.task, { n: 1 });
    await until(() => expect(blocking.started()).toBe(1));
    await until(async () => expect((await database.pool.query('select from workers')).rowCount).toBe(1));
    const silent = (seconds: number) =>
      database.pool.query("update jobs set heartbeat_at = now() - make_interval(secs => $1) where state = 'doing'", [seconds]);
    await silent(20);
    expect(await reap(database.db, limits)).toEqual(nothing);
    const dead = await abandoned(database, 'scan_library', { silent: 16 });
    expect(await reap(database.db, limits)).toEqual(nothing);
    await database.pool.query(
      "insert into workers (id, host, pid, queues, concurrency) select worker_id, 'h', 1, '{scan}', 1 from jobs where id = $1",
      [dead],
    );
    await silent(20);
    expect(await reap(database.db, limits)).toEqual({ ...nothing, requeued: 1 });
    expect((await jobs(database)).map(({ id, requeues }) => [id === dead, requeues])).toEqual([
      [false, 0],
      [true, 1],
    ]);
    blocking.release();
    await worker.stop();
  });
});
