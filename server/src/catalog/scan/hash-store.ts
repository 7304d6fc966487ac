import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import '../tables.ts';
import { hashScheme } from '@catalog/scanner';

export interface HashableItem {
  id: string;
  rel_path: string;
  size: number;
  mtime_ns: string;
  quick_hash: string | null;
  content_hash: string | null;
}

export interface HashedLibrary {
  id: string;
  name: string;
  root_path: string;
  hash_policy: 'auto' | 'full' | 'quick_only';
  hash_full_max_bytes: number | null;
  source_agent_id: string | null;
}

/** Active and hashed under an older scheme: word for word the condition of the index items_stale_hash, which is used for nothing less. */
const stale = sql`status = 'active' and quick_hash is not null and (policy_version is null or policy_version not like ${sql.lit(`${hashScheme}:%`)})`;

export async function findHashedLibrary(db: Db, id: string): Promise<HashedLibrary | undefined> {
  const { rows } = await sql<HashedLibrary>`
    select id, name, root_path, hash_policy, hash_full_max_bytes, source_agent_id from libraries where id = ${id}`.execute(db);
  return rows[0];
}

/** Libraries whose files this machine can read. */
export async function localLibraries(db: Db): Promise<HashedLibrary[]> {
  const { rows } = await sql<HashedLibrary>`
    select id, name, root_path, hash_policy, hash_full_max_bytes, source_agent_id from libraries where source_agent_id is null and enabled order by id`.execute(
    db,
  );
  return rows;
}

export async function pageStale(db: Db, libraryId: string, after: string, limit: number): Promise<HashableItem[]> {
  const { rows } = await sql<HashableItem>`
    select id, rel_path, size, mtime_ns::text, quick_hash, content_hash from items
    where library_id = ${libraryId} and symlink_target is null and ${stale} and id > ${after} order by id limit ${limit}`.execute(db);
  return rows;
}

export async function pageWithoutContent(
  db: Db,
  libraryId: string,
  ceiling: number,
  after: string,
  limit: number,
): Promise<HashableItem[]> {
  const { rows } = await sql<HashableItem>`
    select id, rel_path, size, mtime_ns::text, quick_hash, content_hash from items
    where library_id = ${libraryId} and status = 'active' and symlink_target is null and content_hash is null and quick_hash is not null
      and size <= ${ceiling} and id > ${after} order by id limit ${limit}`.execute(db);
  return rows;
}

/** Only while the row still describes the file that was read. The index follows by itself when a hash differs. */
export async function storeHashes(
  db: Db,
  item: Pick<HashableItem, 'id' | 'size' | 'mtime_ns'>,
  hashes: { quick: string; content: string | null; policyVersion: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update items set quick_hash = ${hashes.quick}, content_hash = ${hashes.content}, policy_version = ${hashes.policyVersion}, hash_error = null
    where id = ${item.id} and size = ${item.size} and mtime_ns = ${item.mtime_ns}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

export interface HashStatusRow {
  library_id: string;
  name: string;
  agent_owned: boolean;
  stale: number;
  rehash_pending: boolean;
  hash_scheme: string;
}

/** How many items of each library were hashed under an older scheme. */
export async function hashStatus(db: Db): Promise<HashStatusRow[]> {
  const { rows } = await sql<HashStatusRow>`
    select l.id as library_id, l.name, l.source_agent_id is not null as agent_owned,
      (select count(*) from items where library_id = l.id and ${stale}) as stale,
      exists (select from jobs j where j.lock = 'rehash_library:' || l.id and j.state in ('todo', 'doing', 'aborting')) as rehash_pending,
      ${hashScheme} as hash_scheme
    from libraries l order by lower(l.name)`.execute(db);
  return rows;
}
