import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import { abortChannel, readyChannel } from './channels.ts';
import { isJobId, type JobRow, type JobView, jobColumns, presentJob } from './job-view.ts';
import { getJob } from './queries.ts';

/** Null: there is no such job. `refused` says why nothing was changed. */
export type ActionResult<Refusal extends string> = { job: JobView; refused: Refusal | null } | null;

/** Stops a job: one that waits is failed at once, one that runs is told to stop and becomes aborting. */
export async function abortJob(db: Db, id: string): Promise<ActionResult<'finished'>> {
  if (!isJobId(id)) return null;
  const changed = await sql<JobRow>`
    update jobs
    set abort_requested = true,
        state = case state when 'todo' then 'failed' else 'aborting' end,
        finished_at = case state when 'todo' then now() end,
        error = case state when 'todo' then 'Aborted on request.' else error end,
        traceback = case state when 'todo' then null else traceback end
    where id = ${id}::uuid and state in ('todo', 'doing', 'aborting')
    returning ${jobColumns}`.execute(db);
  const row = changed.rows[0];
  if (row?.state === 'aborting') await sql`select pg_notify(${abortChannel}, ${row.id})`.execute(db);
  return row ? { job: presentJob(row), refused: null } : refusal(db, id, 'finished');
}

/** Gives a failed job a fresh start. Refused when it has not failed, or when another open job holds its lock. */
export async function retryJob(db: Db, id: string): Promise<ActionResult<'not_failed' | 'locked'>> {
  if (!isJobId(id)) return null;
  const changed = await sql<JobRow>`
    update jobs
    set state = 'todo', attempts = 0, requeues = 0, run_at = now(), started_at = null, finished_at = null, worker_id = null, abort_requested = false, progress = null
    where id = ${id}::uuid and state = 'failed'
      and not exists (select from jobs as other where other.lock = jobs.lock and other.state in ('todo', 'doing', 'aborting'))
    returning ${jobColumns}`
    .execute(db)
    // Someone took the lock between the look and the change.
    .catch((error: { code?: string }) => {
      if (error.code === '23505') return { rows: [] };
      throw error;
    });
  const row = changed.rows[0];
  if (!row) return refusal(db, id, (job) => (job.state === 'failed' ? 'locked' : 'not_failed'));
  await sql`select pg_notify(${readyChannel}, ${row.queue})`.execute(db);
  return { job: presentJob(row), refused: null };
}

/** Removes failed jobs, of one queue or task if named. */
export async function clearFailedJobs(
  db: Db,
  { queue, task }: { queue?: string; task?: string } = {},
): Promise<{ deleted: number; queue: string | null }> {
  const gone = await sql`
    delete from jobs
    where state = 'failed' and (${queue ?? null}::text is null or queue = ${queue ?? null}) and (${task ?? null}::text is null or task = ${task ?? null})`.execute(
    db,
  );
  return { deleted: Number(gone.numAffectedRows ?? 0n), queue: queue ?? null };
}

async function refusal<Refusal extends string>(
  db: Db,
  id: string,
  why: Refusal | ((job: JobView) => Refusal),
): Promise<ActionResult<Refusal>> {
  const job = await getJob(db, id);
  return job && { job, refused: typeof why === 'function' ? why(job) : why };
}
