import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import {
  CronError,
  deleteSchedule,
  enqueue,
  nextFirings,
  noteSchedule,
  parseCron,
  type Schedule,
  scheduledTask,
} from '../../platform/queue/index.ts';
import { describeOutcome, outcomeCounts } from './outcome.ts';

export async function describeTasks(db: Db, definitions: readonly MaintenanceTask[]) {
  const overrides = await readOverrides(db);
  const next = await nextFirings(db, await maintenanceSchedules(db, definitions));
  const runs = await lastTaskRuns(
    db,
    definitions.map(({ task }) => task.name),
  );
  return definitions.map((definition) => {
    const override = overrides.get(definition.key);
    const cron = override?.cron ?? definition.defaultCron;
    const enabled = !override?.disabled;
    const run = runs.get(definition.task.name);
    return {
      key: definition.key,
      title: definition.title,
      description: definition.description,
      category: definition.category,
      queue: definition.task.queue,
      cron,
      default_cron: definition.defaultCron,
      overridden: override?.cron != null,
      enabled,
      editable: !definition.fixed,
      gate: definition.unavailable ? { enabled: false as const, reason: definition.unavailable } : null,
      runnable: !definition.unavailable && (!definition.fixed || definition.category === 'monitors'),
      next_run_at: next.get(definition.task.name)?.toISOString() ?? null,
      last_run: run
        ? {
            job_id: run.job_id,
            status: run.status,
            at: run.at.toISOString(),
            started_at: run.started_at?.toISOString() ?? null,
            duration_seconds: run.duration_seconds,
            outcome: describeOutcome(run),
            counts: outcomeCounts(run),
          }
        : null,
    };
  });
}

export function findTask(definitions: readonly MaintenanceTask[], key: string): MaintenanceTask {
  const definition = definitions.find((each) => each.key === key);
  if (!definition) throw problem('not_found', `No maintenance task is named "${key}".`);
  return definition;
}

/** `cron: null` drops the override; `enabled: false` disables. */
export async function updateTask(
  db: Db,
  definition: MaintenanceTask,
  change: { cron?: string | null | undefined; enabled?: boolean | undefined },
): Promise<void> {
  if (definition.fixed) throw problem('conflict', 'This task has a fixed schedule that cannot be changed.');
  if (change.cron) checkCron(change.cron);
  const before: ScheduleOverride = (await readOverrides(db)).get(definition.key) ?? { task: definition.key, cron: null, disabled: false };
  const after = {
    task: definition.key,
    cron: change.cron === undefined ? before.cron : change.cron,
    disabled: change.enabled === undefined ? before.disabled : !change.enabled,
  };
  await writeOverride(db, after);
  // After a change of schedule, missed occurrences of the old one must not fire.
  if (after.disabled || after.cron !== before.cron) await deleteSchedule(db, definition.task.name);
  const cron = after.cron ?? definition.defaultCron;
  if (!after.disabled && cron) await noteSchedule(db, definition.task.name, cron);
}

function checkCron(cron: string): void {
  try {
    parseCron(cron);
  } catch (error) {
    if (error instanceof CronError) throw fieldProblem(['body', 'cron'], error.message, 'cron');
    throw error;
  }
}

export async function runTask(db: Db, definition: MaintenanceTask): Promise<string> {
  if (definition.unavailable) throw problem('conflict', definition.unavailable);
  if (definition.fixed && definition.category !== 'monitors')
    throw problem('conflict', 'This task runs automatically every minute and cannot be started by hand.');
  const id = await enqueue(db, definition.task, {}, { lock: definition.task.name });
  if (!id) throw problem('already_queued');
  return id;
}

/** The active schedules. In maintenance mode editable tasks are left out, so each fires once when the mode ends. */
export async function maintenanceSchedules(db: Db, definitions: readonly MaintenanceTask[]): Promise<Schedule[]> {
  const [overrides, mode] = await Promise.all([readOverrides(db), maintenanceMode(db)]);
  return definitions.flatMap((definition) => {
    const override = overrides.get(definition.key);
    const cron = override?.cron ?? definition.defaultCron;
    if (!cron || definition.unavailable || override?.disabled || (mode.active && !definition.fixed)) return [];
    return [scheduledTask(definition.task, cron, {})];
  });
}

interface ScheduleOverride {
  task: string;
  cron: string | null;
  disabled: boolean;
}

async function readOverrides(db: Db): Promise<Map<string, ScheduleOverride>> {
  const { rows } = await sql<ScheduleOverride>`select task, cron, disabled from maintenance_schedules`.execute(db);
  return new Map(rows.map((row) => [row.task, row]));
}

async function writeOverride(db: Db, { task, cron, disabled }: ScheduleOverride): Promise<void> {
  if (cron === null && !disabled) await sql`delete from maintenance_schedules where task = ${task}`.execute(db);
  else
    await sql`insert into maintenance_schedules (task, cron, disabled) values (${task}, ${cron}, ${disabled})
      on conflict (task) do update set cron = excluded.cron, disabled = excluded.disabled, updated_at = now()`.execute(db);
}

interface LastRun {
  task: string;
  job_id: string;
  status: string;
  at: Date;
  started_at: Date | null;
  duration_seconds: number | null;
  progress: Record<string, unknown> | null;
  error: string | null;
}

/** The newest job of each task, even if its row has been purged. */
async function lastTaskRuns(db: Db, tasks: readonly string[]): Promise<Map<string, LastRun>> {
  const { rows } = await sql<LastRun>`select distinct on (task) task, job_id, status, at, started_at, duration_seconds, progress, error
    from (
      select task, id as job_id, state as status, created_at as at, started_at, extract(epoch from finished_at - started_at)::float8 as duration_seconds, progress, error
      from jobs where task = any(${[...tasks]})
      union all
      select task, job_id, state, created_at, started_at, extract(epoch from finished_at - started_at)::float8, progress, error
      from last_runs where task = any(${[...tasks]})
    ) as runs
    order by task, job_id desc`.execute(db);
  return new Map(rows.map((row) => [row.task, row]));
}
