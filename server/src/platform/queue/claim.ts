import type pg from 'pg';

export interface ClaimedJob {
  id: string;
  queue: string;
  task: string;
  payload: unknown;
  attempts: number;
  claim: number;
}

interface ClaimRequest {
  workerId: string;
  queues: readonly string[];
  tasks: readonly string[];
  /** For batch tasks: the number of jobs that one slot takes at once, by task name. */
  batches: Readonly<Record<string, number>>;
  /** Libraries that have labels are served only if one of them is listed here. */
  labels: readonly string[];
  /** Number of free slots. */
  slots: number;
  /** Jobs this worker is still running, including ones it has lost. They are not claimed again while they run here. */
  busyWith: readonly string[];
}

/**
 * The cost of a claim must not depend on the backlog or on table statistics. The lateral join reads only the head of each queue, `more` uses
 * scalar subqueries so that the index returns rows in order up to the limit, and ids are compared with arrays so that they use the primary key.
 */
const claimStatement = `
  with relaxed as materialized (
    select set_config('synchronous_commit', 'off', true)
  ), due as materialized (
    select found.id
    from unnest($1::text[]) as served (queue)
    cross join lateral (
      select id from jobs
      where state = 'todo' and queue = served.queue and run_at <= now() and task = any($2::text[]) and id <> all($3::uuid[])
        and (place is null or place_served(place, $7::text[]))
      order by priority desc, run_at, id
      limit 32 + $6
    ) as found
  ), head as materialized (
    select id, queue, task, priority, run_at from jobs
    where id = any(array(select id from due)) and state = 'todo' and run_at <= now()
    order by priority desc, run_at, id
    limit $6
    for update skip locked
  ), batch as materialized (
    select queue, task, priority, ($4::jsonb ->> task)::int - (select count(*) from head as same where same.task = head.task) as remaining
    from head where $4::jsonb ? task
    order by priority desc, run_at, id
    limit 1
  ), more as materialized (
    select id from jobs
    where state = 'todo' and queue = (select queue from batch) and priority = (select priority from batch) and run_at <= now()
      and task = (select task from batch) and id <> all(array(select id from head)) and id <> all($3::uuid[])
      and (place is null or place_served(place, $7::text[]))
    order by run_at, id
    limit greatest(0, (select remaining from batch))
    for update skip locked
  ), claimed as (
    update jobs
    set state = 'doing', attempts = attempts + 1, claim = claim + 1, worker_id = $5::uuid, started_at = now(), heartbeat_at = now(), finished_at = null,
        progress = null
    from relaxed
    where jobs.id = any(array(select id from head union all select id from more))
    returning jobs.id, jobs.queue, jobs.task, jobs.payload, jobs.attempts, jobs.claim, jobs.priority, jobs.run_at
  )
  select claimed.id, claimed.queue, claimed.task, claimed.payload, claimed.attempts, claimed.claim, (select count(*) from due)::int as due
  from (select 1) as always left join claimed on true
  order by claimed.priority desc, claimed.run_at, claimed.id`;

/**
 * Claims the most urgent due jobs (by priority, run_at, id), one per free slot, and fills up the most urgent batch task among them. Returns
 * one list of jobs per slot. `contended` is true when other workers were claiming all due jobs; the caller should retry soon.
 *
 * The claim is committed asynchronously, because a claim lost in a database crash only leaves the job in todo.
 */
export async function claimJobs(pool: pg.Pool, request: ClaimRequest): Promise<{ slots: ClaimedJob[][]; contended: boolean }> {
  const { workerId, queues, tasks, batches, labels, busyWith } = request;
  const values = [queues, tasks, busyWith, JSON.stringify(batches), workerId, request.slots, labels];
  // A named statement is planned once per connection; planning takes longer than claiming.
  const { rows } = await pool.query<ClaimedJob & { due: number }>({ name: 'claim_jobs', text: claimStatement, values });
  const slots = Map.groupBy(
    rows.filter(({ id }) => id !== null),
    ({ id, task }) => (task in batches ? task : id),
  );
  return { slots: [...slots.values()], contended: slots.size === 0 && (rows[0]?.due ?? 0) > 0 };
}
