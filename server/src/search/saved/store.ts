import { sql } from 'kysely';
import type { Ownership } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

export interface SavedSearch {
  id: string;
  owner_id: string | null;
  /** The limited key it was saved with. */
  key_id: string | null;
  owner_name: string;
  name: string;
  params: Record<string, unknown>;
  shared: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The searches of an owner and those that others share; `all` lists everything, for administrators. */
export async function listSaved(db: Db, { owner, key, all }: Ownership & { all: boolean }): Promise<SavedSearch[]> {
  const { rows } = await sql<SavedSearch>`select * from saved_searches
    where ${all} or shared or (owner_id is not distinct from ${owner}::uuid and coalesce(key_id = ${key}::uuid, ${key}::uuid is null)) order by lower(name), id`.execute(
    db,
  );
  return rows;
}

export async function findSaved(db: Db, id: string): Promise<SavedSearch | null> {
  const { rows } = await sql<SavedSearch>`select * from saved_searches where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The row stays locked until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockSaved(tx: Db, id: string): Promise<void> {
  await sql`select from saved_searches where id = ${id} for no key update`.execute(tx);
}

export async function countSaved(db: Db, { owner, key }: Ownership): Promise<number> {
  const { rows } = await sql<{
    total: number;
  }>`select count(*) as total from saved_searches where owner_id is not distinct from ${owner}::uuid and key_id is not distinct from ${key}::uuid`.execute(
    db,
  );
  return one(rows).total;
}

/** Null when the owner already has a search with this name. */
export async function insertSaved(
  db: Db,
  row: Pick<SavedSearch, 'owner_id' | 'key_id' | 'owner_name' | 'name' | 'params' | 'shared'>,
): Promise<SavedSearch | null> {
  const { rows } = await sql<SavedSearch>`insert into saved_searches (owner_id, key_id, owner_name, name, params, shared)
    values (${row.owner_id}, ${row.key_id}, ${row.owner_name}, ${row.name}, ${JSON.stringify(row.params)}::jsonb, ${row.shared}) on conflict do nothing returning *`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Null when the name is taken. */
export async function updateSaved(db: Db, { id, owner_id, key_id, name, params, shared }: SavedSearch): Promise<SavedSearch | null> {
  const { rows } =
    await sql<SavedSearch>`update saved_searches set name = ${name}, params = ${JSON.stringify(params)}::jsonb, shared = ${shared}, updated_at = now()
    where id = ${id} and not exists (select from saved_searches o where o.owner_id is not distinct from ${owner_id}::uuid
      and o.key_id is not distinct from ${key_id}::uuid and lower(o.name) = lower(${name}) and o.id <> ${id}) returning *`.execute(db);
  return rows[0] ?? null;
}

export async function deleteSaved(db: Db, id: string): Promise<void> {
  await sql`delete from saved_searches where id = ${id}`.execute(db);
}
