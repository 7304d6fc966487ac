import { describe, expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { abortJob, clearFailedJobs, enqueue, retryJob } from './index.ts';
import { blockingTask, jobs, startWorker, task, until, untilStates } from './testing.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';

describe('abort', () => {
  test('a running job becomes aborting, its signal is aborted, and it ends failed without another attempt', async () => {
    const database = await databaseForTest();
    const { task: blocking, started, reasons } = blockingTask({ attempts: 5 });
    startWorker(database, [blocking], { heartbeatIntervalSeconds: 3_600 });
    // The first heartbeat follows LISTEN; after that only a notification can report the abort.
    await until(async () => expect(await database.db.selectFrom('workers').select('id').execute()).toHaveLength(1));
    const id = await enqueue(database.db, blocking, { n: 1 }, { lock: 'one' });
    await until(() => expect(started()).toBe(1));
    expect(await abortJob(database.db, id!)).toMatchObject({ refused: null, job: { id, state: 'aborting', abort_requested: true } });
    await untilStates(database, ['failed']);
    expect(reasons).toMatchObject([{ kind: 'abort' }]);
    expect(await jobs(database)).toMatchObject([{ error: 'Aborted on request.', abort_requested: true, attempts: 1 }]);
    expect(await enqueue(database.db, blocking, { n: 2 }, { lock: 'one' })).not.toBeNull();
  });

  test('a heartbeat detects an abort when the notification was lost', async () => {
    const database = await databaseForTest();
    const { task: blocking, started } = blockingTask();
    await enqueue(database.db, blocking, { n: 1 });
    startWorker(database, [blocking], { heartbeatIntervalSeconds: 0.1 });
    await until(() => expect(started()).toBe(1));
    await database.pool.query("update jobs set state = 'aborting', abort_requested = true");
    await untilStates(database, ['failed']);
  });

  test('an aborting job keeps its lock, and succeeds if its task returns', async () => {
    const database = await databaseForTest();
    const { task: blocking, started, release } = blockingTask({ ignoresAbort: true });
    const id = await enqueue(database.db, blocking, { n: 1 }, { lock: 'one' });
    startWorker(database, [blocking]);
    await until(() => expect(started()).toBe(1));
    await abortJob(database.db, id!);
    expect(await enqueue(database.db, blocking, { n: 2 }, { lock: 'one' })).toBeNull();
    release();
    await untilStates(database, ['succeeded']);
  });

  test('a failing job that is being aborted is not requeued', async () => {
    const database = await databaseForTest();
    let fail = (_: Error): void => {};
    const promised = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const work = task(() => promised, { attempts: 5 });
    await enqueue(database.db, work, { n: 1 });
    const worker = startWorker(database, [work]);
    await until(() => expect(worker.running()).toBe(1));
    // The worker is not notified; only the row is changed.
    await database.pool.query("update jobs set state = 'aborting', abort_requested = true");
    fail(new Error('broken'));
    await untilStates(database, ['failed']);
    expect(await jobs(database)).toMatchObject([{ error: 'Aborted on request.', traceback: null }]);
  });

  test('a waiting job fails at once; a finished or unknown job is refused', async () => {
    const database = await databaseForTest();
    const id = await enqueue(
      database.db,
      task(async () => {}),
      { n: 1 },
    );
    expect(await abortJob(database.db, id!)).toMatchObject({ refused: null, job: { state: 'failed', error: 'Aborted on request.' } });
    expect(await abortJob(database.db, id!)).toMatchObject({ refused: 'finished', job: { state: 'failed' } });
    expect(await abortJob(database.db, unknownId)).toBeNull();
    expect(await abortJob(database.db, 'nonsense')).toBeNull();
  });
});

describe('retry and clear', () => {
  test('a retried job gets all its attempts back', async () => {
    const database = await databaseForTest();
    let broken = true;
    const work = task(async () => {
      if (broken) throw new Error('broken');
    });
    const id = await enqueue(database.db, work, { n: 1 });
    startWorker(database, [work]);
    await untilStates(database, ['failed']);
    broken = false;
    expect(await retryJob(database.db, id!)).toMatchObject({ refused: null, job: { state: 'todo', attempts: 0, requeues: 0 } });
    await untilStates(database, ['succeeded']);
    expect((await jobs(database))[0]!.error).toBeNull();
    expect(await retryJob(database.db, id!)).toMatchObject({ refused: 'not_failed' });
    expect(await retryJob(database.db, unknownId)).toBeNull();
    expect(await retryJob(database.db, 'nonsense')).toBeNull();
  });

  test('a failed job is not retried while another job has its lock', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    const id = await enqueue(database.db, work, { n: 1 }, { lock: 'one' });
    await abortJob(database.db, id!);
    await enqueue(database.db, work, { n: 2 }, { lock: 'one' });
    expect(await retryJob(database.db, id!)).toMatchObject({ refused: 'locked', job: { state: 'failed' } });
  });

  test('clearing deletes only failed jobs, optionally of one queue', async () => {
    const database = await databaseForTest();
    const here = task(async () => {}, { name: 'here', queue: 'index' });
    const there = task(async () => {}, { name: 'there', queue: 'alerts' });
    for (const work of [here, there, there]) await abortJob(database.db, (await enqueue(database.db, work, { n: 1 }))!);
    await enqueue(database.db, here, { n: 2 });
    expect(await clearFailedJobs(database.db, { queue: 'alerts' })).toEqual({ deleted: 2, queue: 'alerts' });
    expect(await clearFailedJobs(database.db)).toEqual({ deleted: 1, queue: null });
    expect((await jobs(database)).map(({ state }) => state)).toEqual(['todo']);
  });
});
