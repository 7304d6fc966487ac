import { describe, expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { abortJob, enqueue, enqueueMany, getJob, listJobs, purgeJobs, runningJobs, summariseJobs } from './index.ts';
import { blockingTask, jobs, startWorker, task, until } from './testing.ts';

const limits = { heartbeatSeconds: 30, stallSeconds: 3_600, exemptTasks: [] };

describe('job list', () => {
  test('pages newest first without skipping or repeating, while jobs are added', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    await enqueueMany(
      database.db,
      work,
      Array.from({ length: 25 }, (_, n) => ({ n })),
    );
    const expected = (await jobs(database)).map(({ id }) => id).reverse();
    const seen: string[] = [];
    for (let cursor: string | null = null, first = true; first || cursor; first = false) {
      const page: Awaited<ReturnType<typeof listJobs>> = await listJobs(database.db, { limit: 10, cursor });
      expect(page).toMatchObject({ limit: 10, total: 25 + seen.length / 10 });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      await enqueue(database.db, work, { n: 99 });
    }
    expect(seen).toEqual(expected);
  });

  test('filters by state, queue and task', async () => {
    const database = await databaseForTest();
    const index = task(async () => {}, { name: 'sync_items', queue: 'index' });
    const alert = task(async () => {}, { name: 'dispatch_alert', queue: 'alerts' });
    const aborted = await enqueue(database.db, index, { n: 1 });
    await abortJob(database.db, aborted!);
    await enqueue(database.db, index, { n: 2 });
    await enqueue(database.db, alert, { n: 3 });
    const tasksOf = async (filter: object) =>
      (await listJobs(database.db, { limit: 50, ...filter })).items.map(({ task, state }) => `${task} ${state}`);
    expect(await tasksOf({ state: 'failed' })).toEqual(['sync_items failed']);
    expect(await tasksOf({ queue: 'alerts' })).toEqual(['dispatch_alert todo']);
    expect(await tasksOf({ task: 'sync_items', state: 'todo' })).toEqual(['sync_items todo']);
    expect(await listJobs(database.db, { limit: 50, state: 'doing' })).toEqual({ items: [], total: 0, limit: 50, next_cursor: null });
  });

  test('shows only the ids and the path of the payload', async () => {
    const database = await databaseForTest();
    const id = await enqueue(
      database.db,
      task(async () => {}),
      { n: 1 },
    );
    await database.pool.query(`update jobs set payload = '{"item_id": "i", "rel_path": "a/b", "secret": "s", "library_id": 7}'`);
    const job = await getJob(database.db, id!);
    expect(job).toMatchObject({
      id,
      state: 'todo',
      args: { item_id: 'i', rel_path: 'a/b' },
      attempts: 0,
      max_attempts: 1,
      traceback: null,
    });
    expect(job!.args).toEqual({ item_id: 'i', rel_path: 'a/b' });
    expect(new Date(job!.created_at).toISOString()).toBe(job!.created_at);
    expect(await getJob(database.db, '00000000-0000-7000-8000-000000000000')).toBeNull();
    expect(await getJob(database.db, "' or 1=1")).toBeNull();
  });
});

describe('running and summary', () => {
  test('a running job shows its worker, its time and whether it is stalled', async () => {
    const database = await databaseForTest();
    const { task: blocking, started } = blockingTask({ attempts: 3, name: 'extract_item', queue: 'extract' });
    await enqueueMany(database.db, blocking, [{ n: 1 }, { n: 2 }]);
    const worker = startWorker(database, [blocking]);
    await until(() => expect(started()).toBe(2));
    // A worker registers itself concurrently with its first claim.
    await until(async () => expect((await database.pool.query('select 1 from workers')).rowCount).toBe(1));
    await database.pool.query("update jobs set started_at = now() - interval '2 hours' where (payload ->> 'n')::int = 2");
    const running = await runningJobs(database.db, limits);
    expect(running).toMatchObject([
      { stalled: true, worker_alive: true, worker_id: worker.id, retry_cap: 3, attempts: 1, state: 'doing' },
      { stalled: false, stalled_since: null, worker_alive: true },
    ]);
    expect(running[0]!.seconds_running).toBeGreaterThanOrEqual(7_200);
    // A job over its time limit is stalled since that limit; one without a heartbeat, since its last heartbeat.
    const [old] = (await database.pool.query<{ started_at: Date }>('select started_at from jobs order by started_at limit 1')).rows;
    expect(new Date(running[0]!.stalled_since!).getTime() - old!.started_at.getTime()).toBe(limits.stallSeconds * 1000);
    await database.pool.query("update jobs set heartbeat_at = now() - interval '31 seconds' where (payload ->> 'n')::int = 2");
    const [stalled] = await runningJobs(database.db, limits, 1);
    expect(Date.now() - new Date(stalled!.stalled_since!).getTime()).toBeGreaterThanOrEqual(30_000);
    await database.pool.query("update workers set heartbeat_at = now() - interval '31 seconds'");
    expect(await runningJobs(database.db, limits, 1)).toMatchObject([{ worker_alive: false }]);
    expect(await summariseJobs(database.db, limits)).toMatchObject({
      queues: { extract: { todo: 0, doing: 2, aborting: 0, failed: 0, succeeded: 0 }, scan: { todo: 0, doing: 0 } },
      stalled: { total: 1, by_queue: { extract: 1 } },
      failed_recent: [],
      workers: [{ id: worker.id, pid: process.pid, concurrency: 4, alive: false }],
    });
  });
});

describe('retention', () => {
  test('succeeded jobs are kept 48 hours, failed ones SVC_JOB_HISTORY_RETENTION_DAYS, unfinished ones are never deleted', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    const ended = async (state: string, hours: number) => {
      const id = await enqueue(database.db, work, { n: hours });
      await database.pool.query(
        'update jobs set state = $2, finished_at = now() - make_interval(hours => $3), created_at = now() - make_interval(hours => $3) where id = $1',
        [id, state, hours],
      );
    };
    for (const [state, hours] of [
      ['succeeded', 47],
      ['succeeded', 49],
      ['failed', 14 * 24 - 1],
      ['failed', 14 * 24 + 1],
      ['todo', 9_000],
    ] as const)
      await ended(state, hours);
    expect(await purgeJobs(database.db, { failedDays: 14 })).toEqual({ succeeded: 1, failed: 1 });
    expect((await jobs(database)).map(({ payload }) => (payload as { n: number }).n)).toEqual([47, 14 * 24 - 1, 9_000]);
    expect(await purgeJobs(database.db, { failedDays: 1 })).toEqual({ succeeded: 1, failed: 1 });
  });
});
