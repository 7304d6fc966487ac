import { sql } from 'kysely';
import type { Db } from './database/index.ts';

/**
 * Maintenance mode: inactive -> active (somebody switches it on, with a reason) -> inactive (somebody lifts it). One database row, so every
 * process agrees and a restart keeps it. It never ends by itself.
 */
export interface MaintenanceMode {
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
