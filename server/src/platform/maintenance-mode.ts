import { sql } from 'kysely';
import type { Db } from './database/index.ts';

/**
 * Maintenance mode: inactive -> active (an administrator switches it on and gives a reason) -> inactive (an administrator switches it off).
 * It is stored in one database row, so that all processes see the same state and a restart keeps it. It has no timeout.
 */
interface MaintenanceMode {
  active: boolean;
  reason: string | null;
  started_at: string | null;
}

const key = 'maintenance_mode';
const inactive: MaintenanceMode = { active: false, reason: null, started_at: null };

export async function maintenanceMode(db: Db): Promise<MaintenanceMode> {
  const { rows } = await sql<{ value: MaintenanceMode }>`select value from service_state where key = ${key}`.execute(db);
  return rows[0]?.value ?? inactive;
}

export async function setMaintenanceMode(db: Db, active: boolean, reason: string | null): Promise<MaintenanceMode> {
  const before = await maintenanceMode(db);
  const after: MaintenanceMode = active ? { active, reason, started_at: before.started_at ?? new Date().toISOString() } : inactive;
  await sql`insert into service_state (key, value) values (${key}, ${JSON.stringify(after)}::jsonb) on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(
    db,
  );
  return after;
}
