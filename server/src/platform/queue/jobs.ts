import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/index.ts';
import { abortChannel, type JobState, type QueueName, queues, readyChannel } from './contract.ts';
import { deleteJobs, isStalled, type StallLimits, stalledSince } from './reaper.ts';

interface JobFilter {
  state?: JobState;
  queue?: string;
  task?: string;
}

interface JobPage {
  items: JobView[];
  total: number;
  limit: number;
  next_cursor: string | null;
}

const matches = ({ state, queue, task }: JobFilter) => sql<boolean>`
  (${state ?? null}::text is null or state = ${state ?? null}) and (${queue ?? null}::text is null or queue = ${queue ?? null}) and (${task ?? null}::text is null or task = ${task ?? null})`;

/** Newest first. `cursor` is the id of the last job of the previous page, so that new jobs do not shift the pages. */
export async function listJobs(db: Db, filter: JobFilter & { limit: number; cursor?: string | null }): Promise<JobPage> {
  const { limit, cursor } = filter;
  const page = await sql<JobRow>`
    select ${jobColumns} from jobs
    where ${matches(filter)} and (${cursor ?? null}::uuid is null or id < ${cursor ?? null}::uuid)
    order by id desc limit ${limit + 1}`.execute(db);
  const total = await sql<{ total: number }>`select count(*) as total from jobs where ${matches(filter)}`.execute(db);
  const items = page.rows.slice(0, limit).map(presentJob);
  return { items, total: total.rows[0]?.total ?? 0, limit, next_cursor: page.rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** Returns null when no job has this id, or when it is not a valid id. */
export async function getJob(db: Db, id: string): Promise<JobView | null> {
  if (!isJobId(id)) return null;
  const found = await sql<JobRow>`select ${jobColumns} from jobs where id = ${id}::uuid`.execute(db);
  return found.rows[0] ? presentJob(found.rows[0]) : null;
}

interface RunningJob {
  id: string;
  queue: string;
  task: string;
  state: 'doing' | 'aborting';
  args: JobArgs;
  started_at: string;
  seconds_running: number;
  attempts: number;
  retry_cap: number;
  worker_id: string;
  worker_alive: boolean;
  stalled: boolean;
  /** Time of its last heartbeat, or when it exceeded its time limit; null for a healthy job. */
  stalled_since: string | null;
  progress: Record<string, unknown> | null;
}

/** Running jobs, longest-running first. */
export async function runningJobs(db: Db, limits: StallLimits, limit = 50): Promise<RunningJob[]> {
  const running = await sql<
    JobRow & { seconds_running: number; worker_alive: boolean; stalled_since: Date | null; started_at: Date; worker_id: string }
  >`
    select ${jobColumns}, extract(epoch from now() - jobs.started_at)::float8 as seconds_running, ${stalledSince(limits)} as stalled_since,
      coalesce(workers.heartbeat_at >= now() - ${limits.heartbeatSeconds} * interval '1 second', false) as worker_alive
    from jobs left join workers on workers.id = jobs.worker_id
    where jobs.state in ('doing', 'aborting')
    order by jobs.started_at, jobs.id
    limit ${limit}`.execute(db);
  return running.rows.map((row) => ({
    id: row.id,
    queue: row.queue,
    task: row.task,
    state: row.state as RunningJob['state'],
    args: presentArgs(row.payload),
    started_at: row.started_at.toISOString(),
    seconds_running: Math.max(0, row.seconds_running),
    attempts: row.attempts,
    retry_cap: row.max_attempts,
    worker_id: row.worker_id,
    worker_alive: row.worker_alive,
    stalled: row.stalled_since !== null,
    stalled_since: row.stalled_since?.toISOString() ?? null,
    progress: row.progress,
  }));
}

/** Changes the priority of the jobs of a queue that have not started, and returns how many there were. */
export async function setPriority(db: Db, queue: QueueName, priority: number): Promise<number> {
  const { numAffectedRows } = await sql`update jobs set priority = ${priority} where queue = ${queue} and state = 'todo'`.execute(db);
  return Number(numAffectedRows ?? 0);
}

interface JobSummary {
  queues: Record<string, Record<JobState, number>>;
  stalled: { total: number; by_queue: Record<string, number> };
  failed_recent: JobView[];
  workers: { id: string; host: string; pid: number; queues: string[]; concurrency: number; started_at: string; alive: boolean }[];
}

export async function summariseJobs(db: Db, limits: StallLimits): Promise<JobSummary> {
  const counts = await sql<{ queue: string; state: JobState; jobs: number; stalled: number }>`
    select queue, state, count(*) as jobs, count(*) filter (where state in ('doing', 'aborting') and ${isStalled(limits)}) as stalled
    from jobs group by queue, state`.execute(db);
  const failed = await sql<JobRow>`select ${jobColumns} from jobs where state = 'failed' order by finished_at desc limit 10`.execute(db);
  const workers = await sql<{
    id: string;
    host: string;
    pid: number;
    queues: string[];
    concurrency: number;
    started_at: Date;
    alive: boolean;
  }>`
    select id, host, pid, queues, concurrency, started_at, heartbeat_at >= now() - ${limits.heartbeatSeconds} * interval '1 second' as alive
    from workers order by started_at, id`.execute(db);

  const summary: JobSummary = {
    queues: Object.fromEntries(Object.keys(queues).map((name) => [name, noJobs()])),
    stalled: { total: 0, by_queue: {} },
    failed_recent: failed.rows.map(presentJob),
    workers: workers.rows.map((worker) => ({ ...worker, started_at: worker.started_at.toISOString() })),
  };
  for (const { queue, state, jobs, stalled } of counts.rows) {
    summary.queues[queue] ??= noJobs();
    summary.queues[queue][state] = jobs;
    if (stalled === 0) continue;
    summary.stalled.total += stalled;
    summary.stalled.by_queue[queue] = (summary.stalled.by_queue[queue] ?? 0) + stalled;
  }
  return summary;
}

const noJobs = (): Record<JobState, number> => ({ todo: 0, doing: 0, aborting: 0, failed: 0, succeeded: 0 });

/** A job as the API returns it. Only ids and the path are taken from the payload; times are ISO strings. */
interface JobView {
  id: string;
  queue: string;
  task: string;
  state: JobState;
  priority: number;
  args: JobArgs;
  lock: string | null;
  attempts: number;
  max_attempts: number;
  requeues: number;
  run_at: string;
  created_at: string;
  started_at: string | null;
  heartbeat_at: string | null;
  finished_at: string | null;
  worker_id: string | null;
  /** On a failed job: it was stopped by a user and did not fail on its own. */
  abort_requested: boolean;
  error: string | null;
  traceback: string | null;
  progress: Record<string, unknown> | null;
}

type JobArgs = Partial<Record<'item_id' | 'library_id' | 'scan_run_id' | 'rel_path', string>>;

interface JobRow {
  id: string;
  queue: string;
  task: string;
  state: JobState;
  priority: number;
  payload: Record<string, unknown>;
  lock: string | null;
  attempts: number;
  max_attempts: number;
  requeues: number;
  run_at: Date;
  created_at: Date;
  started_at: Date | null;
  heartbeat_at: Date | null;
  finished_at: Date | null;
  worker_id: string | null;
  abort_requested: boolean;
  error: string | null;
  traceback: string | null;
  progress: Record<string, unknown> | null;
}

const jobColumns: RawBuilder<unknown> = sql.raw(
  [
    'id',
    'queue',
    'task',
    'state',
    'priority',
    'payload',
    'lock',
    'attempts',
    'max_attempts',
    'requeues',
    'run_at',
    'created_at',
    'started_at',
  ]
    .concat(['heartbeat_at', 'finished_at', 'worker_id', 'abort_requested', 'error', 'traceback', 'progress'])
    .map((name) => `jobs.${name}`)
    .join(', '),
);

function presentJob(row: JobRow): JobView {
  const iso = (time: Date | null): string | null => time?.toISOString() ?? null;
  return {
    id: row.id,
    queue: row.queue,
    task: row.task,
    state: row.state,
    priority: row.priority,
    args: presentArgs(row.payload),
    lock: row.lock,
    attempts: row.attempts,
    max_attempts: row.max_attempts,
    requeues: row.requeues,
    run_at: row.run_at.toISOString(),
    created_at: row.created_at.toISOString(),
    started_at: iso(row.started_at),
    heartbeat_at: iso(row.heartbeat_at),
    finished_at: iso(row.finished_at),
    worker_id: row.worker_id,
    abort_requested: row.abort_requested,
    error: row.error,
    traceback: row.traceback,
    progress: row.progress,
  };
}

function presentArgs(payload: Record<string, unknown>): JobArgs {
  const args: JobArgs = {};
  for (const name of ['item_id', 'library_id', 'scan_run_id', 'rel_path'] as const) {
    const value = payload[name];
    if (typeof value === 'string') args[name] = value;
  }
  return args;
}

const isJobId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);

/** Null when the job does not exist. `refused` is the reason why nothing was changed. */
type ActionResult<Refusal extends string> = { job: JobView; refused: Refusal | null } | null;

/** Stops a job. A waiting job fails immediately; a running job becomes `aborting` and its worker is notified. */
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

/** Requeues a failed job with all its attempts. Refused when it has not failed, or when another unfinished job has its lock. */
export async function retryJob(db: Db, id: string): Promise<ActionResult<'not_failed' | 'locked'>> {
  if (!isJobId(id)) return null;
  const changed = await sql<JobRow>`
    update jobs
    set state = 'todo', attempts = 0, requeues = 0, run_at = now(), started_at = null, finished_at = null, worker_id = null, abort_requested = false, progress = null
    where id = ${id}::uuid and state = 'failed'
      and not exists (select from jobs as other where other.lock = jobs.lock and other.state in ('todo', 'doing', 'aborting'))
    returning ${jobColumns}`
    .execute(db)
    // Unique violation: another job took the lock while this statement ran.
    .catch((error: { code?: string }) => {
      if (error.code === '23505') return { rows: [] };
      throw error;
    });
  const row = changed.rows[0];
  if (!row) return refusal(db, id, (job) => (job.state === 'failed' ? 'locked' : 'not_failed'));
  await sql`select pg_notify(${readyChannel}, ${row.queue})`.execute(db);
  return { job: presentJob(row), refused: null };
}

/** Deletes failed jobs, optionally of one queue or task only. */
export async function clearFailedJobs(
  db: Db,
  { queue, task }: { queue?: string; task?: string } = {},
): Promise<{ deleted: number; queue: string | null }> {
  const deleted = await deleteJobs(
    db,
    sql`state = 'failed' and (${queue ?? null}::text is null or queue = ${queue ?? null}) and (${task ?? null}::text is null or task = ${task ?? null})`,
  );
  return { deleted, queue: queue ?? null };
}

async function refusal<Refusal extends string>(
  db: Db,
  id: string,
  why: Refusal | ((job: JobView) => Refusal),
): Promise<ActionResult<Refusal>> {
  const job = await getJob(db, id);
  return job && { job, refused: typeof why === 'function' ? why(job) : why };
}
