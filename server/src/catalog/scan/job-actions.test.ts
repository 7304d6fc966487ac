import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { abortJob, createWorker, retryJob } from '../../platform/queue/index.ts';
import { until } from '../../platform/queue/testing.ts';
import { addLibrary, inline, statuses, tree } from './library.fixture.ts';
import { scanDependencies } from './run.ts';
import { forceClearScan, getScan, listScans, startScan, stopScan } from './service.ts';
import { createScanTask } from './tasks.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('a scan whose job is aborted counts as stopped, and retrying a failed or aborted job scans again', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  let walk: 'waits' | 'fails' | 'works' = 'waits';
  const task = createScanTask((at) =>
    scanDependencies({
      db: at,
      ...inline,
      async *startWalk(options) {
        if (walk === 'fails') throw new Error('no memory');
        for await (const batch of inline.startWalk!(options)) {
          while (walk === 'waits') {
            yield { ...batch, folders: [], names: '', rows: new Uint32Array(), pruned: [], unreadable: [] };
            await new Promise((resolve) => setTimeout(resolve, 20));
          }
          yield batch;
        }
      },
    }),
  );
  const worker = createWorker({ database, tasks: [task], log: silentLog, pollSeconds: 0.1 });
  worker.start();
  try {
    const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
    const stateOf = async () => (await sql<{ state: string }>`select state from jobs where id = ${job_id}`.execute(db)).rows[0]!.state;
    await until(async () => expect((await getScan(db, scan_id)).phase).toBe('walking'));
    await abortJob(db, job_id!);
    await until(async () => expect(await stateOf()).toBe('failed'));
    expect(await getScan(db, scan_id)).toMatchObject({ status: 'stopped', error: null });
    walk = 'fails';
    await retryJob(db, job_id!);
    await until(async () => expect((await listScans(db, { library_id: library })).items[0]).toMatchObject({ status: 'failed' }));
    await until(async () => expect(await stateOf()).toBe('failed'));
    walk = 'works';
    await retryJob(db, job_id!);
    await until(async () => expect(await stateOf()).toBe('succeeded'));
    expect((await listScans(db, { library_id: library })).items.map(({ status }) => status)).toEqual(['finished', 'failed', 'stopped']);
    expect(await statuses(db, library)).toEqual({ 'a.txt': 'active' });
  } finally {
    await worker.stop();
  }
});

test.each([
  ['stopped', stopScan],
  ['cleared', forceClearScan],
])('retrying the job of a scan that was %s while it waited scans', async (_what, end) => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
  await end(db, scan_id);
  await retryJob(db, job_id!);
  const worker = createWorker({
    database,
    tasks: [createScanTask((at) => scanDependencies({ db: at, ...inline }))],
    log: silentLog,
    pollSeconds: 0.1,
  });
  worker.start();
  try {
    await until(async () =>
      expect((await sql<{ state: string }>`select state from jobs where id = ${job_id}`.execute(db)).rows[0]!.state).toBe('succeeded'),
    );
  } finally {
    await worker.stop();
  }
  expect((await listScans(db, { library_id: library })).items.map(({ status }) => status)).toEqual(['finished', 'stopped']);
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active' });
});

test('a scan whose job was taken from a worker that still holds the library waits for it', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x' }));
  const { scan_id, job_id } = await startScan(db, library, { trigger: 'manual' });
  const task = createScanTask((at) => scanDependencies({ db: at, ...inline }));
  const perform = () =>
    task.perform(
      { library_id: library, scan_run_id: scan_id },
      { db, log: silentLog, clock: systemClock, jobId: job_id!, attempt: 1, signal: new AbortController().signal, progress: () => {} },
    );
  const runs = async () => (await listScans(db, { library_id: library })).items.map(({ status, error_code }) => [status, error_code]);
  await sql`update scan_runs set phase = 'walking' where id = ${scan_id}`.execute(db);
  await db.connection().execute(async (holder) => {
    await sql`select pg_advisory_lock(hashtextextended(${`scan ${library}`}, 0))`.execute(holder);
    await expect(perform()).rejects.toThrow('Rescheduled');
    expect(await runs()).toEqual([
      ['running', null],
      ['failed', 'worker_gone'],
    ]);
    await sql`select pg_advisory_unlock(hashtextextended(${`scan ${library}`}, 0))`.execute(holder);
  });
  await perform();
  expect(await runs()).toEqual([
    ['finished', null],
    ['failed', 'worker_gone'],
  ]);
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active' });
});
