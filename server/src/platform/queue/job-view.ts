import { type RawBuilder, sql } from 'kysely';
import type { JobState } from './contract.ts';

/** A job as people see it. Of the payload only the ids and the path that say what it is about; times are ISO strings. */
export interface JobView {
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
  /** On a failed job: someone stopped it, it did not break. */
  abort_requested: boolean;
  error: string | null;
  traceback: string | null;
  progress: Record<string, unknown> | null;
}

export type JobArgs = Partial<Record<'item_id' | 'library_id' | 'scan_run_id' | 'rel_path', string>>;

export interface JobRow {
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

export const jobColumns: RawBuilder<unknown> = sql.raw(
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

export function presentJob(row: JobRow): JobView {
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

export function presentArgs(payload: Record<string, unknown>): JobArgs {
  const args: JobArgs = {};
  for (const name of ['item_id', 'library_id', 'scan_run_id', 'rel_path'] as const) {
    const value = payload[name];
    if (typeof value === 'string') args[name] = value;
  }
  return args;
}

export const isJobId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
