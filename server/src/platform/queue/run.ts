import os from 'node:os';
import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Db } from '../database/index.ts';
import type { Log } from '../log/index.ts';
import type { ClaimedJob } from './claim.ts';
import { checkPayload, type Task } from './contract.ts';
import { type FinishedRun, JobInterrupted, outcomeOf, type RunOutcome } from './finish.ts';

/** A job claimed by this worker. */
export interface Run {
  id: string;
  claim: number;
  job: ClaimedJob;
  controller: AbortController;
}

export function createRun(job: ClaimedJob): Run {
  return { id: job.id, claim: job.claim, job, controller: new AbortController() };
}

/** Only the first interruption counts: a run that lost its job does not become an aborted one. */
export function interrupt(run: Run, kind: JobInterrupted['kind']): void {
  if (!run.controller.signal.aborted) run.controller.abort(new JobInterrupted(kind));
}

/** Performs one job and returns its outcome; never throws. */
export async function performRun(
  run: Run,
  task: Task,
  deps: { db: Db; log: Log; clock: Clock; random: () => number; writeProgress(run: Run, value: Record<string, unknown>): Promise<void> },
): Promise<FinishedRun> {
  const { signal } = run.controller;
  const attempt = run.job.attempts;
  const log = deps.log.child(task.name);
  const progress = createProgress((value) => deps.writeProgress(run, value));
  let outcome: RunOutcome = { kind: 'succeeded' };
  try {
    // A later job of a batch may be aborted before it starts.
    signal.throwIfAborted();
    const payload = checkPayload(task, run.job.payload);
    await task.perform(payload, { db: deps.db, log, clock: deps.clock, jobId: run.id, attempt, signal, progress: progress.report });
  } catch (error) {
    outcome = outcomeOf(error, { attempt, signal, random: deps.random });
    if (outcome.kind === 'failed') log.error(`Job ${run.id} failed: ${outcome.error}`, { error, attempt, job_id: run.id });
  }
  return { id: run.id, claim: run.claim, outcome, progress: await progress.close() };
}

/**
 * Calls `beat` at a fixed interval until stopped. When no call has succeeded for `deadlineMs`, `onLost` is called, once per outage. A call
 * that hangs on a half-open connection counts as failed.
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

interface JobHeartbeat {
  id: string;
  state: 'doing' | 'aborting';
}

/** Updates the heartbeat of these runs and returns those that still belong to this worker. The commit is asynchronous because the next heartbeat repeats it. */
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

/** Registers this worker with its queues, or updates its heartbeat. */
export async function recordWorkerHeartbeat(
  db: Db,
  worker: { id: string; queues: readonly string[]; concurrency: number; labels: readonly string[] },
): Promise<void> {
  await sql`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    )
    insert into workers (id, host, pid, queues, concurrency, labels)
    select ${worker.id}::uuid, ${os.hostname()}, ${process.pid}, ${worker.queues}::text[], ${worker.concurrency}, ${worker.labels}::text[] from relaxed
    on conflict (id) do update set heartbeat_at = clock_timestamp()`.execute(db);
}

export async function removeWorker(db: Db, workerId: string): Promise<void> {
  await sql`delete from workers where id = ${workerId}::uuid`.execute(db);
}

/** Stores progress at most once a second; of the values reported in between only the last is stored. */
interface ProgressWriter {
  report(value: Record<string, unknown>): void;
  /** Stops writing and returns the last value if it was not written yet. */
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
    // A lost progress value does no harm: the next one replaces it.
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
