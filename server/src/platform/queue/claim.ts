import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

export interface ClaimedJob {
  id: string;
  queue: string;
  task: string;
  payload: unknown;
  attempts: number;
  claim: number;
}

export interface ClaimRequest {
  workerId: string;
  queues: readonly string[];
  tasks: readonly string[];
  /** Task name to the number of jobs of it that one slot takes at once; a task not named takes one. */
  batches: Readonly<Record<string, number>>;
  /** Jobs this worker is still busy with, though it may have lost them: it never runs one twice at the same time. */
  busyWith: readonly string[];
}

/**
 * Takes the most urgent due job (priority, then run_at, then id) and, for a batch task, more of the same task and priority. `contended`
 * tells that due jobs were seen but every one was being taken by someone else: ask again at once rather than go to sleep.
 *
 * The commit is not waited for: a claim lost in a crash of the database leaves the job in todo, which is right.
 */
export async function claimJobs(
  db: Db,
  { workerId, queues, tasks, batches, busyWith }: ClaimRequest,
): Promise<{ jobs: ClaimedJob[]; contended: boolean }> {
  const answer = await sql<ClaimedJob & { due: number }>`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    ), due as materialized (
      select found.id
      from unnest(${queues}::text[]) as served (queue)
      cross join lateral (
        select id from jobs
        where state = 'todo' and queue = served.queue and run_at <= now() and task = any(${tasks}::text[]) and id <> all(${busyWith}::uuid[])
        order by priority desc, run_at, id
        limit 32
      ) as found
    ), head as (
      select id, queue, task, priority from jobs
      where id in (select id from due) and state = 'todo' and run_at <= now()
      order by priority desc, run_at, id
      limit 1
      for update skip locked
    ), more as (
      select jobs.id from jobs join head using (queue, task, priority)
      where jobs.state = 'todo' and jobs.run_at <= now() and jobs.id <> head.id and jobs.id <> all(${busyWith}::uuid[])
      order by jobs.run_at, jobs.id
      limit (select coalesce((${JSON.stringify(batches)}::jsonb ->> task)::int, 1) - 1 from head)
      for update of jobs skip locked
    ), claimed as (
      update jobs
      set state = 'doing', attempts = attempts + 1, claim = claim + 1, worker_id = ${workerId}::uuid, started_at = now(), heartbeat_at = now(), finished_at = null,
          progress = null
      from relaxed, (select id from head union all select id from more) as picked
      where jobs.id = picked.id
      returning jobs.id, jobs.queue, jobs.task, jobs.payload, jobs.attempts, jobs.claim, jobs.run_at
    )
    select claimed.id, claimed.queue, claimed.task, claimed.payload, claimed.attempts, claimed.claim, (select count(*) from due)::int as due
    from (select 1) as always left join claimed on true
    order by claimed.run_at, claimed.id`.execute(db);
  const jobs = answer.rows.filter(({ id }) => id !== null);
  return { jobs, contended: jobs.length === 0 && (answer.rows[0]?.due ?? 0) > 0 };
}
