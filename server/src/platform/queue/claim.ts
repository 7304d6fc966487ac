import type pg from 'pg';

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
  /** Task name to the number of jobs of it that one slot takes at once, for batch tasks. */
  batches: Readonly<Record<string, number>>;
  /** Slots that are free. */
  slots: number;
  /** Jobs this worker is still busy with, though it may have lost them: it never runs one twice at the same time. */
  busyWith: readonly string[];
}

/**
 * A claim must cost the same at any backlog, whatever the planner believes about the table: the lateral reads the head of each served
 * queue, the equalities of `more` are scalar subqueries so that its index delivers rows in order until the limit, and ids are compared
 * with arrays so that they are looked up one by one.
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
    select queue, task, priority, ($4::jsonb ->> task)::int - (select count(*) from head as same where same.task = head.task) as room
    from head where $4::jsonb ? task
    order by priority desc, run_at, id
    limit 1
  ), more as materialized (
    select id from jobs
    where state = 'todo' and queue = (select queue from batch) and priority = (select priority from batch) and run_at <= now()
      and task = (select task from batch) and id <> all(array(select id from head)) and id <> all($3::uuid[])
    order by run_at, id
    limit greatest(0, (select room from batch))
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
 * Takes the most urgent due jobs (priority, then run_at, then id), one a free slot, and fills up the most urgent batch task among them. The
 * answer has one list a slot. `contended` tells that due jobs were seen but every one was being taken by someone else: ask again at once
 * rather than go to sleep.
 *
 * The commit is not waited for: a claim lost in a crash of the database leaves the job in todo, which is right.
 */
export async function claimJobs(pool: pg.Pool, request: ClaimRequest): Promise<{ slots: ClaimedJob[][]; contended: boolean }> {
  const { workerId, queues, tasks, batches, busyWith } = request;
  const values = [queues, tasks, busyWith, JSON.stringify(batches), workerId, request.slots];
  // Named, so that the server plans it once a connection: planning costs more than claiming.
  const { rows } = await pool.query<ClaimedJob & { due: number }>({ name: 'claim_jobs', text: claimStatement, values });
  const slots = Map.groupBy(
    rows.filter(({ id }) => id !== null),
    ({ id, task }) => (task in batches ? task : id),
  );
  return { slots: [...slots.values()], contended: slots.size === 0 && (rows[0]?.due ?? 0) > 0 };
}
