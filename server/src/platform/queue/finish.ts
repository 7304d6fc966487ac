import { sql } from 'kysely';
import type pg from 'pg';
import { type Db, databaseFailure, storableJson, storableText } from '../database/index.ts';
import { InvalidPayload } from './contract.ts';

export interface FinishedRun {
  id: string;
  claim: number;
  outcome: RunOutcome;
  /** The last reported progress, if it has not been stored yet. */
  progress: Record<string, unknown> | null;
}

/** The states are excluded instead of listed, so that the planner uses the primary key and not the partial index of running jobs. */
const finishStatement = `
  with ended as materialized (
    select given.*, (
      case
        when given.back is null then given.state
        when jobs.state = 'aborting' then 'failed'
        when given.state = 'failed' and jobs.attempts >= jobs.max_attempts then 'failed'
        when given.lost = 1 and jobs.task <> 'scan_library' and jobs.requeues >= $1::int then 'failed'
        else 'todo'
      end) as next,
      jobs.state = 'aborting' and given.back is not null as cut_short
    from unnest($3::uuid[], $4::int[], $5::text[], $6::float8[], $7::int[], $8::int[], $9::text[], $10::text[], $11::text[])
      as given (id, claim, state, back, uncount, lost, error, traceback, progress)
    join jobs on jobs.id = given.id
    where jobs.claim = given.claim and jobs.worker_id = $2::uuid and jobs.state not in ('todo', 'failed', 'succeeded')
    order by given.id
    for update of jobs
  )
  update jobs
  set state = ended.next,
      run_at = case when ended.next = 'todo' then now() + ended.back * interval '1 second' else jobs.run_at end,
      finished_at = case when ended.next = 'todo' then null else now() end,
      worker_id = case when ended.next = 'todo' then null else jobs.worker_id end,
      heartbeat_at = null,
      attempts = jobs.attempts - case when ended.next = 'todo' then ended.uncount else 0 end,
      requeues = jobs.requeues + case when ended.next = 'todo' then ended.lost else 0 end,
      error = case when ended.cut_short then 'Aborted on request.' when ended.state = 'todo' then coalesce(ended.error, jobs.error) else ended.error end,
      traceback = case when ended.cut_short then null when ended.state = 'todo' then jobs.traceback else ended.traceback end,
      progress = coalesce(ended.progress::jsonb, jobs.progress)
  from ended
  where jobs.id = ended.id
  returning jobs.id`;

/**
 * Stores the outcomes of runs in one durable statement and returns the ids of the jobs that still belonged to this worker. A run that has
 * lost its job changes nothing. A job aborted in the meantime fails instead of returning to todo.
 */
export async function finishJobs(
  pool: pg.Pool,
  workerId: string,
  finished: readonly FinishedRun[],
  requeueBudget: number,
): Promise<string[]> {
  const rows = finished.map(({ id, claim, outcome, progress }) => ({
    id,
    claim,
    ...columnsOf(outcome),
    progress: progress && storableJson(progress),
  }));
  const columns = (['id', 'claim', 'state', 'back', 'uncount', 'lost', 'error', 'traceback', 'progress'] as const).map((key) =>
    rows.map((row) => row[key]),
  );
  const written = await pool.query<{ id: string }>({
    name: 'finish_jobs',
    text: finishStatement,
    values: [requeueBudget, workerId, ...columns],
  });
  return written.rows.map(({ id }) => id);
}

/** `back` is the delay in seconds before the job runs again; null when it has finished. */
function columnsOf(outcome: RunOutcome) {
  const none = { back: null as number | null, uncount: 0, lost: 0, error: null as string | null, traceback: null as string | null };
  switch (outcome.kind) {
    case 'succeeded':
      return { ...none, state: 'succeeded' };
    case 'failed':
      return { ...none, state: 'failed', back: outcome.retrySeconds, error: outcome.error, traceback: outcome.traceback };
    case 'released':
      return {
        ...none,
        state: 'todo',
        back: outcome.seconds,
        uncount: 1,
        lost: outcome.lost ? 1 : 0,
        error: outcome.lost ? 'The database connection was lost during the run.' : null,
      };
  }
}

/** Stores the progress of a running job, unless the run has lost its job. */
export async function writeProgress(
  db: Db,
  workerId: string,
  job: { id: string; claim: number },
  value: Record<string, unknown>,
): Promise<void> {
  await sql`
    update jobs set progress = ${storableJson(value)}::jsonb
    where id = ${job.id}::uuid and claim = ${job.claim} and worker_id = ${workerId}::uuid and state in ('doing', 'aborting')`.execute(db);
}

/** How a run ended. */
export type RunOutcome =
  | { kind: 'succeeded' }
  /** `retrySeconds` is null when the job must not be retried, even if attempts are left. */
  | { kind: 'failed'; error: string; traceback: string; retrySeconds: number | null }
  /** Requeued without counting as a failure. With `lost`, it counts against the requeue budget. */
  | { kind: 'released'; seconds: number; lost: boolean };

class Reschedule extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`Rescheduled in ${seconds} seconds.`);
    this.seconds = seconds;
  }
}

class PermanentFailure extends Error {}

export const isPermanentFailure = (error: unknown): boolean => error instanceof PermanentFailure;

/** `throw rescheduleIn(30)` runs the job again after 30 seconds without counting a failure. Add jitter if many jobs may do so at once. */
export function rescheduleIn(seconds: number): Error {
  return new Reschedule(Math.max(0, seconds));
}

/** `throw permanentFailure('The channel has no address.')` fails the job without using the remaining attempts. */
export function permanentFailure(message: string, cause?: unknown): Error {
  return new PermanentFailure(message, cause === undefined ? undefined : { cause });
}

/** The reason why a run was aborted. Tasks find it in `signal.reason`. */
export class JobInterrupted extends Error {
  readonly kind: 'abort' | 'drain' | 'lost';
  constructor(kind: 'abort' | 'drain' | 'lost') {
    super(
      { abort: 'Aborted on request.', drain: 'The worker is stopping.', lost: 'The heartbeat was lost; another worker may run this job.' }[
        kind
      ],
    );
    this.name = 'Interruption';
    this.kind = kind;
  }
}

/** Maps an error thrown by a task to the outcome of its run. */
export function outcomeOf(thrown: unknown, run: { attempt: number; signal: AbortSignal; random: () => number }): RunOutcome {
  const interruption = run.signal.aborted && run.signal.reason instanceof JobInterrupted ? run.signal.reason : null;
  // This does not requeue an aborted job: its row is in state `aborting`, which `finishJobs` turns into `failed`.
  if (interruption) return { kind: 'released', seconds: 0, lost: false };
  if (thrown instanceof Reschedule) return { kind: 'released', seconds: thrown.seconds, lost: false };
  // Nothing was written, and a person has to free space first.
  if (databaseFailure(thrown) === 'full') return { kind: 'released', seconds: 30, lost: false };
  // A lost connection is not the task's failure, but it counts against the requeue budget in case the job itself crashes the database.
  if (isDatabaseLost(thrown)) return { kind: 'released', seconds: 5, lost: true };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const final = isPermanentFailure(error) || error instanceof InvalidPayload;
  return {
    kind: 'failed',
    error: storableText(error.message || error.name, 2_000),
    traceback: storableText(tracebackOf(error), 20_000),
    retrySeconds: final ? null : retryDelay(run.attempt, run.random),
  };
}

/** 5 s, 10 s, 20 s … up to ten minutes, ±25 % so that jobs which failed together are not retried together. */
function retryDelay(attempt: number, random: () => number): number {
  const base = Math.min(600, 5 * 2 ** Math.min(attempt - 1, 10));
  return base * (0.75 + random() / 2);
}

function tracebackOf(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\nCaused by: ${tracebackOf(error.cause)}` : own;
}

/** The database or its disk failed, not the task. */
export function isDatabaseLost(error: unknown): boolean {
  return databaseFailure(error) !== null;
}

/** Collects items that arrive during a write into the next one, so that many slots share one commit. `write` must not reject. */
export function groupWrites<Item>(write: (items: readonly Item[]) => Promise<void>): (items: readonly Item[]) => Promise<void> {
  let arriving: Item[] = [];
  let next: Promise<void> | null = null;
  let current: Promise<void> = Promise.resolve();
  return (items) => {
    arriving.push(...items);
    next ??= current.then(() => {
      const group = arriving;
      arriving = [];
      next = null;
      current = write(group);
      return current;
    });
    return next;
  };
}
