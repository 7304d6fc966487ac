import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import { type JobState, queues } from './contract.ts';
import { isJobId, type JobArgs, type JobRow, type JobView, jobColumns, presentArgs, presentJob } from './job-view.ts';
import { isStalled, type StallLimits, stalledSince } from './stalled.ts';

export interface JobFilter {
  state?: JobState;
  queue?: string;
  task?: string;
}

export interface JobPage {
  items: JobView[];
  total: number;
  limit: number;
  next_cursor: string | null;
}

const matches = ({ state, queue, task }: JobFilter) => sql<boolean>`
  (${state ?? null}::text is null or state = ${state ?? null}) and (${queue ?? null}::text is null or queue = ${queue ?? null}) and (${task ?? null}::text is null or task = ${task ?? null})`;

/** Newest first. `cursor` is the `next_cursor` of the page before: the id of its last job, so new jobs do not shift the pages. */
export async function listJobs(db: Db, filter: JobFilter & { limit: number; cursor?: string | null }): Promise<JobPage> {
  const { limit, cursor } = filter;
  const page = await sql<JobRow>`
    select ${jobColumns} from jobs
    where ${matches(filter)} and (${cursor ?? null}::uuid is null or id < ${cursor ?? null}::uuid)
    order by id desc limit ${limit + 1}`.execute(db);
  const total = await sql<{ total: number }>`select count(*) as total from jobs where ${matches(filter)}`.execute(db);
  const items = page.rows.slice(0, limit).map(presentJob);
  return { items, total: total.rows[0]!.total, limit, next_cursor: page.rows.length > limit ? items.at(-1)!.id : null };
}

/** Null when there is no such job; also for text that is no id at all. */
export async function getJob(db: Db, id: string): Promise<JobView | null> {
  if (!isJobId(id)) return null;
  const found = await sql<JobRow>`select ${jobColumns} from jobs where id = ${id}::uuid`.execute(db);
  return found.rows[0] ? presentJob(found.rows[0]) : null;
}

export interface RunningJob {
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
  /** Its last sign of life, or when its time was over; null while all is well. */
  stalled_since: string | null;
  progress: Record<string, unknown> | null;
}

/** What is being worked on, longest first, at most `limit`. */
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

export interface JobSummary {
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
