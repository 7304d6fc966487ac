import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { connect, type Database } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import { abortChannel, readyChannel, type QueueName, queues as allQueues, type Task, createRegistry, tasksForQueues } from './contract.ts';
import { claimJobs } from './claim.ts';
import { type FinishedRun, finishJobs, writeProgress, isDatabaseLost, groupWrites } from './finish.ts';
import {
  recordJobHeartbeats,
  recordWorkerHeartbeat,
  removeWorker,
  startHeartbeat,
  createRun,
  interrupt,
  performRun,
  type Run,
} from './run.ts';
import { listen, createSleeper } from './listener.ts';

/**
 * The life of a job.
 *
 * todo: waits for run_at, then for a free slot. Most urgent first: priority, then run_at, then id.
 *   -> doing     a worker claims it: attempts and claim grow by one, the first heartbeat is set.
 *   -> failed    someone aborts it before it starts.
 * doing: performed by one worker, which beats its heart every third of the stall time.
 *   -> succeeded `perform` returned.
 *   -> todo      `perform` threw and attempts are left: after a growing delay. Error and traceback are kept.
 *   -> failed    `perform` threw and no attempt is left, or it gave up.
 *   -> todo      `perform` threw `reschedule(seconds)`: no failure, the attempt is taken back.
 *   -> todo      the worker stops before the job ends: no failure, the attempt is taken back.
 *   -> todo      the database went away under it, or the reaper found its heartbeat lost or its age above the limit: the attempt is taken
 *                back and requeues grows by one.
 *   -> failed    the same, but a job other than scan_library has used up its requeue budget.
 *   -> aborting  someone asks it to stop.
 * aborting: still performed; its signal is aborted.
 *   -> failed    `perform` threw, whatever it threw; or the reaper found its worker lost. The error is "Aborted on request." and
 *                abort_requested stays true, which tells it from a job that broke.
 *   -> succeeded `perform` returned all the same: the work is done. A task that stops early must throw.
 * failed, succeeded: over, until retention removes the row.
 *   failed -> todo  someone retries it: attempts and requeues start again at zero.
 *
 * A lock is held in todo, doing and aborting. A run whose job was taken away (reaper, or a heartbeat that could not be written for the
 * stall time) has its signal aborted; whatever it brings is written only if worker and claim number still match, so a job is never ended
 * by a run that lost it.
 */
export interface WorkerOptions {
  database: Database;
  tasks: readonly Task[];
  log: Log;
  /** Parallel slots. */
  concurrency?: number;
  /** Queues served; all when left out. */
  queues?: readonly QueueName[];
  clock?: Clock;
  /** A job without a heartbeat for this long is lost. */
  heartbeatSeconds?: number;
  /** How often the heart beats; a third of `heartbeatSeconds` when left out. */
  heartbeatIntervalSeconds?: number;
  /** How often to look for due work that nobody announced (jobs that waited for their time, lost notices). */
  pollSeconds?: number;
  /** Times a job other than scan_library may be put back because its database or worker was lost. */
  requeueBudget?: number;
  /** A statement of the worker itself that has no answer for this long is given up and its connection replaced. */
  queryTimeoutSeconds?: number;
  random?: () => number;
}

export interface Worker {
  id: string;
  /** Begins to claim; a database that is not there yet is waited for. */
  start(): void;
  /** Claims no more, lets running jobs end; near the end of the grace they are told to stop, and what still runs then goes back to todo. */
  drain(graceSeconds: number): Promise<void>;
  /** As drain, with no grace. */
  stop(): Promise<void>;
  running(): number;
}

export function createWorker(options: WorkerOptions): Worker {
  const {
    database,
    log,
    concurrency = 4,
    clock = systemClock,
    heartbeatSeconds = 30,
    heartbeatIntervalSeconds: beatSeconds = heartbeatSeconds / 3,
    pollSeconds = 2,
    requeueBudget = 10,
    queryTimeoutSeconds: answerSeconds = 30,
    random = Math.random,
  } = options;
  const id = randomUUID();
  const registry = createRegistry(options.tasks);
  const queues = options.queues ?? (Object.keys(allQueues) as QueueName[]);
  const served = tasksForQueues(registry, queues);
  const request = {
    workerId: id,
    queues: [...new Set(served.map(({ queue }) => queue))],
    tasks: served.map(({ name }) => name),
    batches: Object.fromEntries(served.filter(({ batch }) => batch !== undefined).map(({ name, batch }) => [name, batch!])),
  };
  // Connections of its own: tasks that use up the shared pool must not silence the heartbeat.
  const own = connect(database.address, { max: 3, name: 'catalog worker', queryTimeoutSeconds: answerSeconds });
  const runs = new Map<string, Run>();
  const slots = new Set<Promise<void>>();
  const wake = createSleeper();
  let draining = false;
  let closed = false;
  let away = false;
  let claiming: Promise<void> = Promise.resolve();
  let stopParts: (() => Promise<void>) | null = null;

  const noteAway = (error: unknown): void => {
    if (!away && !closed) log.warning('The database does not answer. Jobs wait until it is back.', { error });
    away = true;
  };
  const noteBack = (): void => {
    if (away) log.info('The database answers again. Jobs go on.');
    away = false;
  };

  async function claimLoop(): Promise<void> {
    let pause = 100;
    while (!draining) {
      if (slots.size >= concurrency || request.tasks.length === 0) {
        await wake.sleep(60_000);
        continue;
      }
      try {
        const { slots: claimed, contended } = await claimJobs(own.pool, {
          ...request,
          slots: concurrency - slots.size,
          busyWith: [...runs.keys()],
        });
        noteBack();
        pause = 100;
        for (const jobs of claimed) occupySlot(jobs.map(createRun));
        if (claimed.length > 0) continue;
        if (contended) await wake.sleep(2 + random() * 20);
        else await wake.sleep(pollSeconds * 1_000);
      } catch (error) {
        noteAway(error);
        await wake.sleep(pause);
        pause = Math.min(pause * 2, 5_000);
      }
    }
  }

  function occupySlot(claimed: Run[]): void {
    for (const run of claimed) {
      runs.set(run.id, run);
      // Claimed while the order to stop came in.
      if (draining) interrupt(run, 'drain');
    }
    const slot = performAll(claimed).finally(() => {
      slots.delete(slot);
      wake.wake();
    });
    slots.add(slot);
  }

  async function performAll(claimed: readonly Run[]): Promise<void> {
    const parts = {
      db: database.db,
      log,
      clock,
      random,
      writeProgress: (run: Run, value: Record<string, unknown>) => writeProgress(own.db, id, run, value),
    };
    let ended: FinishedRun[] = [];
    let written = performance.now();
    for (const run of claimed) {
      ended.push(await performRun(run, registry.get(run.job.task)!, parts));
      // The jobs of a batch end together, yet a slow one must not hold back the ends of many quick ones.
      if (performance.now() - written > 1_000) {
        await settle(ended);
        ended = [];
        written = performance.now();
      }
    }
    await settle(ended);
  }

  /** Writes the ends, waiting for the database as long as it takes: done work is not done again for a restart of the server. */
  const settle = groupWrites(async (ended: readonly FinishedRun[]): Promise<void> => {
    for (let pause = 100, refusals = 0; ended.length > 0 && !closed; pause = Math.min(pause * 2, 5_000)) {
      try {
        const kept = new Set(await finishJobs(own.pool, id, ended, requeueBudget));
        for (const { id: job } of ended)
          if (!kept.has(job)) log.warning(`Job ${job} was taken from this worker; its result is discarded.`, { job_id: job });
        break;
      } catch (error) {
        if (closed) break;
        if (isDatabaseLost(error)) noteAway(error);
        else if (++refusals >= 3) {
          log.error('The end of a job could not be written. The reaper will put it back.', { error });
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    for (const { id: job } of ended) runs.delete(job);
  });

  async function beat(): Promise<void> {
    await recordWorkerHeartbeat(own.db, { id, queues, concurrency });
    noteBack();
    const held = [...runs.values()];
    const alive = new Map((await recordJobHeartbeats(own.db, id, held)).map((row) => [row.id, row.state]));
    for (const run of held) {
      // Ended while the beat was under way.
      if (runs.get(run.id) !== run) continue;
      const state = alive.get(run.id);
      if (state === undefined) interrupt(run, 'lost');
      else if (state === 'aborting') interrupt(run, 'abort');
    }
  }

  function start(): void {
    if (stopParts) throw new Error('This worker is already started.');
    const listener = listen({
      address: database.address,
      name: 'catalog worker listen',
      queryTimeoutSeconds: answerSeconds,
      channels: [readyChannel, abortChannel],
      onConnected() {
        // Work and aborts announced before anyone listened.
        wake.wake();
        void beat().catch(noteAway);
      },
      onNotice(channel, payload) {
        const run = channel === abortChannel ? runs.get(payload) : undefined;
        if (run) interrupt(run, 'abort');
        else wake.wake();
      },
    });
    const heart = startHeartbeat({
      beat,
      everyMs: beatSeconds * 1_000,
      deadlineMs: heartbeatSeconds * 1_000,
      onFailure: noteAway,
      onLost() {
        for (const run of runs.values()) interrupt(run, 'lost');
      },
    });
    claiming = claimLoop();
    stopParts = async () => {
      heart.stop();
      await listener.stop();
    };
  }

  async function drain(graceSeconds: number): Promise<void> {
    const deadline = performance.now() + graceSeconds * 1_000;
    draining = true;
    wake.wake();
    const idle = async (): Promise<void> => {
      await claiming;
      while (slots.size > 0) await Promise.race(slots);
    };
    if (!(await endsBefore(idle(), deadline - Math.min(2_000, graceSeconds * 250)))) {
      for (const run of runs.values()) interrupt(run, 'drain');
      if (!(await endsBefore(idle(), Math.max(deadline, performance.now() + 100)))) await soon(putBack());
    }
    closed = true;
    await stopParts?.();
    await soon(removeWorker(own.db, id).catch(() => {}));
    await soon(own.close());
  }

  /** Runs that did not listen to their signal: their jobs go back to todo, and whatever they still bring is fenced off. */
  async function putBack(): Promise<void> {
    const left = [...runs.values()].map((run) => ({
      id: run.id,
      claim: run.claim,
      outcome: { kind: 'released', seconds: 0, lost: false } as const,
      progress: null,
    }));
    if (left.length > 0) await finishJobs(own.pool, id, left, requeueBudget).catch(noteAway);
  }

  return { id, start, drain, stop: () => drain(0), running: () => runs.size };
}

/** The last words of a worker: a database that is away or half open must not hold up the end. */
const soon = (work: Promise<void>): Promise<boolean> => endsBefore(work, performance.now() + 1_000);

async function endsBefore(work: Promise<void>, deadline: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
  });
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
