import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

export interface RunRow {
  id: string;
  schedule_id: string;
  job_id: string | null;
  trigger: 'cron' | 'manual';
  state: 'queued' | 'exporting' | 'delivering' | 'delivered' | 'stored' | 'skipped' | 'failed';
  export_id: string | null;
  detail: string | null;
  started_at: Date;
  finished_at: Date | null;
}

export async function insertRun(db: Db, scheduleId: string, trigger: RunRow['trigger']): Promise<RunRow> {
  const { rows } = await sql<RunRow>`insert into schedule_runs (schedule_id, trigger) values (${scheduleId}, ${trigger})
    returning id, schedule_id, job_id, trigger, state, export_id, detail, started_at, finished_at`.execute(db);
  return one(rows);
}

export async function setRunJob(db: Db, id: string, jobId: string): Promise<void> {
  await sql`update schedule_runs set job_id = ${jobId} where id = ${id}`.execute(db);
}

export async function findRun(db: Db, id: string): Promise<RunRow | null> {
  const { rows } =
    await sql<RunRow>`select id, schedule_id, job_id, trigger, state, export_id, detail, started_at, finished_at from schedule_runs
    where id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** An unfinished run of a schedule, so that a slow report does not run twice at once. */
export async function openRun(db: Db, scheduleId: string): Promise<RunRow | null> {
  const { rows } =
    await sql<RunRow>`select id, schedule_id, job_id, trigger, state, export_id, detail, started_at, finished_at from schedule_runs
    where schedule_id = ${scheduleId} and state in ('queued', 'exporting', 'delivering') limit 1`.execute(db);
  return rows[0] ?? null;
}

export async function setExport(db: Db, id: string, exportId: string): Promise<void> {
  await sql`update schedule_runs set state = 'exporting', export_id = ${exportId} where id = ${id}`.execute(db);
}

export async function setDelivering(db: Db, id: string, channelIds: readonly string[]): Promise<void> {
  await sql`with run as (update schedule_runs set state = 'delivering' where id = ${id} returning id)
    insert into schedule_deliveries (run_id, channel_id) select run.id, channel from run cross join unnest(${channelIds}::uuid[]) channel on conflict do nothing`.execute(
    db,
  );
}

export async function endRun(
  db: Db,
  id: string,
  state: 'delivered' | 'stored' | 'skipped' | 'failed',
  detail: string | null,
): Promise<void> {
  await sql`update schedule_runs set state = ${state}, detail = ${detail}, finished_at = now() where id = ${id} and finished_at is null`.execute(
    db,
  );
}

export interface DeliveryRow {
  channel_id: string;
  state: 'pending' | 'delivered' | 'failed' | 'skipped';
  attempts: number;
  last_error: string | null;
  /** Services of the channel that have the message. */
  done_targets: string[];
}

export async function deliveriesOf(db: Db, runId: string): Promise<DeliveryRow[]> {
  const { rows } =
    await sql<DeliveryRow>`select channel_id, state, attempts, last_error, done_targets from schedule_deliveries where run_id = ${runId} order by channel_id`.execute(
      db,
    );
  return rows;
}

export async function setDeliveryState(db: Db, runId: string, delivery: DeliveryRow): Promise<void> {
  const { channel_id, state, attempts, last_error, done_targets } = delivery;
  await sql`update schedule_deliveries set state = ${state}, attempts = ${attempts}, last_error = ${last_error}, done_targets = ${done_targets},
    delivered_at = case when ${state} = 'delivered' then now() end where run_id = ${runId} and channel_id = ${channel_id}`.execute(db);
}

export interface RunDetails extends RunRow {
  row_count: number | null;
  file_size_bytes: number | null;
  downloadable: boolean;
  deliveries: { channel: string | null; state: DeliveryRow['state']; attempts: number; last_error: string | null }[];
}

/** Newest first. */
export async function listRuns(db: Db, scheduleId: string, page: { limit: number; offset: number }): Promise<RunDetails[]> {
  const { rows } =
    await sql<RunDetails>`select r.id, r.schedule_id, r.job_id, r.trigger, r.state, r.export_id, r.detail, r.started_at, r.finished_at, e.row_count,
      e.file_size_bytes, coalesce(e.status = 'complete' and e.purged_at is null, false) as downloadable,
      coalesce((select jsonb_agg(jsonb_build_object('channel', c.name, 'state', d.state, 'attempts', d.attempts, 'last_error', d.last_error) order by c.name)
        from schedule_deliveries d left join alert_channels c on c.id = d.channel_id where d.run_id = r.id), '[]') as deliveries
    from schedule_runs r left join exports e on e.id = r.export_id where r.schedule_id = ${scheduleId}::uuid order by r.id desc limit ${page.limit} offset ${page.offset}`.execute(
      db,
    );
  return rows;
}

export interface AbandonedRun {
  schedule_id: string;
  name: string;
  export_id: string | null;
  reason: string;
  /** Somebody waits for the report: the schedule has a channel, and the run was not aborted by a person. */
  missed: boolean;
}

/** Ends the runs that no job will finish: their job failed, was aborted or deleted, or ended without them. */
export async function endAbandonedRuns(db: Db): Promise<AbandonedRun[]> {
  const { rows } = await sql<AbandonedRun>`with abandoned as (
      select r.id, coalesce(j.error, 'The worker was lost. The next run starts at its time.') as reason, coalesce(j.abort_requested, false) as aborted
      from schedule_runs r left join jobs j on j.id = r.job_id where r.finished_at is null and (j.id is null or j.state in ('failed', 'succeeded')))
    update schedule_runs r set state = 'failed', detail = a.reason, finished_at = now() from abandoned a, report_schedules s
    where r.id = a.id and s.id = r.schedule_id and r.finished_at is null
    returning r.schedule_id, s.name, r.export_id, a.reason, s.channel_ids <> '{}' and not a.aborted as missed`.execute(db);
  return rows;
}

/** Keeps the newest runs of each schedule. */
export async function purgeRuns(db: Db, keep: number): Promise<number> {
  const { rows } = await sql`delete from schedule_runs where id in (
    select id from (select id, row_number() over (partition by schedule_id order by id desc) as n from schedule_runs where finished_at is not null) r where n > ${keep}
    limit 10000) returning id`.execute(db);
  return rows.length;
}
