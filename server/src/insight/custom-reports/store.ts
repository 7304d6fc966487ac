import { sql } from 'kysely';
import type { Ownership } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

export interface CustomReport {
  id: string;
  owner_id: string | null;
  /** The limited key it was made with. */
  key_id: string | null;
  owner_name: string;
  name: string;
  query: string;
  columns: string[];
  sort: string[];
  group_by: string[];
  aggregates: string[];
  format: 'csv' | 'json' | 'ndjson' | 'xml' | 'xlsx';
  shared: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The reports of an owner and those that others share; `all` lists everything, for administrators. */
export async function listReports(db: Db, { owner, key, all }: Ownership & { all: boolean }): Promise<CustomReport[]> {
  const { rows } = await sql<CustomReport>`select * from custom_reports
    where ${all} or shared or (owner_id is not distinct from ${owner}::uuid and coalesce(key_id = ${key}::uuid, ${key}::uuid is null)) order by lower(name), id`.execute(
    db,
  );
  return rows;
}

export async function findCustomReport(db: Db, id: string): Promise<CustomReport | null> {
  const { rows } = await sql<CustomReport>`select * from custom_reports where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The row stays locked until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockReport(tx: Db, id: string): Promise<void> {
  await sql`select from custom_reports where id = ${id} for no key update`.execute(tx);
}

export async function countReports(db: Db, { owner, key }: Ownership): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*) as total from custom_reports where owner_id is not distinct from ${owner}::uuid and key_id is not distinct from ${key}::uuid`.execute(
    db,
  );
  return one(rows).total;
}

export type NewReport = Omit<CustomReport, 'id' | 'created_at' | 'updated_at'>;

/** Null when the owner already has a report with this name. */
export async function insertReport(db: Db, row: NewReport): Promise<CustomReport | null> {
  const { rows } =
    await sql<CustomReport>`insert into custom_reports (owner_id, key_id, owner_name, name, query, columns, sort, group_by, aggregates, format, shared)
    values (${row.owner_id}, ${row.key_id}, ${row.owner_name}, ${row.name}, ${row.query}, ${row.columns}, ${row.sort}, ${row.group_by}, ${row.aggregates}, ${row.format}, ${row.shared})
    on conflict do nothing returning *`.execute(db);
  return rows[0] ?? null;
}

/** Null when the name is taken. */
export async function updateReport(db: Db, row: CustomReport): Promise<CustomReport | null> {
  const { rows } =
    await sql<CustomReport>`update custom_reports set name = ${row.name}, query = ${row.query}, columns = ${row.columns}, sort = ${row.sort},
      group_by = ${row.group_by}, aggregates = ${row.aggregates}, format = ${row.format}, shared = ${row.shared}, updated_at = now()
    where id = ${row.id} and not exists (
      select from custom_reports o where o.owner_id is not distinct from ${row.owner_id}::uuid and o.key_id is not distinct from ${row.key_id}::uuid
        and lower(o.name) = lower(${row.name}) and o.id <> ${row.id})
    returning *`.execute(db);
  return rows[0] ?? null;
}

export async function deleteReport(db: Db, id: string): Promise<void> {
  await sql`delete from custom_reports where id = ${id}`.execute(db);
}
