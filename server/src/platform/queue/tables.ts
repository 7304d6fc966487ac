import type { Generated, JSONColumnType } from 'kysely';
import type { JobState } from './contract.ts';

type Json = JSONColumnType<Record<string, unknown>>;

export interface JobsTable {
  id: Generated<string>;
  queue: string;
  task: string;
  payload: Json;
  state: Generated<JobState>;
  priority: Generated<number>;
  lock: string | null;
  attempts: Generated<number>;
  max_attempts: number;
  requeues: Generated<number>;
  claim: Generated<number>;
  age_exempt: Generated<boolean>;
  run_at: Generated<Date>;
  created_at: Generated<Date>;
  started_at: Date | null;
  heartbeat_at: Date | null;
  finished_at: Date | null;
  worker_id: string | null;
  abort_requested: Generated<boolean>;
  error: string | null;
  traceback: string | null;
  progress: JSONColumnType<Record<string, unknown> | null>;
}

export interface WorkersTable {
  id: string;
  host: string;
  pid: number;
  queues: string[];
  concurrency: number;
  started_at: Generated<Date>;
  heartbeat_at: Generated<Date>;
}

export interface CronSchedulesTable {
  key: string;
  cron: string;
  last_occurrence: Date;
  fired_at: Date | null;
}

declare module '../database/tables.ts' {
  interface Tables {
    jobs: JobsTable;
    workers: WorkersTable;
    cron_schedules: CronSchedulesTable;
  }
}
