import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { TargetPlace } from './transport.ts';

export type TargetRow = TargetPlace & { id: string; name: string; enabled: boolean; keep: number };

export interface CopyRow {
  target_id: string;
  bundle: string;
  state: 'copying' | 'retrying' | 'done' | 'failed';
  attempts: number;
  bytes: number | null;
  error: string | null;
  next_attempt_at: Date | null;
  finished_at: Date | null;
}

const columns = sql`id, name, kind, config, enabled, keep`;

export async function listTargets(db: Db): Promise<TargetRow[]> {
  return (await sql<TargetRow>`select ${columns} from backup_targets order by name`.execute(db)).rows;
}

export async function findTarget(db: Db, id: string): Promise<TargetRow | undefined> {
  return (await sql<TargetRow>`select ${columns} from backup_targets where id = ${id}`.execute(db)).rows[0];
}

/** The row stays locked until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockTarget(tx: Db, id: string): Promise<void> {
  await sql`select from backup_targets where id = ${id} for no key update`.execute(tx);
}

/** Undefined when the name is taken. */
export async function insertTarget(db: Db, { name, kind, config, enabled, keep }: Omit<TargetRow, 'id'>): Promise<TargetRow | undefined> {
  const { rows } = await sql<TargetRow>`insert into backup_targets (name, kind, config, enabled, keep)
    values (${name}, ${kind}, ${JSON.stringify(config)}::jsonb, ${enabled}, ${keep}) on conflict (name) do nothing returning ${columns}`.execute(
    db,
  );
  return rows[0];
}

/** Undefined when another target has the name. */
export async function updateTarget(db: Db, { id, name, config, enabled, keep }: TargetRow): Promise<TargetRow | undefined> {
  const { rows } =
    await sql<TargetRow>`update backup_targets set name = ${name}, config = ${JSON.stringify(config)}::jsonb, enabled = ${enabled}, keep = ${keep}
    where id = ${id} and not exists (select from backup_targets o where o.name = ${name} and o.id <> ${id}) returning ${columns}`.execute(
      db,
    );
  return rows[0];
}

export async function deleteTarget(db: Db, id: string): Promise<void> {
  await sql`delete from backup_targets where id = ${id}`.execute(db);
}

export async function listCopies(db: Db): Promise<CopyRow[]> {
  const { rows } = await sql<CopyRow>`select target_id, bundle, state, attempts, bytes, error, next_attempt_at, finished_at
    from backup_copies order by bundle desc`.execute(db);
  return rows;
}

export async function beginCopy(db: Db, targetId: string, bundle: string): Promise<number> {
  const { rows } = await sql<{
    attempts: number;
  }>`insert into backup_copies (target_id, bundle, state) values (${targetId}, ${bundle}, 'copying')
    on conflict (target_id, bundle) do update set state = 'copying', attempts = backup_copies.attempts + 1, error = null, next_attempt_at = null
    returning attempts`.execute(db);
  return rows[0]?.attempts ?? 1;
}

export async function finishCopy(db: Db, targetId: string, bundle: string, bytes: number): Promise<void> {
  await sql`update backup_copies set state = 'done', bytes = ${bytes}, finished_at = now() where target_id = ${targetId} and bundle = ${bundle}`.execute(
    db,
  );
}

/** `retrySeconds` is null when no attempt is left. */
export async function failCopy(db: Db, targetId: string, bundle: string, error: string, retrySeconds: number | null): Promise<void> {
  await sql`update backup_copies set state = ${retrySeconds === null ? 'failed' : 'retrying'}, error = ${error},
    next_attempt_at = now() + ${retrySeconds}::float8 * interval '1 second' where target_id = ${targetId} and bundle = ${bundle}`.execute(
    db,
  );
}

export async function deleteCopy(db: Db, targetId: string, bundle: string): Promise<void> {
  await sql`delete from backup_copies where target_id = ${targetId} and bundle = ${bundle}`.execute(db);
}

/** Copies of other backups than these are not tried again. */
export async function forgetUnfinished(db: Db, targetId: string, bundles: readonly string[]): Promise<void> {
  await sql`delete from backup_copies where target_id = ${targetId} and state <> 'done' and bundle <> all(${bundles}::text[])`.execute(db);
}

export async function deleteCopies(db: Db, targetId: string): Promise<void> {
  await sql`delete from backup_copies where target_id = ${targetId}`.execute(db);
}

/** Makes every copy that failed due again, with all its attempts. */
export async function retryCopies(db: Db, targetId: string): Promise<void> {
  await sql`delete from backup_copies where target_id = ${targetId} and state <> 'done'`.execute(db);
}

export async function listLibraryRoots(db: Db): Promise<string[]> {
  return (await sql<{ root_path: string }>`select root_path from libraries`.execute(db)).rows.map(({ root_path }) => root_path);
}
