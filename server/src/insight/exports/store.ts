import { sql } from 'kysely';
import type { RecordedRights } from '../../people/access/index.ts';
import type { Owner } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { FormatName } from './formats/index.ts';
import type { ExportSource } from './sources.ts';

export interface ExportRow {
  id: string;
  job_id: string | null;
  status: 'queued' | 'running' | 'complete' | 'failed' | 'cancelled';
  title: string;
  source: ExportSource & Record<string, unknown>;
  canned_report_key: string | null;
  report_definition_id: string | null;
  triggered_by: 'manual' | 'schedule';
  schedule_id: string | null;
  format: FormatName;
  gzip: boolean;
  owner_kind: Owner['kind'];
  owner_id: string | null;
  owner_name: string;
  key_id: string | null;
  rights: RecordedRights | null;
  row_count: number | null;
  file_size_bytes: number | null;
  sha256: string | null;
  error: string | null;
  delivery_status: 'pending' | 'delivered' | 'failed' | 'skipped' | null;
  delivery_error: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expires_at: Date | null;
  purged_at: Date | null;
  /** What the running job last reported. */
  progress: Record<string, unknown> | null;
}

export interface NewExport {
  title: string;
  source: ExportSource;
  format: FormatName;
  gzip: boolean;
  owner: Owner;
  ownerName: string;
  triggeredBy: 'manual' | 'schedule';
  scheduleId: string | null;
}

export async function insertExport(db: Db, row: NewExport): Promise<string> {
  const { source, owner } = row;
  const { rows } = await sql<{
    id: string;
  }>`insert into exports (title, source, canned_report_key, report_definition_id, format, gzip, owner_kind, owner_id, owner_name, key_id, triggered_by, schedule_id)
    values (${row.title}, ${JSON.stringify(source)}::jsonb, ${source.kind === 'report' ? source.id : null}, ${source.kind === 'custom' ? source.id : null},
      ${row.format}, ${row.gzip}, ${owner.kind}, ${owner.id}, ${row.ownerName}, ${owner.keyId}, ${row.triggeredBy}, ${row.scheduleId}) returning id`.execute(
    db,
  );
  return one(rows).id;
}

export async function setJob(db: Db, id: string, jobId: string): Promise<void> {
  await sql`update exports set job_id = ${jobId} where id = ${id}`.execute(db);
}

export async function findExport(db: Db, id: string): Promise<ExportRow | null> {
  const { rows } =
    await sql<ExportRow>`select e.*, j.progress from exports e left join jobs j on j.id = e.job_id where e.id = ${id}::uuid`.execute(db);
  return rows[0] ?? null;
}

/** Newest first. `all` lists those of everybody; `key` only those made with this key. */
export async function listExports(
  db: Db,
  filter: { owner: string | null; key: string | null; all: boolean; limit: number; offset: number },
): Promise<ExportRow[]> {
  const { rows } = await sql<ExportRow>`select e.*, j.progress from exports e left join jobs j on j.id = e.job_id
    where ${filter.all} or (e.owner_id is not distinct from ${filter.owner}::uuid and coalesce(e.key_id = ${filter.key}::uuid, ${filter.key}::uuid is null)) order by e.id desc limit ${filter.limit} offset ${filter.offset}`.execute(
    db,
  );
  return rows;
}

export async function countOpen(db: Db, owner: string | null): Promise<number> {
  const { rows } = await sql<{ open: number }>`select count(*) as open from exports
    where status in ('queued', 'running') and triggered_by = 'manual' and owner_id is not distinct from ${owner}::uuid`.execute(db);
  return one(rows).open;
}

/** False when the export was cancelled or is complete, so that it must not run. A failed one runs when its job is retried. */
export async function markRunning(db: Db, id: string): Promise<boolean> {
  const { rows } =
    await sql`update exports set status = 'running', started_at = now(), error = null where id = ${id}::uuid and status in ('queued', 'running', 'failed') returning 1`.execute(
      db,
    );
  return rows.length > 0;
}

/** False when it was cancelled in the meantime. */
export async function markComplete(
  db: Db,
  id: string,
  done: { rows: number; bytes: number; sha256: string; ttlHours: number; rights: RecordedRights },
): Promise<boolean> {
  const { rows } =
    await sql`update exports set status = 'complete', row_count = ${done.rows}, file_size_bytes = ${done.bytes}, sha256 = ${done.sha256}, finished_at = now(),
      expires_at = now() + ${done.ttlHours} * interval '1 hour', rights = ${JSON.stringify(done.rights)}::jsonb where id = ${id}::uuid and status = 'running' returning 1`.execute(
      db,
    );
  return rows.length > 0;
}

export async function markEnded(db: Db, id: string, status: 'failed' | 'cancelled', error: string): Promise<boolean> {
  const { rows } =
    await sql`update exports set status = ${status}, error = ${error}, finished_at = now() where id = ${id}::uuid and status in ('queued', 'running') returning 1`.execute(
      db,
    );
  return rows.length > 0;
}

export async function setDelivery(
  db: Db,
  id: string,
  status: NonNullable<ExportRow['delivery_status']>,
  error: string | null,
): Promise<void> {
  await sql`update exports set delivery_status = ${status}, delivery_error = ${error} where id = ${id}::uuid`.execute(db);
}

/** Exports that no job will finish: their job failed, was aborted or deleted, or ended without them. */
export async function abandonedExports(db: Db): Promise<{ id: string; reason: string | null }[]> {
  const { rows } = await sql<{
    id: string;
    reason: string | null;
  }>`select e.id, j.error as reason from exports e left join jobs j on j.id = e.job_id
    where e.status in ('queued', 'running') and (j.id is null or j.state in ('failed', 'succeeded')) limit 1000`.execute(db);
  return rows;
}

export async function expiredExports(db: Db): Promise<{ id: string }[]> {
  const { rows } = await sql<{
    id: string;
  }>`select id from exports where purged_at is null and expires_at < now() order by expires_at limit 1000`.execute(db);
  return rows;
}

export async function markPurged(db: Db, id: string): Promise<void> {
  await sql`update exports set purged_at = now() where id = ${id}::uuid and purged_at is null`.execute(db);
}

/** Which of these exports may have a file. */
export async function exportsWithFiles(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{
    id: string;
  }>`select id from exports where id = any(${ids}::uuid[]) and purged_at is null and status in ('queued', 'running', 'complete')`.execute(
    db,
  );
  return new Set(rows.map(({ id }) => id));
}
