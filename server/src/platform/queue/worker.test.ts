import { describe, expect, test, vi } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { enqueue, enqueueMany, permanentFailure, rescheduleIn } from './index.ts';
import { jobs, startWorker, task, until, untilStates } from './testing.ts';

describe('worker', () => {
  test('a job goes from todo through doing to succeeded', async () => {
    const database = await databaseForTest();
    let seen: unknown;
    const work = task(async ({ n }, { jobId, attempt }) => {
      const row = (await jobs(database))[0]!;
      seen = { n, attempt, same: row.id === jobId, state: row.state, beating: row.heartbeat_at !== null };
    });
    const id = await enqueue(database.db, work, { n: 7 });
    expect(await jobs(database)).toMatchObject([{ id, state: 'todo', queue: 'maintenance', priority: 0, attempts: 0, payload: { n: 7 } }]);
    const worker = startWorker(database, [work]);
    await untilStates(database, ['succeeded']);
    expect(seen).toEqual({ n: 7, attempt: 1, same: true, state: 'doing', beating: true });
    expect(await jobs(database)).toMatchObject([{ attempts: 1, worker_id: worker.id, heartbeat_at: null, error: null }]);
  });

  test('a new job wakes a sleeping worker', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    startWorker(database, [work], { pollSeconds: 3_600 });
    await until(async () =>
      expect(
        (await database.pool.query("select 1 from pg_stat_activity where query = 'listen jobs_abort' and datname = current_database()"))
          .rowCount,
      ).toBe(1),
    );
    await enqueue(database.db, work, { n: 1 });
    await untilStates(database, ['succeeded']);
  });

  test('most urgent first: priority, then run_at, then id', async () => {
    const database = await databaseForTest();
    const order: number[] = [];
    const work = task(async ({ n }) => void order.push(n));
    const soon = new Date(Date.now() - 60_000);
    await enqueue(database.db, work, { n: 4 });
    await enqueue(database.db, work, { n: 5 });
    await enqueue(database.db, work, { n: 3 }, { runAt: soon });
    await enqueue(database.db, work, { n: 6 }, { priority: -10 });
    await enqueue(database.db, work, { n: 1 }, { priority: 10 });
    await enqueue(database.db, work, { n: 2 }, { priority: 5 });
    await enqueue(database.db, work, { n: 99 }, { priority: 50, runAt: new Date(Date.now() + 3_600_000) });
    startWorker(database, [work], { concurrency: 1 });
    await until(() => expect(order).toEqual([1, 2, 3, 4, 5, 6]));
  });

  test('scan control is never queued behind extraction', async () => {
    const database = await databaseForTest();
    const order: string[] = [];
    const extract = task(async () => void order.push('extract'), { name: 'extract_item', queue: 'extract' });
    const scan = task(async () => void order.push('scan'), { name: 'scan_library', queue: 'scan' });
    await enqueueMany(database.db, extract, [{ n: 1 }, { n: 2 }]);
    await enqueue(database.db, scan, { n: 3 });
    startWorker(database, [extract, scan], { concurrency: 1 });
    await until(() => expect(order).toEqual(['scan', 'extract', 'extract']));
  });

  test('a worker claims only from its queues, and leaves unknown tasks in todo', async () => {
    const database = await databaseForTest();
    const here = task(async () => {}, { name: 'here', queue: 'index' });
    const there = task(async () => {}, { name: 'there', queue: 'alerts' });
    const unknown = task(async () => {}, { name: 'unknown', queue: 'index' });
    await enqueue(database.db, there, { n: 1 });
    await enqueue(database.db, unknown, { n: 2 });
    await enqueue(database.db, here, { n: 3 });
    startWorker(database, [here, there], { queues: ['index', 'scan'] });
    await untilStates(database, ['todo', 'todo', 'succeeded']);
  });

  test('runs at most as many jobs as it has slots', async () => {
    const database = await databaseForTest();
    const gates: (() => void)[] = [];
    const work = task(() => new Promise((resolve) => gates.push(resolve)));
    await enqueueMany(
      database.db,
      work,
      [1, 2, 3, 4, 5].map((n) => ({ n })),
    );
    const worker = startWorker(database, [work], { concurrency: 2 });
    await until(() => expect(gates).toHaveLength(2));
    expect(worker.running()).toBe(2);
    for (let opened = 0; opened < 5; opened += 1) {
      await until(() => expect(gates.length).toBeGreaterThan(opened));
      expect(worker.running()).toBeLessThanOrEqual(2);
      gates[opened]!();
    }
    await untilStates(database, Array(5).fill('succeeded'));
  });

  test('two workers never run the same job', async () => {
    const database = await databaseForTest();
    const seen = new Map<number, number>();
    const work = task(async ({ n }) => void seen.set(n, (seen.get(n) ?? 0) + 1));
    const quick = task(async ({ n }) => void seen.set(n, (seen.get(n) ?? 0) + 1), { name: 'quick', batch: 20 });
    await enqueueMany(
      database.db,
      work,
      Array.from({ length: 300 }, (_, n) => ({ n })),
    );
    await enqueueMany(
      database.db,
      quick,
      Array.from({ length: 700 }, (_, n) => ({ n: 1_000 + n })),
    );
    for (let each = 0; each < 3; each += 1) startWorker(database, [work, quick]);
    await until(async () =>
      expect(await database.db.selectFrom('jobs').select('id').where('state', '<>', 'succeeded').execute()).toEqual([]),
    );
    expect(seen.size).toBe(1_000);
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
  });

  test('a job that throws is retried until its attempts are used up, then fails with its traceback', async () => {
    const database = await databaseForTest();
    const attempts: number[] = [];
    const work = task(
      async (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error(`broken \0 ${attempt}`);
      },
      { attempts: 3 },
    );
    await enqueue(database.db, work, { n: 1 });
    startWorker(database, [work], { random: () => 0 });
    for (const tried of [1, 2]) {
      await until(async () =>
        expect(await jobs(database)).toMatchObject([{ state: 'todo', attempts: tried, error: `broken \uFFFD ${tried}` }]),
      );
      const { rows } = await database.pool.query('select run_at - now() > make_interval(secs => $1) as waits from jobs', [tried * 2]);
      expect(rows[0].waits).toBe(true);
      await database.pool.query('update jobs set run_at = now()');
    }
    await untilStates(database, ['failed']);
    expect(attempts).toEqual([1, 2, 3]);
    const [row] = await jobs(database);
    expect(row!.traceback).toContain('worker.test.ts');
    expect(row!.finished_at).not.toBeNull();
  });

  test('a permanent failure is not retried', async () => {
    const database = await databaseForTest();
    const work = task(
      async () => {
        throw permanentFailure('The channel has no address.', new Error('root'));
      },
      { attempts: 5 },
    );
    await enqueue(database.db, work, { n: 1 });
    startWorker(database, [work]);
    await untilStates(database, ['failed']);
    const [row] = await jobs(database);
    expect(row).toMatchObject({ attempts: 1, error: 'The channel has no address.' });
    expect(row!.traceback).toContain('Caused by: Error: root');
  });

  test('a rescheduled job waits and is not counted as a failure', async () => {
    const database = await databaseForTest();
    let full = true;
    const work = task(
      async () => {
        if (full) throw rescheduleIn(30);
      },
      { name: 'extract_item', queue: 'extract', attempts: 1 },
    );
    await enqueue(database.db, work, { n: 1 });
    startWorker(database, [work]);
    await until(async () =>
      expect(await jobs(database)).toMatchObject([{ state: 'todo', claim: 1, attempts: 0, requeues: 0, error: null }]),
    );
    const { rows } = await database.pool.query(
      "select run_at between now() + interval '20 seconds' and now() + interval '31 seconds' as later from jobs",
    );
    expect(rows[0].later).toBe(true);
    full = false;
    await database.pool.query('update jobs set run_at = now()');
    await untilStates(database, ['succeeded']);
  });

  test('a job with an invalid payload fails without retries', async () => {
    const database = await databaseForTest();
    const performed = vi.fn(async () => {});
    const work = task(performed, { attempts: 5 });
    await enqueue(database.db, work, { n: 1 });
    await database.pool.query(`update jobs set payload = '{"n": "one"}'`);
    startWorker(database, [work]);
    await untilStates(database, ['failed']);
    expect((await jobs(database))[0]!.error).toMatch(/payload of count_it does not match its schema: \/n must be integer/);
    expect(performed).not.toHaveBeenCalled();
  });

  test('the jobs of a batch share a slot and each gets its own outcome', async () => {
    const database = await databaseForTest();
    const slots: number[] = [];
    const work = task(
      async ({ n }) => {
        slots.push((await database.db.selectFrom('jobs').select('id').where('state', '=', 'doing').execute()).length);
        if (n === 2) throw new Error('two');
      },
      { batch: 4 },
    );
    await enqueueMany(
      database.db,
      work,
      [1, 2, 3, 4, 5].map((n) => ({ n })),
    );
    startWorker(database, [work], { concurrency: 1 });
    await untilStates(database, ['succeeded', 'failed', 'succeeded', 'succeeded', 'succeeded']);
    expect(slots).toEqual([4, 4, 4, 4, 1]);
  });

  test('progress is stored while the job runs, and the last value when it ends', async () => {
    const database = await databaseForTest();
    let end = () => {};
    const work = task(async (_, { progress }) => {
      progress({ done: 0 });
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      for (let done = 1; done <= 100; done += 1) progress({ done });
    });
    await enqueue(database.db, work, { n: 1 });
    startWorker(database, [work]);
    await until(async () => expect((await jobs(database))[0]!.progress).toEqual({ done: 0 }));
    end();
    await untilStates(database, ['succeeded']);
    expect((await jobs(database))[0]!.progress).toEqual({ done: 100 });
  });
});
