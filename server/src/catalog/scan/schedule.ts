import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { deleteSchedule, type Schedule } from '../../platform/queue/index.ts';
import { startScan } from './service.ts';

interface ScanScheduleRow {
  table: 'libraries' | 'scan_paths';
  id: string;
  library_id: string;
  rel_path: string;
  scan_cron: string;
}

/**
 * The scan schedules as they are now: one a library, and one a folder with a schedule of its own. In maintenance mode there are none, so
 * their occurrences are not consumed and the latest fires when the mode is lifted.
 */
export async function scanSchedules(db: Db, options: { maxCatchupMinutes: number }): Promise<Schedule[]> {
  if ((await maintenanceMode(db)).active) return [];
  const { rows } = await sql<ScanScheduleRow>`
    select 'libraries' as table, id, id as library_id, '' as rel_path, scan_cron from libraries
    where enabled and scan_cron is not null and source_agent_id is null
    union all
    select 'scan_paths', p.id, p.library_id, p.rel_path, p.scan_cron from scan_paths p join libraries l on l.id = p.library_id
    where l.enabled and p.enabled and p.scan_cron is not null and l.source_agent_id is null`.execute(db);
  return rows.map(({ table, id, library_id, rel_path, scan_cron }) => ({
    key: scheduleKey(table, id),
    cron: scan_cron,
    maxCatchupMinutes: options.maxCatchupMinutes,
    async fire(at, occurrence) {
      await startScan(at, library_id, { scope: rel_path, trigger: 'schedule' });
      await sql`update ${sql.table(table)} set last_cron_fired_at = ${occurrence} where id = ${id}`.execute(at);
    },
  }));
}

const scheduleKey = (table: ScanScheduleRow['table'], id: string): string => `scan:${table}:${id}`;

/** A schedule that was switched off starts afresh when it is switched on again: what it missed meanwhile is not caught up. */
export async function resetScanSchedule(db: Db, table: ScanScheduleRow['table'], id: string): Promise<void> {
  await deleteSchedule(db, scheduleKey(table, id));
}
