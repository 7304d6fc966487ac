import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../database/index.ts';
import { readyChannel } from './contract.ts';

interface ReapOptions extends StallLimits {
  /** SVC_REAP_MAX_ATTEMPTS: how often a job other than scan_library is requeued before it fails. */
  maxRequeues: number;
}

export interface ReapCounts {
  requeued: number;
  failed: number;
  aborted: number;
  workers_removed: number;
}

/**
 * Checks all running jobs once. A stalled job is requeued; it fails when its requeue budget is used up, or when it was being aborted. A worker
 * that still runs such a job learns this at its next heartbeat, and its result is discarded. Concurrent calls do not process a job twice.
 */
export async function reap(db: Db, options: ReapOptions): Promise<ReapCounts> {
  const verdicts = await sql<{ verdict: 'requeued' | 'failed' | 'aborted' }>`
    with caught as (
      select id, queue, ${hasLostHeartbeat(options.heartbeatSeconds)} as heartbeat_lost,
        case
          when state = 'aborting' then 'aborted'
          when task <> 'scan_library' and requeues >= ${options.maxRequeues} then 'failed'
          else 'requeued'
        end as verdict
      from jobs
      where state in ('doing', 'aborting') and ${isStalled(options)}
      order by id
      for update skip locked
    ), notified as materialized (
      select pg_notify(${readyChannel}, queue) from (select distinct queue from caught where verdict = 'requeued') as requeued
    )
    update jobs
    set state = case caught.verdict when 'requeued' then 'todo' else 'failed' end,
        attempts = jobs.attempts - case caught.verdict when 'requeued' then 1 else 0 end,
        requeues = jobs.requeues + case caught.verdict when 'requeued' then 1 else 0 end,
        run_at = case caught.verdict when 'requeued' then now() else jobs.run_at end,
        finished_at = case caught.verdict when 'requeued' then null else now() end,
        worker_id = case caught.verdict when 'requeued' then null else jobs.worker_id end,
        heartbeat_at = null,
        error = case
          when caught.verdict = 'aborted' then 'Aborted on request.'
          when caught.heartbeat_lost then 'The worker stopped responding.'
          else format('The job ran longer than %s seconds.', ${options.stallSeconds}::text)
        end || case when caught.verdict = 'failed' then format(' It was requeued %s times before and will not be retried.', jobs.requeues) else '' end,
        traceback = null
    from caught, (select count(*) from notified) as announced
    where jobs.id = caught.id
    returning caught.verdict`.execute(db);
  const count = (wanted: string): number => verdicts.rows.filter(({ verdict }) => verdict === wanted).length;
  const removed =
    await sql`delete from workers where heartbeat_at < now() - greatest(${options.heartbeatSeconds} * 10, 3600) * interval '1 second'`.execute(
      db,
    );
  return {
    requeued: count('requeued'),
    failed: count('failed'),
    aborted: count('aborted'),
    workers_removed: Number(removed.numAffectedRows ?? 0n),
  };
}

/** When the reaper considers a running job stalled. */
export interface StallLimits {
  /** SVC_JOB_STALL_HEARTBEAT_SECONDS: no heartbeat for this long, or for half as long when the session of the worker has ended. */
  heartbeatSeconds: number;
  /** SVC_JOB_STALL_SECONDS: running for longer than this, unless the task is exempt. */
  stallSeconds: number;
  /** SVC_JOB_STALL_AGE_EXEMPT_TASKS: exempt in addition to `alwaysExempt` and tasks with `ageExempt`. */
  exemptTasks: readonly string[];
}

/** These tasks may run for hours; only their heartbeat is checked. */
const alwaysExempt = [
  'scan_library',
  'nightly_reconcile',
  'rebuild_index',
  'reproject_library',
  'rebuild_chunks_index',
  'embed_missing',
  'chunk_missing',
  'backup_now',
  'compact_meili',
  'content_sniff',
  'rehash_small_files',
];

/** A condition on running `jobs`: the heartbeat is lost or the job exceeds its time limit. */
export function isStalled({ heartbeatSeconds, stallSeconds, exemptTasks }: StallLimits): RawBuilder<boolean> {
  return sql<boolean>`(${hasLostHeartbeat(heartbeatSeconds)} or (
    jobs.started_at < now() - ${stallSeconds} * interval '1 second' and not jobs.age_exempt and jobs.task <> all(${[...alwaysExempt, ...exemptTasks]}::text[])))`;
}

/**
 * A registered worker whose session lock is gone was killed, or is reconnecting. One that reconnects has a fresh heartbeat, so half of the
 * limit is enough for the others.
 */
function hasLostHeartbeat(heartbeatSeconds: number): RawBuilder<boolean> {
  return sql<boolean>`(jobs.heartbeat_at < now() - ${heartbeatSeconds} * interval '1 second' or (
    jobs.heartbeat_at < now() - ${heartbeatSeconds / 2} * interval '1 second'
    and exists (select from workers where workers.id = jobs.worker_id)
    and not exists (
      select from pg_locks
      where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())
        and (classid::bigint << 32 | objid::bigint) = hashtextextended('catalog worker ' || jobs.worker_id, 0))))`;
}

/** The last heartbeat if it is lost, otherwise the time at which the limit was exceeded. Null for a job that is not stalled. */
export function stalledSince(limits: StallLimits): RawBuilder<Date | null> {
  return sql<Date | null>`(case
    when ${hasLostHeartbeat(limits.heartbeatSeconds)} then jobs.heartbeat_at
    when ${isStalled(limits)} then jobs.started_at + ${limits.stallSeconds} * interval '1 second' end)`;
}

interface JobRetention {
  /** SVC_JOB_HISTORY_RETENTION_DAYS. */
  failedDays: number;
  /** Succeeded jobs are rarely looked up: they are deleted after two days, or earlier if `failedDays` is shorter. */
  succeededHours?: number;
}

const rowsPerDelete = 5_000;

/** Deletes finished jobs after their retention period, in batches so that no lock is held for long. */
export async function purgeJobs(db: Db, { failedDays, succeededHours = 48 }: JobRetention): Promise<{ succeeded: number; failed: number }> {
  return {
    succeeded: await purge(db, 'succeeded', Math.min(succeededHours, failedDays * 24)),
    failed: await purge(db, 'failed', failedDays * 24),
  };
}

async function purge(db: Db, state: 'succeeded' | 'failed', hours: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const deleted = await deleteJobs(
      db,
      sql`id in (select id from jobs where state = ${state} and finished_at < now() - ${hours} * interval '1 hour' order by finished_at limit ${rowsPerDelete} for update skip locked)`,
    );
    removed += deleted;
    if (deleted < rowsPerDelete) return removed;
  }
}

/** Deletes finished jobs and keeps the newest of each task in last_runs. Returns how many were deleted. */
export async function deleteJobs(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with deleted as (
      delete from jobs where ${condition} returning task, id, state, created_at, started_at, finished_at, progress, error
    ), kept as (
      insert into last_runs (task, job_id, state, created_at, started_at, finished_at, progress, error)
      select distinct on (task) task, id, state, created_at, started_at, finished_at, progress, error from deleted order by task, id desc
      on conflict (task) do update
        set job_id = excluded.job_id, state = excluded.state, created_at = excluded.created_at, started_at = excluded.started_at, finished_at = excluded.finished_at,
          progress = excluded.progress, error = excluded.error
        where last_runs.job_id < excluded.job_id
    )
    select count(*)::int as deleted from deleted`.execute(db);
  return one(rows).deleted;
}
