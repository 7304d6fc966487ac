import { describe, expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { abortJob, clearFailedJobs, enqueue, retryJob } from './index.ts';
import { blockingTask, jobs, startWorker, task, until, untilStates } from './testing.ts';

const nobody = '00000000-0000-7000-8000-000000000000';

describe('abort', () => {
  test('a running job becomes aborting, its signal is aborted, and it ends failed without another attempt', async () => {
    const database = await databaseForTest();
    const { held, begun, reasons } = blockingTask({ attempts: 5 });
    startWorker(database, [held], { heartbeatIntervalSeconds: 3_600 });
    // The first beat follows the first LISTEN; from here on only a notice can bring the news.
    await until(async () => expect(await database.db.selectFrom('workers').select('id').execute()).toHaveLength(1));
    const id = await enqueue(database.db, held, { n: 1 }, { lock: 'one' });
    await until(() => expect(begun()).toBe(1));
    expect(await abortJob(database.db, id!)).toMatchObject({ refused: null, job: { id, state: 'aborting', abort_requested: true } });
    await untilStates(database, ['failed']);
    expect(reasons).toMatchObject([{ kind: 'abort' }]);
    expect(await jobs(database)).toMatchObject([{ error: 'Aborted on request.', abort_requested: true, attempts: 1 }]);
    expect(await enqueue(database.db, held, { n: 2 }, { lock: 'one' })).not.toBeNull();
  });

  test('a heartbeat brings the news when the notice was lost', async () => {
    const database = await databaseForTest();
    const { held, begun } = blockingTask();
    await enqueue(database.db, held, { n: 1 });
    startWorker(database, [held], { heartbeatIntervalSeconds: 0.1 });
    await until(() => expect(begun()).toBe(1));
    await database.pool.query("update jobs set state = 'aborting', abort_requested = true");
    await untilStates(database, ['failed']);
  });

  test('an aborting job holds its lock; one that returns all the same has succeeded', async () => {
    const database = await databaseForTest();
    const { held, begun, letGo } = blockingTask({ deaf: true });
    const id = await enqueue(database.db, held, { n: 1 }, { lock: 'one' });
    startWorker(database, [held]);
    await until(() => expect(begun()).toBe(1));
    await abortJob(database.db, id!);
    expect(await enqueue(database.db, held, { n: 2 }, { lock: 'one' })).toBeNull();
    letGo();
    await untilStates(database, ['succeeded']);
  });

  test('a failure that meets an abort does not go back to todo', async () => {
    const database = await databaseForTest();
    let fail = (_: Error): void => {};
    const promised = new Promise<void>((_, reject) => {
      fail = reject;
    });
    const work = task(() => promised, { attempts: 5 });
    await enqueue(database.db, work, { n: 1 });
    const worker = startWorker(database, [work]);
    await until(() => expect(worker.running()).toBe(1));
    // The worker is not told: only the row knows.
    await database.pool.query("update jobs set state = 'aborting', abort_requested = true");
    fail(new Error('broken'));
    await untilStates(database, ['failed']);
    expect(await jobs(database)).toMatchObject([{ error: 'Aborted on request.', traceback: null }]);
  });

  test('a waiting job is failed at once, and a finished or unknown one is refused', async () => {
    const database = await databaseForTest();
    const id = await enqueue(
      database.db,
      task(async () => {}),
      { n: 1 },
    );
    expect(await abortJob(database.db, id!)).toMatchObject({ refused: null, job: { state: 'failed', error: 'Aborted on request.' } });
    expect(await abortJob(database.db, id!)).toMatchObject({ refused: 'finished', job: { state: 'failed' } });
    expect(await abortJob(database.db, nobody)).toBeNull();
    expect(await abortJob(database.db, 'nonsense')).toBeNull();
  });
});

describe('retry and clear', () => {
  test('a failed job starts again from zero', async () => {
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
    expect(await retryJob(database.db, nobody)).toBeNull();
    expect(await retryJob(database.db, 'nonsense')).toBeNull();
  });

  test('a failed job whose lock is held by another is refused', async () => {
    const database = await databaseForTest();
    const work = task(async () => {});
    const id = await enqueue(database.db, work, { n: 1 }, { lock: 'one' });
    await abortJob(database.db, id!);
    await enqueue(database.db, work, { n: 2 }, { lock: 'one' });
    expect(await retryJob(database.db, id!)).toMatchObject({ refused: 'locked', job: { state: 'failed' } });
  });

  test('clearing removes failed jobs only, of one queue if asked', async () => {
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
