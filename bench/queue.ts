import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Type } from 'typebox';
import { connect, type Database, migrate, startEmbedded } from '../server/src/platform/database/index.ts';
import { silentLog } from '../server/src/platform/log/index.ts';
import { createWorker, defineTask, enqueue, enqueueMany, type Task } from '../server/src/platform/queue/index.ts';
import { enqueuePlainly, workOffPlainly } from './queue/plain-loop.ts';
import type { Bench } from './row.ts';

const payload = Type.Object({ n: Type.Integer() }, { additionalProperties: false });

/**
 * The queue on a durable embedded server (every commit waits for the disk) beside a plain loop of single-row statements on the same one.
 * The deep backlog shows that a claim costs the same whether ten jobs wait or some hundred thousand.
 */
const bench: Bench = async ({ scale }) => {
  const folder = await mkdtemp(join(tmpdir(), 'bench-queue-'));
  const server = await startEmbedded({ folder });
  const database = connect({ host: server.host, port: server.port, user: server.user, database: server.database });
  try {
    await migrate(database.pool);
    const many = Math.round(100_000 * scale);
    const few = Math.max(50, Math.round(2_000 * scale));
    const numbers = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

    const plainEnqueue = await perSecond(few, () => enqueuePlainly(database.pool, few));
    const plainWork = await perSecond(few, () => workOffPlainly(database.pool));

    const { task: batched, ended: batchedEnd } = countedTask('batched', many, 100);
    const manyEnqueue = await perSecond(many, () => enqueueMany(database.db, batched, numbers(many)));
    const batchedWork = await perSecond(many, () => workOff(database, batched, batchedEnd));

    const { task: single, ended: singleEnd } = countedTask('single', few);
    await enqueueMany(database.db, single, numbers(few));
    const singleWork = await perSecond(few, () => workOff(database, single, singleEnd));

    // The same again while a deep backlog of more urgent work waits in a queue that this worker does not serve.
    const { task: other } = countedTask('other', many, 1, 'extract');
    await enqueueMany(database.db, other, numbers(many), { priority: 50 });
    const { task: deep, ended: deepEnd } = countedTask('deep', few);
    await enqueueMany(database.db, deep, numbers(few));
    const deepWork = await perSecond(few, () => workOff(database, deep, deepEnd));

    const latency = await wakeUp(database);
    return {
      rows: [
        row('enqueue in batches', manyEnqueue, plainEnqueue, 20_000),
        row('no-op jobs in batches, 4 slots', batchedWork, plainWork, 3_000),
        row('no-op jobs one by one, 4 slots', singleWork, plainWork, null),
        row(`one by one, beside ${many.toLocaleString('en')} waiting in another queue`, deepWork, singleWork, null, 'without the backlog'),
        {
          name: 'enqueue until it runs, median',
          value: round(latency),
          unit: 'ms',
          peer: '',
          ratio: null,
          limit: 'at most 100 ms',
          ok: latency <= 100,
        },
      ],
      notes: [
        `${many.toLocaleString('en')} jobs in batches, ${few.toLocaleString('en')} one by one; every enqueue and every end is on disk before it counts`,
      ],
    };
  } finally {
    await database.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

function row(name: string, value: number, peer: number, least: number | null, peerName = 'a plain loop') {
  return {
    name,
    value: Math.round(value),
    unit: 'jobs/s',
    peer: `${peerName} ${Math.round(peer)} jobs/s`,
    ratio: round(value / peer),
    limit: least === null ? '' : `at least ${least.toLocaleString('en')}`,
    ok: least === null || value >= least,
  };
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function perSecond(count: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return count / ((performance.now() - began) / 1_000);
}

function countedTask(name: string, expected: number, batch = 1, queue: Task['queue'] = 'maintenance') {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let performed = 0;
  const perform = async (): Promise<void> => {
    performed += 1;
    if (performed === expected) end();
  };
  return { task: defineTask({ name, queue, payload, attempts: 1, batch, perform }), ended };
}

/** Until every end is written, not only performed: that is what drain waits for. */
async function workOff(database: Database, task: Task, ended: Promise<void>): Promise<void> {
  const worker = createWorker({ database, tasks: [task], log: silentLog, concurrency: 4, queues: ['maintenance'] });
  worker.start();
  await ended;
  await worker.drain(60);
}

async function wakeUp(database: Database): Promise<number> {
  let ran = (): void => {};
  const task = defineTask({ name: 'ping', queue: 'alerts', payload, attempts: 1, perform: async () => ran() });
  const worker = createWorker({ database, tasks: [task], log: silentLog, pollSeconds: 60 });
  worker.start();
  const times: number[] = [];
  for (let n = 0; n < 31; n += 1) {
    const running = new Promise<void>((resolve) => {
      ran = resolve;
    });
    const began = performance.now();
    await enqueue(database.db, task, { n });
    await running;
    times.push(performance.now() - began);
  }
  await worker.drain(5);
  return times.sort((a, b) => a - b)[15]!;
}

export default bench;
