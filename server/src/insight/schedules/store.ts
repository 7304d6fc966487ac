import { sql } from 'kysely';
import type { Owner } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { ExportRow, ReportParams } from '../exports/index.ts';

export interface ScheduleRow {
  id: string;
  owner_kind: Owner['kind'];
  owner_id: string | null;
  owner_name: string;
  key_id: string | null;
  name: string;
  canned_report_key: string | null;
  report_definition_id: string | null;
  params: ReportParams;
  format: ExportRow['format'];
  cron: string;
  channel_ids: string[];
  enabled: boolean;
  only_if_rows: boolean;
  only_changes: boolean;
  last_cron_fired_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const columns = sql`id, owner_kind, owner_id, owner_name, key_id, name, canned_report_key, report_definition_id, params, format, cron, channel_ids, enabled,
  only_if_rows, only_changes, last_cron_fired_at, created_at, updated_at`;

export async function listSchedules(db: Db, filter: { owner: string | null; key: string | null; all: boolean }): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`select ${columns} from report_schedules
    where ${filter.all} or (owner_id is not distinct from ${filter.owner}::uuid and coalesce(key_id = ${filter.key}::uuid, ${filter.key}::uuid is null)) order by lower(name), id limit 1000`.execute(
    db,
  );
  return rows;
}

export async function enabledSchedules(db: Db): Promise<Pick<ScheduleRow, 'id' | 'cron'>[]> {
  const { rows } = await sql<Pick<ScheduleRow, 'id' | 'cron'>>`select id, cron from report_schedules where enabled`.execute(db);
  return rows;
}

export async function findSchedule(db: Db, id: string): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`select ${columns} from report_schedules where id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

export async function lockSchedule(tx: Db, id: string): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`select ${columns} from report_schedules where id = ${id}::uuid for no key update`.execute(tx);
  return rows[0] ?? null;
}

export async function countSchedules(db: Db, owner: string | null): Promise<number> {
  const { rows } = await sql<{
    schedules: number;
  }>`select count(*) as schedules from report_schedules where owner_id is not distinct from ${owner}::uuid`.execute(db);
  return one(rows).schedules;
}

export type NewSchedule = Omit<ScheduleRow, 'id' | 'last_cron_fired_at' | 'created_at' | 'updated_at'>;

/** Null when the owner has a schedule of this name. */
export async function insertSchedule(db: Db, row: NewSchedule): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`insert into report_schedules
      (owner_kind, owner_id, owner_name, key_id, name, canned_report_key, report_definition_id, params, format, cron, channel_ids, enabled, only_if_rows, only_changes)
    values (${row.owner_kind}, ${row.owner_id}, ${row.owner_name}, ${row.key_id}, ${row.name}, ${row.canned_report_key}, ${row.report_definition_id},
      ${JSON.stringify(row.params)}::jsonb, ${row.format}, ${row.cron}, ${row.channel_ids}::uuid[], ${row.enabled}, ${row.only_if_rows}, ${row.only_changes})
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

/** Null when the owner has another schedule of this name. */
export async function updateSchedule(db: Db, row: ScheduleRow): Promise<ScheduleRow | null> {
  const { rows } = await sql<ScheduleRow>`update report_schedules s set name = ${row.name}, canned_report_key = ${row.canned_report_key},
      report_definition_id = ${row.report_definition_id}, params = ${JSON.stringify(row.params)}::jsonb, format = ${row.format}, cron = ${row.cron},
      channel_ids = ${row.channel_ids}::uuid[], enabled = ${row.enabled}, only_if_rows = ${row.only_if_rows}, only_changes = ${row.only_changes}, updated_at = now()
    where id = ${row.id} and not exists (select from report_schedules o where o.owner_id is not distinct from s.owner_id and lower(o.name) = lower(${row.name}) and o.id <> s.id)
    returning ${columns}`.execute(db);
  return rows[0] ?? null;
}

export async function deleteScheduleRow(db: Db, id: string): Promise<void> {
  await sql`delete from report_schedules where id = ${id}::uuid`.execute(db);
}

export async function setFired(db: Db, id: string, occurrence: Date): Promise<void> {
  await sql`update report_schedules set last_cron_fired_at = ${occurrence} where id = ${id}::uuid`.execute(db);
}

export async function schedulesOfChannel(db: Db, channelId: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from report_schedules where ${channelId}::uuid = any(channel_ids) order by lower(name), id`.execute(db);
  return rows.map(({ name }) => name);
}

export interface ChannelName {
  id: string;
  name: string;
  type: string;
  enabled: boolean;
}

export async function channelNames(db: Db): Promise<ChannelName[]> {
  const { rows } = await sql<ChannelName>`select id, name, type, enabled from alert_channels order by lower(name) limit 1000`.execute(db);
  return rows;
}
