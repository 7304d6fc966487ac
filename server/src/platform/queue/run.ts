import os from 'node:os';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { ClaimedJob } from './claim.ts';
import { type Task, checkPayload } from './contract.ts';
import { type FinishedRun, JobInterrupted, type RunOutcome, outcomeOf } from './finish.ts';

/** One claimed job while this worker holds it. */
export interface Run {
  id: string;
  claim: number;
  job: ClaimedJob;
  controller: AbortController;
}

export function createRun(job: ClaimedJob): Run {
  return { id: job.id, claim: job.claim, job, controller: new AbortController() };
}

/** The first reason stands: a run that lost its job is not turned into an aborted one afterwards. */
export function interrupt(run: Run, kind: JobInterrupted['kind']): void {
  if (!run.controller.signal.aborted) run.controller.abort(new JobInterrupted(kind));
}

/** Performs one job to its end and says how it ended; never throws. */
export async function performRun(
  run: Run,
  task: Task,
  parts: { db: Db; log: Log; clock: Clock; random: () => number; writeProgress(run: Run, value: Record<string, unknown>): Promise<void> },
): Promise<FinishedRun> {
  const { signal } = run.controller;
  const attempt = run.job.attempts;
  const log = parts.log.child(task.name);
  const progress = createProgress((value) => parts.writeProgress(run, value));
  let outcome: RunOutcome = { kind: 'succeeded' };
  try {
    // A later job of a batch may be called off before its turn.
    signal.throwIfAborted();
    const payload = checkPayload(task, run.job.payload);
    await task.perform(payload, { db: parts.db, log, clock: parts.clock, jobId: run.id, attempt, signal, progress: progress.report });
  } catch (error) {
    outcome = outcomeOf(error, { attempt, signal, random: parts.random });
    if (outcome.kind === 'failed') log.error(`Job ${run.id} failed: ${outcome.error}`, { error, attempt, job_id: run.id });
  }
  return { id: run.id, claim: run.claim, outcome, progress: await progress.close() };
}

/**
 * Repeats `beat` for as long as it is not stopped. When no beat has succeeded for `deadlineMs`, the work can no longer be called alive and
 * `onLost` runs, once for each such silence. A beat that hangs in a half-open connection counts as a silence too.
 */
export function startHeartbeat(options: {
  beat(): Promise<void>;
  everyMs: number;
  deadlineMs: number;
  onLost(): void;
  onFailure(error: unknown): void;
}): {
  stop(): void;
} {
  let lastBeat = performance.now();
  let beating = false;
  let lost = false;

  const beat = async (): Promise<void> => {
    if (beating) return;
    beating = true;
    try {
      await options.beat();
      lastBeat = performance.now();
      lost = false;
    } catch (error) {
      options.onFailure(error);
    } finally {
      beating = false;
    }
  };

  const timer = setInterval(() => {
    void beat();
    if (!lost && performance.now() - lastBeat > options.deadlineMs) {
      lost = true;
      options.onLost();
    }
  }, options.everyMs);
  return { stop: () => clearInterval(timer) };
}

export interface JobHeartbeat {
  id: string;
  state: 'doing' | 'aborting';
}

/** Says that these runs are alive; answers those that are still this worker's. Needs no waiting for the disk: the next beat repeats it. */
export async function recordJobHeartbeats(
  db: Db,
  workerId: string,
  runs: readonly { id: string; claim: number }[],
): Promise<JobHeartbeat[]> {
  if (runs.length === 0) return [];
  const beaten = await sql<JobHeartbeat>`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), alive as (
      select jobs.id
      from unnest(${runs.map(({ id }) => id)}::uuid[], ${runs.map(({ claim }) => claim)}::int[]) as run (id, claim)
      join jobs on jobs.id = run.id and jobs.claim = run.claim
      where jobs.worker_id = ${workerId}::uuid and jobs.state not in ('todo', 'failed', 'succeeded')
      order by jobs.id
      for update of jobs
    )
    update jobs set heartbeat_at = clock_timestamp()
    from relaxed, alive
    where jobs.id = alive.id
    returning jobs.id, jobs.state`.execute(db);
  return beaten.rows;
}

/** Says that this worker is alive, and what it serves. */
export async function recordWorkerHeartbeat(db: Db, worker: { id: string; queues: readonly string[]; concurrency: number }): Promise<void> {
  await sql`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    )
    insert into workers (id, host, pid, queues, concurrency)
    select ${worker.id}::uuid, ${os.hostname()}, ${process.pid}, ${worker.queues}::text[], ${worker.concurrency} from relaxed
    on conflict (id) do update set heartbeat_at = clock_timestamp()`.execute(db);
}

export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await sql`delete from workers where id = ${workerId}::uuid`.execute(db);
}

/** Passes progress on at most once a second; values in between are collapsed to the latest. */
export interface ProgressWriter {
  report(value: Record<string, unknown>): void;
  /** Stops writing and hands over the value that was not written yet. */
  close(): Promise<Record<string, unknown> | null>;
}

export function createProgress(write: (value: Record<string, unknown>) => Promise<void>, apartMs = 1_000): ProgressWriter {
  let pending: Record<string, unknown> | null = null;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let closed = false;

  const flush = (): void => {
    timer = null;
    if (closed || !pending) return;
    const value = pending;
    pending = null;
    // Progress is a courtesy: one that cannot be written is replaced by the next.
    writing = write(value).catch(() => {});
    timer = setTimeout(flush, apartMs);
    timer.unref();
  };

  return {
    report(value) {
      if (closed) return;
      pending = { ...value };
      if (!timer) flush();
    },
    async close() {
      closed = true;
      if (timer) clearTimeout(timer);
      await writing;
      return pending;
    },
  };
}
