import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { connect, migrate, startEmbedded } from '../database/index.ts';
import { enqueue, enqueueMany, reap } from './index.ts';
import { processTask } from './process-task.fixture.ts';
import { blockingTask, jobs, startWorker, task, until, untilStates } from './testing.ts';

const limits = { heartbeatSeconds: 30, stallSeconds: 3_600, exemptTasks: [], maxRequeues: 10 };

test('a job whose worker process is killed is requeued by the reaper and completed by another worker', async () => {
  const database = await databaseForTest();
  await enqueue(
    database.db,
    processTask(async () => {}),
    { library_id: 'a' },
    { lock: 'scan_library:a' },
  );
  const child = fork(new URL('./worker-process.fixture.ts', import.meta.url), [JSON.stringify(database.address)], {
    execArgv: [],
    stdio: 'inherit',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect((await once(child, 'message'))[0]).toBe('started');
  expect(await reap(database.db, limits)).toMatchObject({ requeued: 0 });
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await jobs(database)).toMatchObject([{ state: 'doing' }]);

  await database.pool.query("update jobs set heartbeat_at = heartbeat_at - interval '31 seconds'");
  expect(await reap(database.db, limits)).toMatchObject({ requeued: 1 });
  expect(
    await enqueue(
      database.db,
      processTask(async () => {}),
      { library_id: 'a' },
      { lock: 'scan_library:a' },
    ),
  ).toBeNull();
  startWorker(database, [processTask(async () => {})]);
  await untilStates(database, ['succeeded']);
  expect(await jobs(database)).toMatchObject([{ requeues: 1, attempts: 1, claim: 2 }]);
});

test('the worker survives a restart of the database', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-queue-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  let server = await startEmbedded({ folder, durable: false, settings: { shared_buffers: '16MB' } });
  onTestFinished(() => server.stop());
  const database = connect({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: server.database,
  });
  onTestFinished(() => database.close());
  await migrate(database.pool);

  // One job finishes while the database is down, one uses the database while it is down, the others wait.
  const blocked = blockingTask({ name: 'blocking' });
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const querying = task(
    async (_, { db, attempt }) => {
      await reached;
      expect(attempt).toBe(1);
      await db.selectFrom('jobs').select('id').execute();
    },
    { name: 'querying' },
  );
  const plain = task(async () => {}, { name: 'plain' });
  await enqueue(database.db, blocked.task, { n: 1 }, { priority: 1 });
  await enqueue(database.db, querying, { n: 2 }, { priority: 1 });
  const worker = startWorker(database, [blocked.task, querying, plain], { concurrency: 2 });
  await until(() => expect(worker.running()).toBe(2));
  await enqueueMany(database.db, plain, [{ n: 3 }, { n: 4 }]);
  await server.stop();
  blocked.release();
  reach();
  await until(() => expect(blocked.started()).toBe(1));
  server = await startEmbedded({ folder, durable: false, settings: { shared_buffers: '16MB' } });
  await untilStates(database, ['succeeded', 'succeeded', 'succeeded', 'succeeded']);
  const [first, second] = await jobs(database);
  expect(first).toMatchObject({ claim: 1, attempts: 1 });
  expect(second).toMatchObject({ attempts: 1 });
  expect(blocked.started()).toBe(1);
});

test('a job that keeps losing the database fails when its requeue budget is used up; a scan does not', async () => {
  const database = await databaseForTest();
  const cut = async (): Promise<void> => {
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' });
  };
  const poison = task(cut, { name: 'poison', attempts: 3 });
  const scan = task(cut, { name: 'scan_library', queue: 'scan', attempts: 3 });
  await enqueue(database.db, poison, { n: 1 });
  await enqueue(database.db, scan, { n: 1 });
  await database.pool.query('update jobs set requeues = 1');
  startWorker(database, [poison, scan], { requeueBudget: 2 });
  await until(async () => expect(await jobs(database)).toMatchObject([{ requeues: 2 }, { requeues: 2 }]));
  await database.pool.query('update jobs set run_at = now()');
  await until(async () =>
    expect(await jobs(database)).toMatchObject([
      { state: 'failed', attempts: 1, requeues: 2, error: 'The database connection was lost during the run.' },
      { state: 'todo', attempts: 0, requeues: 3 },
    ]),
  );
});
