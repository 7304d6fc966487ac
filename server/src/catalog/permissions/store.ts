import type { FileAcl } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** Stores the records that are new and returns the ids of all, by digest (hexadecimal). */
export async function storeAcls(db: Db, acls: ReadonlyMap<string, FileAcl>): Promise<Map<string, number>> {
  if (acls.size === 0) return new Map();
  await sql`
    insert into file_acls (digest, acl)
    select decode(n.digest, 'hex'), n.acl::jsonb from unnest(${[...acls.keys()]}::text[], ${[...acls.values()].map((acl) => JSON.stringify(acl))}::text[]) as n (digest, acl)
    where not exists (select from file_acls a where a.digest = decode(n.digest, 'hex'))
    order by n.digest on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: number; digest: string }>`
    select id, encode(digest, 'hex') as digest from file_acls where digest = any(array(select decode(d, 'hex') from unnest(${[...acls.keys()]}::text[]) d))`.execute(
    db,
  );
  return new Map(rows.map(({ id, digest }) => [digest, id]));
}

/** Stores the sets that are new and returns the ids of all. A set is written as sorted ids joined by commas; '' is the empty set. */
export async function storePaths(db: Db, sets: readonly string[]): Promise<Map<string, number>> {
  if (sets.length === 0) return new Map();
  const literals = sets.map((set) => `{${set}}`);
  await sql`
    insert into access_paths (acl_ids) select s::integer[] from unnest(${literals}::text[]) s
    where not exists (select from access_paths p where p.acl_ids = s::integer[]) order by s on conflict do nothing`.execute(db);
  const { rows } = await sql<{ id: number; key: string }>`
    select p.id, array_to_string(p.acl_ids, ',') as key from unnest(${literals}::text[]) s join access_paths p on p.acl_ids = s::integer[]`.execute(
    db,
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** Stores the classes that are new and returns the ids of all, by `acl:path`. */
export async function storeClasses(db: Db, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const pairs = keys.map((key) => key.split(':').map(Number) as [number, number]);
  const [acls, paths] = [pairs.map(([acl]) => acl), pairs.map(([, path]) => path)];
  // A class that was about to be deleted is in use again; the row lock orders this and the deletion.
  await sql`
    insert into access_classes as c (acl_id, path_id) select n.acl, n.path from unnest(${acls}::integer[], ${paths}::integer[]) as n (acl, path)
    where not exists (select from access_classes c where c.acl_id = n.acl and c.path_id = n.path and c.unused_since is null)
    order by 1, 2 on conflict (acl_id, path_id) do update set unused_since = null`.execute(db);
  const { rows } = await sql<{ id: number; key: string }>`
    select c.id, c.acl_id || ':' || c.path_id as key from unnest(${acls}::integer[], ${paths}::integer[]) as n (acl, path)
    join access_classes c on c.acl_id = n.acl and c.path_id = n.path`.execute(db);
  return new Map(rows.map(({ id, key }) => [key, id]));
}

export interface FolderAccess {
  id: number;
  acl: number;
  path: number;
}

/**
 * Stores the list and the set of folders. Their fingerprints are cleared until the scan has stored their files. Where the set of a known
 * folder changes, the folders below it are noted, because a scan may not compare them.
 */
export async function storeFolderAccess(db: Db, folders: readonly FolderAccess[]): Promise<void> {
  if (folders.length === 0) return;
  await sql`
    with changed as (
      update folders f set acl_id = n.acl, path_id = n.path, fingerprint = null
      from unnest(${folders.map(({ id }) => id)}::bigint[], ${folders.map(({ acl }) => acl)}::integer[], ${folders.map(({ path }) => path)}::integer[]) as n (id, acl, path)
      where f.id = n.id and (f.acl_id, f.path_id) is distinct from (n.acl, n.path)
      returning f.id, old.path_id as before, new.path_id as after)
    insert into access_pending (folder_id) select id from changed where before <> after on conflict do nothing`.execute(db);
}

export interface PendingFolder {
  id: number;
  rel_path: string;
}

export async function pendingFolders(db: Db, libraryId: string): Promise<PendingFolder[]> {
  const { rows } = await sql<PendingFolder>`
    select f.id, f.rel_path from access_pending p join folders f on f.id = p.folder_id where f.library_id = ${libraryId} order by f.rel_path`.execute(
    db,
  );
  return rows;
}

export interface FolderBelow {
  id: number;
  rel_path: string;
  acl_id: number | null;
  path_id: number | null;
  acl_ids: string | null;
}

/** A folder and all folders below it, each with its set as text. */
export async function foldersBelow(db: Db, libraryId: string, folder: string): Promise<FolderBelow[]> {
  const { rows } = await sql<FolderBelow>`
    select f.id, f.rel_path, f.acl_id, f.path_id, array_to_string(p.acl_ids, ',') as acl_ids from folders f left join access_paths p on p.id = f.path_id
    where f.library_id = ${libraryId} and ${folder === '' ? sql`true` : sql`(f.rel_path = ${folder} or (f.rel_path >= ${`${folder}/`} and f.rel_path < ${`${folder}0`}))`}`.execute(
    db,
  );
  return rows;
}

/** Gives folders their new set and the files in them the class with the same list and that set. */
export async function moveToPath(db: Db, folderIds: readonly number[], pathId: number): Promise<void> {
  await sql`
    insert into access_classes (acl_id, path_id)
    select distinct c.acl_id, ${pathId}::integer from items i join access_classes c on c.id = i.access_class where i.folder_id = any(${folderIds}::bigint[])
    on conflict (acl_id, path_id) do update set unused_since = null`.execute(db);
  await sql`
    with moved as (update folders set path_id = ${pathId} where id = any(${folderIds}::bigint[]))
    update items i set access_class = n.id from access_classes o join access_classes n on n.acl_id = o.acl_id and n.path_id = ${pathId}
    where i.folder_id = any(${folderIds}::bigint[]) and o.id = i.access_class and n.id <> o.id`.execute(db);
}

export async function clearPending(db: Db, folderIds: readonly number[]): Promise<void> {
  await sql`delete from access_pending where folder_id = any(${folderIds}::bigint[])`.execute(db);
}

/** Records by id. */
export async function findAcls(db: Db, ids: readonly number[]): Promise<Map<number, FileAcl>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: number; acl: FileAcl }>`select id, acl from file_acls where id = any(${ids}::integer[])`.execute(db);
  return new Map(rows.map(({ id, acl }) => [id, acl]));
}

/** Sets the class of items without touching anything else about them. */
export async function setAccessClasses(db: Db, items: readonly { id: string; accessClass: number | null }[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    update items i set access_class = n.class from unnest(${items.map(({ id }) => id)}::uuid[], ${items.map(({ accessClass }) => accessClass)}::integer[]) as n (id, class)
    where i.id = n.id and i.access_class is distinct from n.class`.execute(db);
}

/** The columns of an item that questions about its permissions need. */
export interface ItemAccess {
  id: string;
  library_id: string;
  rel_path: string;
  access_class: number | null;
  symlink_target: string | null;
  first_seen: Date;
  permissions_enabled: boolean;
  last_full_scan_at: Date | null;
  source_agent_id: string | null;
  /** The number of the machine in lists, where the library is that of an agent which has told its accounts. */
  machine: number | null;
}

export async function itemAccess(db: Db, id: string): Promise<ItemAccess | null> {
  const { rows } = await sql<ItemAccess>`
    select i.id, i.library_id, i.rel_path, i.access_class, i.symlink_target, i.first_seen, l.permissions_enabled, l.last_full_scan_at, l.source_agent_id,
      m.machine
    from items i join libraries l on l.id = i.library_id left join machine_accounts m on m.agent_id = l.source_agent_id where i.id = ${id}`.execute(
    db,
  );
  return rows[0] ?? null;
}

const foldersOf = (relPath: string): string[] => {
  const parts = relPath.split('/').slice(0, -1);
  return ['', ...parts.map((_, at) => parts.slice(0, at + 1).join('/'))];
};

/** The folders from the root of the library down to the one of a file, with their lists. */
export async function foldersOnPath(
  db: Db,
  libraryId: string,
  relPath: string,
): Promise<{ id: number; rel_path: string; acl_id: number }[]> {
  const { rows } = await sql<{ id: number; rel_path: string; acl_id: number }>`
    select id, rel_path, acl_id from folders where library_id = ${libraryId} and rel_path = any(${foldersOf(relPath)}::text[]) and acl_id is not null
    order by length(rel_path)`.execute(db);
  return rows;
}

export interface AclChange {
  changed_at: Date;
  /** The folder that changed; null for the file itself. */
  folder: string | null;
  before_acl: number;
  after_acl: number;
}

/** The newest changes of an item and of the folders above it. */
export async function changesOf(db: Db, { id, library_id, rel_path }: ItemAccess, limit: number): Promise<AclChange[]> {
  const { rows } = await sql<AclChange>`
    select c.changed_at, f.rel_path as folder, c.before_acl, c.after_acl from permission_changes c left join folders f on f.id = c.folder_id
    where c.item_id = ${id}
      or c.folder_id in (select id from folders where library_id = ${library_id} and rel_path = any(${foldersOf(rel_path)}::text[]))
    order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Keeps the newest snapshots per path. The current state is one of them, so one change fewer is kept. */
export async function purgePermissionChanges(db: Db, snapshots: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from permission_changes where id in (
      select id from (
        select id, row_number() over (partition by item_id, folder_id order by id desc) as newest from permission_changes) c
      where newest > ${Math.max(0, snapshots - 1)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Marks classes that no file has, and clears the mark of those that files have again. */
export async function markUnusedClasses(db: Db, now: Date): Promise<void> {
  await sql`
    update access_classes c set unused_since = case when u.used then null else ${now}::timestamptz end
    from (select id, exists (select from items i where i.access_class = a.id) as used from access_classes a) u
    where c.id = u.id and u.used = (c.unused_since is not null)`.execute(db);
}

/** Deletes classes that were unused for a day. A running scan remembers classes, so nothing is deleted meanwhile. */
export async function deleteUnusedClasses(db: Db, before: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from access_classes c where c.unused_since < ${before} and not exists (select from items i where i.access_class = c.id)
      and not exists (select from scan_runs where status in ('running', 'stopping'))`.execute(db);
  return Number(numAffectedRows ?? 0);
}
