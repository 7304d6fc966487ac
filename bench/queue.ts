import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { Type } from 'typebox';
import { connect, type Database, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { silentLog } from '../server/src/platform/log/index.ts';
import { createWorker, defineTask, enqueue, enqueueMany, type Task } from '../server/src/platform/queue/index.ts';
import type { Bench } from './row.ts';

const payload = Type.Object({ n: Type.Integer() }, { additionalProperties: false });

/**
 * Compares the queue with a simple loop of single-row statements on the same durable embedded server, where every commit waits for the disk.
 * Also checks that a claim does not get slower when another queue has a deep backlog.
 */
const bench: Bench = async ({ scale }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-queue-'));
  const server = await startEmbedded({ folder });
  const database = connect({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: server.database,
  });
  try {
    await migrate(database.pool);
    const many = Math.round(100_000 * scale);
    const few = Math.max(50, Math.round(2_000 * scale));
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

    const simpleEnqueue = await perSecond(few, () => enqueueOneByOne(database.pool, few));
    const simpleRun = await perSecond(few, () => runOneByOne(database.pool));

    const { task: batched, done: batchedDone } = countedTask('batched', many, 100);
    const batchedEnqueue = await perSecond(many, () => enqueueMany(database.db, batched, numbers(many)));
    const batchedRun = await perSecond(many, () => runAll(database, batched, batchedDone));

    const { task: single, done: singleDone } = countedTask('single', few);
    await enqueueMany(database.db, single, numbers(few));
    const singleRun = await perSecond(few, () => runAll(database, single, singleDone));

    // The backlog has a higher priority, but this worker does not serve its queue.
    const { task: other } = countedTask('other', many, 1, 'extract');
    await enqueueMany(database.db, other, numbers(many), { priority: 50 });
    const { task: deep, done: deepDone } = countedTask('deep', few);
    await enqueueMany(database.db, deep, numbers(few));
    const deepRun = await perSecond(few, () => runAll(database, deep, deepDone));

    const latency = await startLatency(database);
    return {
      rows: [
        row('enqueue in batches', batchedEnqueue, simpleEnqueue, 20_000),
        row('no-op jobs in batches, concurrency 4', batchedRun, simpleRun, 3_000),
        row('no-op jobs one by one, concurrency 4', singleRun, simpleRun, null),
        row(
          `no-op jobs one by one, with ${many.toLocaleString('en')} jobs in another queue`,
          deepRun,
          singleRun,
          null,
          'without the backlog',
        ),
        {
          name: 'time from enqueue to start, median',
          value: round(latency),
          unit: 'ms',
          peer: '',
          ratio: null,
          limit: 'at most 100 ms',
          ok: latency <= 100,
        },
      ],
      notes: [
        `${many.toLocaleString('en')} jobs in batches, ${few.toLocaleString('en')} one by one; a job counts as enqueued or finished once that is on disk`,
      ],
    };
  } finally {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

function row(name: string, value: number, peer: number, min: number | null, peerName = 'simple loop') {
  return {
    name,
    value: Math.round(value),
    unit: 'jobs/s',
    peer: `${peerName} ${Math.round(peer)} jobs/s`,
    ratio: round(value / peer),
    limit: min === null ? '' : `at least ${min.toLocaleString('en')}`,
    ok: min === null || value >= min,
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return count / ((performance.now() - start) / 1_000);
}

/** A no-op task, and a promise that resolves after so many runs. */
function countedTask(name: string, expected: number, batch = 1, queue: Task['queue'] = 'maintenance') {
  const { promise: done, resolve } = Promise.withResolvers<void>();
  let performed = 0;
  const perform = async (): Promise<void> => {
    performed += 1;
    if (performed === expected) resolve();
  };
  return { task: defineTask({ name, queue, payload, attempts: 1, batch, perform }), done };
}

/** Includes the drain, which waits until the end of every job is written. */
async function runAll(database: Database, task: Task, done: Promise<void>): Promise<void> {
  const worker = createWorker({ database, tasks: [task], log: silentLog, concurrency: 4, queues: ['maintenance'] });
  worker.start();
  await done;
  await worker.drain(60);
}

async function startLatency(database: Database): Promise<number> {
  let started = (): void => {};
  const task = defineTask({ name: 'ping', queue: 'alerts', payload, attempts: 1, perform: async () => started() });
  const worker = createWorker({ database, tasks: [task], log: silentLog, pollSeconds: 60 });
  worker.start();
  const times: number[] = [];
  for (let n = 0; n < 31; n += 1) {
    const running = Promise.withResolvers<void>();
    started = running.resolve;
    const start = performance.now();
    await enqueue(database.db, task, { n });
    await running.promise;
    times.push(performance.now() - start);
  }
  await worker.drain(5);
  return times.sort((a, b) => a - b)[15] ?? Number.NaN;
}

/** The peer: four connections, as many as our worker has, with prepared statements; one row and one commit per statement. */
const connections = 4;

async function enqueueOneByOne(pool: pg.Pool, count: number): Promise<void> {
  let next = 0;
  const text = "insert into jobs (queue, task, payload, max_attempts) values ('maintenance', 'plain', $1, 1)";
  await inParallel(pool, async (client) => {
    for (let n = next++; n < count; n = next++) await client.query({ name: 'enqueue', text, values: [{ n }] });
  });
}

async function runOneByOne(pool: pg.Pool): Promise<void> {
  const claim = `update jobs set state = 'doing', started_at = now() where id =
    (select id from jobs where state = 'todo' and task = 'plain' order by priority desc, run_at, id limit 1 for update skip locked) returning id`;
  const finish = "update jobs set state = 'succeeded', finished_at = now() where id = $1";
  await inParallel(pool, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ id: string }>({ name: 'claim', text: claim });
      if (!rows[0]) return;
      await client.query({ name: 'finish', text: finish, values: [rows[0].id] });
    }
  });
}

async function inParallel(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  await Promise.all(clients.map(work));
  for (const client of clients) client.release();
}

export default bench;
