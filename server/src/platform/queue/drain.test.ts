import { describe, expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { enqueue, enqueueMany } from './index.ts';
import { blockingTask, jobs, startWorker, task, until } from './testing.ts';

describe('drain', () => {
  test('waits for a running job and claims no more', async () => {
    const database = await databaseForTest();
    const { task: blocking, started, release } = blockingTask();
    await enqueueMany(database.db, blocking, [{ n: 1 }, { n: 2 }]);
    const worker = startWorker(database, [blocking], { concurrency: 1 });
    await until(() => expect(started()).toBe(1));
    const drained = worker.drain(60);
    release();
    await drained;
    expect((await jobs(database)).map(({ state }) => state).sort()).toEqual(['succeeded', 'todo']);
    expect(started()).toBe(1);
    expect(await database.db.selectFrom('workers').selectAll().execute()).toEqual([]);
  });

  test('near the end of the grace period a job is aborted and requeued without a failure', async () => {
    const database = await databaseForTest();
    const { task: blocking, started, reasons } = blockingTask({ attempts: 1 });
    await enqueue(database.db, blocking, { n: 1 });
    const worker = startWorker(database, [blocking]);
    await until(() => expect(started()).toBe(1));
    await worker.drain(0.2);
    expect(reasons).toMatchObject([{ kind: 'drain' }]);
    expect(await jobs(database)).toMatchObject([{ state: 'todo', attempts: 0, requeues: 0, worker_id: null, error: null }]);
  });

  test('a job that ignores its signal is requeued, and its later result is discarded', async () => {
    const database = await databaseForTest();
    const { task: blocking, started, release } = blockingTask({ ignoresAbort: true });
    await enqueue(database.db, blocking, { n: 1 });
    const worker = startWorker(database, [blocking]);
    await until(() => expect(started()).toBe(1));
    await worker.stop();
    expect(await jobs(database)).toMatchObject([{ state: 'todo', attempts: 0 }]);
    release();
    await until(() => expect(worker.running()).toBe(0));
    expect(await jobs(database)).toMatchObject([{ state: 'todo', attempts: 0 }]);
  });

  test('jobs of a batch that have not started are requeued', async () => {
    const database = await databaseForTest();
    const performed: number[] = [];
    const work = task(
      ({ n }, { signal }) =>
        new Promise((_, reject) => {
          performed.push(n);
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      { batch: 10 },
    );
    await enqueueMany(database.db, work, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    const worker = startWorker(database, [work]);
    await until(() => expect(worker.running()).toBe(3));
    await worker.stop();
    expect(performed).toEqual([1]);
    expect((await jobs(database)).map(({ state, attempts }) => [state, attempts])).toEqual([
      ['todo', 0],
      ['todo', 0],
      ['todo', 0],
    ]);
  });
});
