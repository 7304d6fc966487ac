import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import { readyChannel } from './channels.ts';
import { hasLostHeartbeat, isStalled, type StallLimits } from './stalled.ts';

export interface ReapOptions extends StallLimits {
  /** SVC_REAP_MAX_ATTEMPTS: how often a job other than scan_library is put back before it is failed. */
  maxRequeues: number;
}

export interface ReapCounts {
  requeued: number;
  failed: number;
  aborted: number;
  workers_removed: number;
}

/**
 * One pass over running jobs. A job caught by a net goes back to todo, or is failed when its requeue budget is used up, or ends as aborted
 * when it was asked to stop. A worker that does still run it learns so at its next heartbeat and its result is discarded. Two passes at
 * once share the work.
 */
export async function reap(db: Db, options: ReapOptions): Promise<ReapCounts> {
  const verdicts = await sql<{ verdict: 'requeued' | 'failed' | 'aborted' }>`
    with caught as (
      select id, queue, ${hasLostHeartbeat(options.heartbeatSeconds)} as silent,
        case
          when state = 'aborting' then 'aborted'
          when task <> 'scan_library' and requeues >= ${options.maxRequeues} then 'failed'
          else 'requeued'
        end as verdict
      from jobs
      where state in ('doing', 'aborting') and ${isStalled(options)}
      order by id
      for update skip locked
    ), told as materialized (
      select pg_notify(${readyChannel}, queue) from (select distinct queue from caught where verdict = 'requeued') as woken
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
          when caught.silent then 'The worker stopped answering.'
          else format('The job ran longer than %s seconds.', ${options.stallSeconds}::text)
        end || case when caught.verdict = 'failed' then format(' It was put back %s times before; no more attempts are made.', jobs.requeues) else '' end,
        traceback = null
    from caught, (select count(*) from told) as announced
    where jobs.id = caught.id
    returning caught.verdict`.execute(db);
  const count = (wanted: string): number => verdicts.rows.filter(({ verdict }) => verdict === wanted).length;
  const gone =
    await sql`delete from workers where heartbeat_at < now() - greatest(${options.heartbeatSeconds} * 10, 3600) * interval '1 second'`.execute(
      db,
    );
  return {
    requeued: count('requeued'),
    failed: count('failed'),
    aborted: count('aborted'),
    workers_removed: Number(gone.numAffectedRows ?? 0n),
  };
}
