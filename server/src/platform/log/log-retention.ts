import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

/** The daily purge: SVC_LOG_RETENTION_DAYS and SVC_LOG_MAX_ROWS. */
export async function purgeLogs(
  db: Db,
  { retentionDays, maxRows }: { retentionDays: number; maxRows: number },
): Promise<{ expired: number; over_cap: number }> {
  const old = await sql`delete from app_logs where ts < now() - ${retentionDays} * interval '1 day'`.execute(db);
  return { expired: Number(old.numAffectedRows ?? 0n), over_cap: await trimLogs(db, maxRows) };
}

/** Keeps the newest rows only. */
export async function trimLogs(db: Db, maxRows: number): Promise<number> {
  const gone = await sql`delete from app_logs where id <= (select id from app_logs order by id desc offset ${maxRows} limit 1)`.execute(db);
  return Number(gone.numAffectedRows ?? 0n);
}
