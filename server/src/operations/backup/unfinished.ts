import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/**
 * A restore replaces the database in one transaction and writes files and keys after it. That transaction also records which backup is being
 * restored, and the record is removed when everything is written, so that an interruption in between is noticed.
 */
export async function markUnfinished(db: Db, bundle: string): Promise<void> {
  await sql`insert into service_state (key, value) values ('restore_unfinished', to_jsonb(${bundle}::text))
    on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db);
}

export async function clearUnfinished(db: Db): Promise<void> {
  await sql`delete from service_state where key = 'restore_unfinished'`.execute(db);
}

/** What to do after an interrupted restore, or null. */
export async function unfinishedRestore(db: Db): Promise<string | null> {
  const { rows } = await sql<{
    bundle: string;
  }>`select value #>> '{}' as bundle from service_state where key = 'restore_unfinished'`.execute(db);
  return rows[0]
    ? `The restore of ${rows[0].bundle} was interrupted before its files and keys were written. Stop the service and run it again: catalog restore ${rows[0].bundle} --no-backup`
    : null;
}
