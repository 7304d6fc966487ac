import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { ItemStatus } from '../tables.ts';
import { ltreePath } from './ltree-path.ts';

export interface FolderRow {
  id: number;
  rel_path: string;
  /** Of the folder itself; '0' or null when it is not known. */
  inode: string | null;
  fingerprint: string | null;
  seen: number;
  excluded_gate: number;
  excluded_filtered: number;
  bytes_seen: number;
  acl_id: number | null;
  path_id: number | null;
}

/** The fingerprint and counters of a folder whose rows match the disk. */
export type FolderMark = Omit<FolderRow, 'rel_path' | 'acl_id' | 'path_id'> & { fingerprint: string };

export async function findFolders(db: Db, libraryId: string, paths: readonly string[]): Promise<Map<string, FolderRow>> {
  const { rows } = await sql<FolderRow>`
    select id, rel_path, inode::text, fingerprint, seen, excluded_gate, excluded_filtered, bytes_seen, acl_id, path_id
    from folders where library_id = ${libraryId} and rel_path = any(${textArray(paths)}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.rel_path, row]));
}

export async function addFolders(db: Db, libraryId: string, paths: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; rel_path: string }>`
    insert into folders (library_id, rel_path, path)
    select ${libraryId}, p.rel_path, p.path::ltree
    from unnest(${textArray(paths)}::text[], ${textArray(paths.map((path) => ltreePath(libraryId, path)))}::text[]) as p (rel_path, path)
    on conflict (library_id, rel_path) do update set path = excluded.path
    returning id, rel_path`.execute(db);
  return new Map(rows.map(({ id, rel_path }) => [rel_path, id]));
}

export async function markFolders(db: Db, marks: readonly FolderMark[]): Promise<void> {
  if (marks.length > 0) await markStatement(marks).execute(db);
}

/** Usable as a part of a larger statement. */
function markStatement(marks: readonly FolderMark[]): RawBuilder<unknown> {
  const column = (pick: (mark: FolderMark) => number | string | null): string => plainArray(marks.map(pick));
  return sql`
    update folders f set fingerprint = m.fingerprint, inode = m.inode, seen = m.seen, excluded_gate = m.gate, excluded_filtered = m.filtered, bytes_seen = m.bytes
    from unnest(${column(({ id }) => id)}::bigint[], ${textArray(marks.map(({ fingerprint }) => fingerprint))}::text[], ${column(({ seen }) => seen)}::int[],
      ${column(({ excluded_gate }) => excluded_gate)}::int[], ${column(({ excluded_filtered }) => excluded_filtered)}::int[],
      ${column(({ bytes_seen }) => bytes_seen)}::bigint[], ${column(({ inode }) => inode)}::bigint[]) as m (id, fingerprint, seen, gate, filtered, bytes, inode)
    where f.id = m.id`;
}

/** One page of folders below a scope ('' for all) in byte order, starting after a path. */
export async function pageFolders(
  db: Db,
  libraryId: string,
  scope: string,
  after: string | null,
  limit: number,
): Promise<{ id: number; rel_path: string }[]> {
  const from = after ?? '';
  const { rows } = await sql<{ id: number; rel_path: string }>`
    select id, rel_path from folders
    where library_id = ${libraryId}
      and ${after === null ? sql`rel_path >= ${from}` : sql`rel_path > ${from}`}
      and ${scope === '' ? sql`true` : sql`(rel_path = ${scope} or (rel_path >= ${`${scope}/`} and rel_path < ${`${scope}0`}))`}
    order by rel_path limit ${limit}`.execute(db);
  return rows;
}

/** Deletes those of the folders that hold no items. */
export async function dropEmptyFolders(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from folders f where f.id = any(${plainArray(ids)}::bigint[]) and not exists (select from items i where i.folder_id = f.id)`.execute(
    db,
  );
}

/** A condition: no person has added a tag, note or field to the item. */
export const hasNoOverlay = (alias: string): RawBuilder<boolean> => {
  const of = (column: string) => sql.ref(`${alias}.${column}`);
  return sql`${of('tags')} = '{}' and ${of('user_metadata')} = '{}' and ${of('user_title')} is null and ${of('user_year')} is null
    and ${of('user_external_ids')} = '{}'`;
};

/** A PostgreSQL array literal for bulk writes through unnest. Building it here is several times faster than in the driver. */
export function textArray(values: readonly (string | null)[]): string {
  let literal = '{';
  for (const value of values) {
    if (literal.length > 1) literal += ',';
    literal += value === null ? 'NULL' : `"${needsEscape.test(value) ? value.replace(escapes, '\\$&') : value}"`;
  }
  return `${literal}}`;
}

/** An array literal of numbers, identifiers or booleans, which need no quoting. */
export function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`;
}

const needsEscape = /[\\"]/;
const escapes = /[\\"]/g;

/** The columns of a stored item that are compared with the disk. */
export interface KnownItem {
  id: string;
  folder_id: number;
  filename: string;
  status: ItemStatus;
  size: number;
  mtime_ns: string;
  inode: string | null;
  dev: number | null;
  nlink: number | null;
  symlink_target: string | null;
  file_category: string;
  file_group: string;
  ctime_ns: string | null;
  quick_hash: string | null;
  content_hash: string | null;
  hash_error: string | null;
  access_class: number | null;
  allocated: number | null;
}

const knownColumns = sql`id, folder_id, filename, status, size, mtime_ns::text, inode::text, dev, nlink, symlink_target, file_category, file_group,
  ctime_ns::text, quick_hash, content_hash, hash_error, access_class, allocated`;

/** Missing and trashed items matter only where a file has their name. A folder whose files come and go has far more of them than files. */
const activeOrNamed = (names: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`(status = 'active' or filename = any(${textArray(names)}::text[]))`;

/** Items of these folders that are active or have one of the names. */
export async function findItemsIn(db: Db, folderIds: readonly number[], names: readonly string[]): Promise<KnownItem[]> {
  const { rows } = await sql<KnownItem>`
    select ${knownColumns} from items where folder_id = any(${plainArray(folderIds)}::bigint[]) and ${activeOrNamed(names)}`.execute(db);
  return rows;
}

/** The same for names of one large folder from `first` up to but not including `next`; null means no end. */
export async function findItemsBetween(
  db: Db,
  folderId: number,
  { first, next, names }: { first: string; next: string | null; names: readonly string[] },
): Promise<KnownItem[]> {
  const { rows } = await sql<KnownItem>`
    select ${knownColumns} from items
    where folder_id = ${folderId} and filename >= ${first} and ${next === null ? sql`true` : sql`filename < ${next}`} and ${activeOrNamed(names)}`.execute(
    db,
  );
  return rows;
}

export interface FileFacts {
  extension: string | null;
  category: string;
  group: string;
  size: number;
  mtimeNs: string;
  inode: string;
  device: number;
  links: number;
  ctimeNs: string | null;
  symlinkTarget: string | null;
  /** Null where permissions are not collected. */
  accessClass: number | null;
  /** Bytes on disk where they are fewer than the size; otherwise null. */
  allocated: number | null;
}

export interface FileHashes {
  quick: string | null;
  content: string | null;
  policyVersion: string | null;
  error: string | null;
}

export interface NewItem {
  folderId: number;
  relPath: string;
  filename: string;
  facts: FileFacts;
  hashes: FileHashes;
}

export const factColumns = (rows: readonly { facts: FileFacts; hashes: FileHashes }[]) => ({
  extension: textArray(rows.map(({ facts }) => facts.extension)),
  category: textArray(rows.map(({ facts }) => facts.category)),
  group: textArray(rows.map(({ facts }) => facts.group)),
  size: plainArray(rows.map(({ facts }) => facts.size)),
  mtimeNs: plainArray(rows.map(({ facts }) => facts.mtimeNs)),
  inode: plainArray(rows.map(({ facts }) => facts.inode)),
  device: plainArray(rows.map(({ facts }) => facts.device)),
  links: plainArray(rows.map(({ facts }) => facts.links)),
  ctimeNs: plainArray(rows.map(({ facts }) => facts.ctimeNs)),
  symlinkTarget: textArray(rows.map(({ facts }) => facts.symlinkTarget)),
  accessClass: plainArray(rows.map(({ facts }) => facts.accessClass)),
  allocated: plainArray(rows.map(({ facts }) => facts.allocated)),
  quick: plainArray(rows.map(({ hashes }) => hashes.quick)),
  content: plainArray(rows.map(({ hashes }) => hashes.content)),
  policyVersion: plainArray(rows.map(({ hashes }) => hashes.policyVersion)),
  error: textArray(rows.map(({ hashes }) => hashes.error)),
});

/**
 * Inserts new items, adds each to the change log when `logged`, and marks folders, all in one statement to save round trips. The commit does
 * not wait for the disk (see commitAsynchronously). Returns the new ids when `wantsIds`.
 */
export async function insertItems(
  db: Db,
  runId: string,
  libraryId: string,
  rows: readonly NewItem[],
  { marks = [], wantsIds = false, logged = true }: { marks?: readonly FolderMark[]; wantsIds?: boolean; logged?: boolean } = {},
): Promise<string[]> {
  if (rows.length === 0) {
    await markFolders(db, marks);
    return [];
  }
  const c = factColumns(rows);
  const { rows: result } = await sql<{ ids: string[] | null }>`
    with run as materialized (select scan_may_write(${runId}, ${libraryId}) as open),
    added as (
      insert into items (library_id, folder_id, filename, extension, file_category, file_group, size, mtime_ns, inode, dev, nlink, ctime_ns, symlink_target,
        quick_hash, content_hash, policy_version, hash_error, access_class, allocated)
      select ${libraryId}, f.* from run, unnest(
        ${plainArray(rows.map(({ folderId }) => folderId))}::bigint[], ${textArray(rows.map(({ filename }) => filename))}::text[], ${c.extension}::text[], ${c.category}::text[], ${c.group}::text[], ${c.size}::bigint[],
        ${c.mtimeNs}::bigint[], ${c.inode}::bigint[], ${c.device}::bigint[], ${c.links}::int[], ${c.ctimeNs}::bigint[], ${c.symlinkTarget}::text[], ${c.quick}::text[],
        ${c.content}::text[], ${c.policyVersion}::text[], ${c.error}::text[], ${c.accessClass}::integer[], ${c.allocated}::bigint[]) f
      where run.open
      ${logged || wantsIds ? sql`returning id, rel_path` : sql``})
    ${logged ? sql`, logged as (${logAdditions(runId, libraryId)})` : sql``}
    ${marks.length > 0 ? sql`, marked as (${markStatement(marks)})` : sql``}
    select set_config('synchronous_commit', 'off', true), ${wantsIds ? sql`array(select id from added)` : sql`null::uuid[]`} as ids`.execute(
    db,
  );
  return one(result).ids ?? [];
}

const logAdditions = (runId: string, libraryId: string): RawBuilder<unknown> => sql`
  insert into scan_changes (run_id, library_id, item_id, kind, rel_path) select ${runId}, ${libraryId}, id, 'added', rel_path from added`;

export interface ItemUpdate {
  id: string;
  relPath: string;
  facts: FileFacts;
  hashes: FileHashes;
  /** When false, the stored hashes are kept. */
  rehashed: boolean;
  /** `silent`: a change that affects neither search nor extraction, such as a link count. */
  kind: 'changed' | 'returned' | 'silent';
}

/** Unchanged bytes under a name without an extension: the stored classification may come from the content and is kept. */
const classifiedByContent = sql`u.extension is null and u.category = 'other' and u.kind <> 'changed' and i.size = u.size and i.mtime_ns = u.mtime_ns`;

const becameLink = sql`u.target is not null and i.symlink_target is null`;
/** What was read from a file does not hold for the link that replaces it. A link is never read, so it has no such values. */
const unlessLink = (column: string) => sql`case when ${becameLink} then null else ${sql.ref(`i.${column}`)} end`;

/**
 * Updates known items and adds all but silent changes to the change log. A trashed item stays trashed until a person restores it. Facts that
 * an item loses are in its history.
 */
export async function updateItems(db: Db, runId: string, libraryId: string, rows: readonly ItemUpdate[]): Promise<void> {
  if (rows.length === 0) return;
  const c = factColumns(rows);
  const kinds = plainArray(rows.map(({ kind }) => kind));
  const ids = plainArray(rows.map(({ id }) => id));
  await sql`
    with updated as (update items i set
      extension = u.extension,
      file_category = case when ${classifiedByContent} then i.file_category else u.category end,
      file_group = case when ${classifiedByContent} then i.file_group else u.grp end,
      metadata = case when ${becameLink} then '{}' when u.extension is null and u.kind = 'changed' then i.metadata - 'sniffed' else i.metadata end,
      title = ${unlessLink('title')}, year = ${unlessLink('year')}, body_text = ${unlessLink('body_text')}, archive_members = ${unlessLink('archive_members')},
      thumb_key = ${unlessLink('thumb_key')}, extracted_key = ${unlessLink('extracted_key')}, size = u.size, mtime_ns = u.mtime_ns, inode = u.inode, dev = u.dev,
      nlink = u.nlink, ctime_ns = u.ctime_ns, symlink_target = u.target, access_class = u.access_class, allocated = u.allocated,
      quick_hash = case when u.rehashed then u.quick else i.quick_hash end,
      content_hash = case when u.rehashed then u.content else i.content_hash end,
      policy_version = case when u.rehashed then u.policy else i.policy_version end,
      hash_error = case when u.rehashed then u.error else i.hash_error end,
      status = case when i.status = 'missing' and u.kind <> 'silent' then 'active' else i.status end,
      deleted_at = case when i.status = 'missing' and u.kind <> 'silent' then null else i.deleted_at end,
      last_changed = case when u.kind = 'changed' then now() else i.last_changed end
    from unnest(${ids}::uuid[], ${c.extension}::text[], ${c.category}::text[], ${c.group}::text[], ${c.size}::bigint[], ${c.mtimeNs}::bigint[],
      ${c.inode}::bigint[], ${c.device}::bigint[], ${c.links}::int[], ${c.ctimeNs}::bigint[], ${c.symlinkTarget}::text[], ${c.quick}::text[], ${c.content}::text[],
      ${c.policyVersion}::text[], ${c.error}::text[], ${plainArray(rows.map(({ rehashed }) => rehashed))}::boolean[], ${kinds}::text[], ${c.accessClass}::integer[],
      ${c.allocated}::bigint[])
      as u (id, extension, category, grp, size, mtime_ns, inode, dev, nlink, ctime_ns, target, quick, content, policy, error, rehashed, kind, access_class, allocated)
    where i.id = u.id
    returning i.id, old.content_hash, old.metadata as before, old.extracted_key is not null and new.extracted_key is null as lost_facts),
    noted as (
      insert into item_history (item_id, source, actor, before, after)
      select id, 'extractor', 'extractor', jsonb_build_object('metadata', before), jsonb_build_object('metadata', '{}'::jsonb)
      from updated where lost_facts and before <> '{}')
    insert into scan_changes (run_id, library_id, item_id, kind, rel_path, old_content_hash)
    select ${runId}, ${libraryId}, u.id, u.kind, u.rel_path, case when u.kind = 'changed' then updated.content_hash end
    from unnest(${ids}::uuid[], ${kinds}::text[], ${textArray(rows.map(({ relPath }) => relPath))}::text[]) as u (id, kind, rel_path)
    left join updated on updated.id = u.id
    where u.kind <> 'silent'
    on conflict (run_id, item_id) do update set kind = excluded.kind`.execute(db);
}
