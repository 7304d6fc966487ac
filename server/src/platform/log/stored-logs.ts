import { sql } from 'kysely';
import type { Db } from '../database/index.ts';
import { type Level, type LogSource, levels } from './contract.ts';

interface LogFilter {
  min_level?: Level;
  source?: LogSource;
  /** Substring of the message or of the logger's name, case-insensitive. */
  q?: string;
  limit?: number;
  before_id?: number;
}

interface LogPage {
  logs: { id: number; ts: string; source: LogSource; level: Level; logger: string; message: string; exc: string | null }[];
  /** The `before_id` of the next page of older records; null on the last page. */
  next_before_id: number | null;
}

const maxLogsPerPage = 1_000;

/** Records of app and worker, newest first. */
export async function readLogs(db: Db, filter: LogFilter = {}): Promise<LogPage> {
  const limit = Math.min(Math.max(1, filter.limit ?? 200), maxLogsPerPage);
  const wanted = levels.slice(levels.indexOf(filter.min_level ?? 'info'));
  const { source = null, before_id: before = null } = filter;
  const pattern = filter.q ? `%${filter.q.replace(/[\\%_]/g, '\\$&')}%` : null;
  const found = await sql<{ id: number; ts: Date; source: LogSource; level: Level; logger: string; message: string; exc: string | null }>`
    select id, ts, source, level, logger, message, exc from app_logs
    where level = any(${wanted}::text[])
      and (${source}::text is null or source = ${source})
      and (${pattern}::text is null or message ilike ${pattern} or logger ilike ${pattern})
      and (${before}::bigint is null or id < ${before})
    order by id desc
    limit ${limit + 1}`.execute(db);
  const logs = found.rows.slice(0, limit).map((row) => ({ ...row, ts: row.ts.toISOString() }));
  return { logs, next_before_id: found.rows.length > limit ? (logs.at(-1)?.id ?? null) : null };
}

/** Deletes records older than SVC_LOG_RETENTION_DAYS and beyond SVC_LOG_MAX_ROWS. */
export async function purgeLogs(
  db: Db,
  { retentionDays, maxRows }: { retentionDays: number; maxRows: number },
): Promise<{ expired: number; over_cap: number }> {
  const old = await sql`delete from app_logs where ts < now() - ${retentionDays} * interval '1 day'`.execute(db);
  return { expired: Number(old.numAffectedRows ?? 0n), over_cap: await trimLogs(db, maxRows) };
}

/** Deletes all but the newest rows. */
export async function trimLogs(db: Db, maxRows: number): Promise<number> {
  const deleted = await sql`delete from app_logs where id <= (select id from app_logs order by id desc offset ${maxRows} limit 1)`.execute(
    db,
  );
  return Number(deleted.numAffectedRows ?? 0n);
}
