import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

export interface ScheduleOverride {
  task: string;
  cron: string | null;
  disabled: boolean;
}

export async function readOverrides(db: Db): Promise<Map<string, ScheduleOverride>> {
  const { rows } = await sql<ScheduleOverride>`select task, cron, disabled from maintenance_schedules`.execute(db);
  return new Map(rows.map((row) => [row.task, row]));
}

export async function writeOverride(db: Db, { task, cron, disabled }: ScheduleOverride): Promise<void> {
  if (cron === null && !disabled) await sql`delete from maintenance_schedules where task = ${task}`.execute(db);
  else
    await sql`insert into maintenance_schedules (task, cron, disabled) values (${task}, ${cron}, ${disabled})
      on conflict (task) do update set cron = excluded.cron, disabled = excluded.disabled, updated_at = now()`.execute(db);
}

export interface LastRun {
  task: string;
  job_id: string;
  status: string;
  at: Date;
  started_at: Date | null;
  duration_seconds: number | null;
}

/** The newest job of each task. */
export async function lastTaskRuns(db: Db, tasks: readonly string[]): Promise<Map<string, LastRun>> {
  const { rows } = await sql<LastRun>`select distinct on (task) task, id as job_id, state as status, created_at as at, started_at,
      extract(epoch from finished_at - started_at)::float8 as duration_seconds
    from jobs where task = any(${[...tasks]}) order by task, id desc`.execute(db);
  return new Map(rows.map((row) => [row.task, row]));
}
