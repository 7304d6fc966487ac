import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database/index.ts';
import type { RunOutcome } from './outcomes.ts';
import { storableJson } from '../database/index.ts';

export interface FinishedRun {
  id: string;
  claim: number;
  outcome: RunOutcome;
  /** The newest progress that was not written yet. */
  progress: Record<string, unknown> | null;
}

/** The states are named by exclusion so that rows are found by id: the small index of running jobs would be read once a job. */
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
 * Writes how runs ended, durably, in one statement; answers the ids that were still this worker's. A run that has lost its job changes
 * nothing. An abort that arrived meanwhile wins over every way back to todo.
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

/** `back` is the delay in seconds of a way back to todo, null when the end is final. */
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
        error: outcome.lost ? 'The database went away during the run.' : null,
      };
  }
}

/** Stores a progress value of a running job; nothing when the run has lost its job. */
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
