import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../clock.ts';
import { connect, type Database } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import { claimJobs } from './claim.ts';
import {
  abortChannel,
  queues as allQueues,
  createRegistry,
  type QueueName,
  readyChannel,
  type Task,
  tasksForQueues,
  workerLock,
} from './contract.ts';
import { type FinishedRun, finishJobs, groupWrites, isDatabaseLost, writeProgress } from './finish.ts';
import { createSleeper, listen } from './listener.ts';
import {
  createRun,
  interrupt,
  performRun,
  type Run,
  recordJobHeartbeats,
  recordWorkerHeartbeat,
  removeWorker,
  startHeartbeat,
} from './run.ts';

/**
 * The states of a job and its transitions.
 *
 * todo: waits for run_at and a free slot. Jobs are claimed by priority, then run_at, then id.
 *   -> doing     a worker claims it: attempts and claim increase by one, and the heartbeat starts.
 *   -> failed    a user aborts it before it starts.
 * doing: performed by one worker, which updates the heartbeat.
 *   -> succeeded `perform` returned.
 *   -> todo      `perform` threw and attempts are left: retried after an increasing delay. Error and traceback are kept.
 *   -> failed    `perform` threw and no attempt is left, or it threw `permanentFailure()`.
 *   -> todo      `perform` threw `rescheduleIn(seconds)`: not a failure, the attempt is not counted.
 *   -> todo      the worker stops before the job has finished: not a failure, the attempt is not counted.
 *   -> todo      the database connection was lost, or the reaper found the heartbeat lost or the time limit exceeded: the attempt is not
 *                counted, and requeues increases by one.
 *   -> failed    the same, when the requeue budget is used up. scan_library has no such budget.
 *   -> aborting  a user stops it.
 * aborting: still running, with its signal aborted.
 *   -> failed    `perform` threw anything, or the reaper found the worker lost. The error is "Aborted on request." and abort_requested stays
 *                true, which distinguishes it from a job that failed on its own.
 *   -> succeeded `perform` returned: the work is complete. A task that stops early must throw.
 * failed, succeeded: finished, until retention deletes the row.
 *   failed -> todo  a user retries it: attempts and requeues start at zero.
 *
 * A lock is held in todo, doing and aborting. A run loses its job when the reaper requeues it or when its heartbeat could not be written in
 * time; its signal is then aborted. An outcome is stored only if worker and claim number still match, so a run cannot finish a job it lost.
 */
export interface WorkerOptions {
  database: Database;
  tasks: readonly Task[];
  log: Log;
  /** Parallel slots. */
  concurrency?: number;
  /** All queues when omitted. */
  queues?: readonly QueueName[];
  /** Of the libraries that this worker can reach. Libraries without labels are served by every worker. */
  labels?: readonly string[];
  clock?: Clock;
  /** A job counts as lost after this long without a heartbeat. */
  heartbeatSeconds?: number;
  /** A third of `heartbeatSeconds` when omitted. */
  heartbeatIntervalSeconds?: number;
  /** How often to look for due jobs without a notification: delayed jobs, or a lost notification. */
  pollSeconds?: number;
  /** How often a job other than scan_library may be requeued after its database connection or worker was lost. */
  requeueBudget?: number;
  /** The worker's own statements time out after this long, and their connection is replaced. */
  queryTimeoutSeconds?: number;
  random?: () => number;
}

export interface Worker {
  id: string;
  /** Starts claiming jobs, as soon as the database is available. */
  start(): void;
  /** Stops claiming and waits for running jobs. Shortly before the grace period ends they are aborted; jobs still running at its end are requeued. */
  drain(graceSeconds: number): Promise<void>;
  /** Like `drain` without a grace period. */
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
    heartbeatIntervalSeconds = heartbeatSeconds / 3,
    pollSeconds = 2,
    requeueBudget = 10,
    queryTimeoutSeconds = 30,
    random = Math.random,
    labels = [],
  } = options;
  const id = randomUUID();
  const registry = createRegistry(options.tasks);
  const queues = options.queues ?? (Object.keys(allQueues) as QueueName[]);
  const served = tasksForQueues(registry, queues);
  const request = {
    workerId: id,
    queues: [...new Set(served.map(({ queue }) => queue))],
    tasks: served.map(({ name }) => name),
    labels,
    batches: Object.fromEntries(served.flatMap(({ name, batch }) => (batch === undefined ? [] : [[name, batch]]))),
  };
  // A separate pool, so that tasks which exhaust the shared one cannot block the heartbeat.
  const own = connect(database.address, { max: 3, name: 'catalog worker', queryTimeoutSeconds });
  const runs = new Map<string, Run>();
  const slots = new Set<Promise<void>>();
  const sleeper = createSleeper();
  let draining = false;
  let closed = false;
  /** Ends when all heartbeats of the worker that were started are written or have failed. */
  let recording: Promise<unknown> = Promise.resolve();
  let databaseLost = false;
  let claiming: Promise<void> = Promise.resolve();
  let stopBackground: (() => Promise<void>) | null = null;

  const onDatabaseLost = (error: unknown): void => {
    if (!databaseLost && !closed) log.warning('The database is not responding. Jobs are paused until it is available again.', { error });
    databaseLost = true;
  };
  const onDatabaseBack = (): void => {
    if (databaseLost) log.info('The database is available again. Jobs continue.');
    databaseLost = false;
  };

  async function claimLoop(): Promise<void> {
    let pause = 100;
    while (!draining) {
      if (slots.size >= concurrency || request.tasks.length === 0) {
        await sleeper.sleep(60_000);
        continue;
      }
      try {
        const { slots: claimed, contended } = await claimJobs(own.pool, {
          ...request,
          slots: concurrency - slots.size,
          busyWith: [...runs.keys()],
        });
        onDatabaseBack();
        pause = 100;
        for (const jobs of claimed) occupySlot(jobs.map(createRun));
        if (claimed.length > 0) continue;
        if (contended) await sleeper.sleep(2 + random() * 20);
        else await sleeper.sleep(pollSeconds * 1_000);
      } catch (error) {
        onDatabaseLost(error);
        await sleeper.sleep(pause);
        pause = Math.min(pause * 2, 5_000);
      }
    }
  }

  function occupySlot(claimed: Run[]): void {
    for (const run of claimed) {
      runs.set(run.id, run);
      // Claimed while the worker was already stopping.
      if (draining) interrupt(run, 'drain');
    }
    const slot = performAll(claimed).finally(() => {
      slots.delete(slot);
      sleeper.wake();
    });
    slots.add(slot);
  }

  async function performAll(claimed: readonly Run[]): Promise<void> {
    const deps = {
      db: database.db,
      log,
      clock,
      random,
      writeProgress: (run: Run, value: Record<string, unknown>) => writeProgress(own.db, id, run, value),
    };
    let ended: FinishedRun[] = [];
    let written = performance.now();
    for (const run of claimed) {
      const task = registry.get(run.job.task);
      if (!task) throw new Error(`A job of the unknown task ${run.job.task} was claimed.`);
      ended.push(await performRun(run, task, deps));
      // Outcomes of a batch are stored together, but a slow job must not delay those of the fast ones before it.
      if (performance.now() - written > 1_000) {
        await settle(ended);
        ended = [];
        written = performance.now();
      }
    }
    await settle(ended);
  }

  /** Stores outcomes. Waits for the database as long as necessary, so that finished work is not repeated after a database restart. */
  const settle = groupWrites(async (ended: readonly FinishedRun[]): Promise<void> => {
    for (let pause = 100, refusals = 0; ended.length > 0 && !closed; pause = Math.min(pause * 2, 5_000)) {
      try {
        const kept = new Set(await finishJobs(own.pool, id, ended, requeueBudget));
        for (const { id: job } of ended)
          if (!kept.has(job)) log.warning(`Job ${job} was taken from this worker; its result is discarded.`, { job_id: job });
        break;
      } catch (error) {
        if (closed) break;
        if (isDatabaseLost(error)) onDatabaseLost(error);
        else if (++refusals >= 3) {
          log.error('The outcome of a job could not be stored. The reaper will requeue the job.', { error });
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
    for (const { id: job } of ended) runs.delete(job);
  });

  async function beat(): Promise<void> {
    if (closed) return;
    const recorded = recordWorkerHeartbeat(own.db, { id, queues, concurrency, labels });
    recording = Promise.allSettled([recording, recorded]);
    await recorded;
    onDatabaseBack();
    const active = [...runs.values()];
    const alive = new Map((await recordJobHeartbeats(own.db, id, active)).map((row) => [row.id, row.state]));
    for (const run of active) {
      // Finished while the heartbeat was being written.
      if (runs.get(run.id) !== run) continue;
      const state = alive.get(run.id);
      if (state === undefined) interrupt(run, 'lost');
      else if (state === 'aborting') interrupt(run, 'abort');
    }
  }

  function start(): void {
    if (stopBackground) throw new Error('This worker is already started.');
    const listener = listen({
      address: database.address,
      name: 'catalog worker listen',
      queryTimeoutSeconds,
      channels: [readyChannel, abortChannel],
      lock: `${workerLock}${id}`,
      onConnected() {
        // Jobs and aborts may have been announced before the connection was listening.
        sleeper.wake();
        void beat().catch(onDatabaseLost);
      },
      onNotice(channel, payload) {
        const run = channel === abortChannel ? runs.get(payload) : undefined;
        if (run) interrupt(run, 'abort');
        else sleeper.wake();
      },
    });
    const heartbeat = startHeartbeat({
      beat,
      everyMs: heartbeatIntervalSeconds * 1_000,
      deadlineMs: heartbeatSeconds * 1_000,
      onFailure: onDatabaseLost,
      onLost() {
        for (const run of runs.values()) interrupt(run, 'lost');
      },
    });
    claiming = claimLoop();
    stopBackground = async () => {
      heartbeat.stop();
      await listener.stop();
    };
  }

  async function drain(graceSeconds: number): Promise<void> {
    const deadline = performance.now() + graceSeconds * 1_000;
    draining = true;
    sleeper.wake();
    const idle = async (): Promise<void> => {
      await claiming;
      while (slots.size > 0) await Promise.race(slots);
    };
    if (!(await endsBefore(idle(), deadline - Math.min(2_000, graceSeconds * 250)))) {
      for (const run of runs.values()) interrupt(run, 'drain');
      if (!(await endsBefore(idle(), Math.max(deadline, performance.now() + 100)))) await withinOneSecond(requeueRunning());
    }
    closed = true;
    await stopBackground?.();
    // Behind a heartbeat that is under way, which would register the worker again. If this fails, the reaper removes its row later.
    await withinOneSecond(recording.then(() => removeWorker(own.db, id)).catch(() => {}));
    await withinOneSecond(own.close());
  }

  /** Requeues the jobs of runs that ignored their signal. Their later outcomes are discarded because the claim no longer matches. */
  async function requeueRunning(): Promise<void> {
    const left = [...runs.values()].map((run) => ({
      id: run.id,
      claim: run.claim,
      outcome: { kind: 'released', seconds: 0, lost: false } as const,
      progress: null,
    }));
    if (left.length > 0) await finishJobs(own.pool, id, left, requeueBudget).catch(onDatabaseLost);
  }

  return { id, start, drain, stop: () => drain(0), running: () => runs.size };
}

/** Limits the final statements of a worker, so that an unresponsive database cannot block its shutdown. */
const withinOneSecond = (work: Promise<void>): Promise<boolean> => endsBefore(work, performance.now() + 1_000);

async function endsBefore(work: Promise<void>, deadline: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, deadline - performance.now()));
  });
  const ended = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return ended;
}
