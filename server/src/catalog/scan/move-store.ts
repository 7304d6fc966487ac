import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { hasSidecarFacts } from '../sidecars/index.ts';
import { type FileFacts, factColumns, hasNoOverlay, plainArray, textArray } from './store.ts';

/** An item whose file is now at another path, with the same bytes. */
export interface Relocation {
  id: string;
  folderId: number;
  relPath: string;
  filename: string;
  facts: FileFacts;
}

/** An item that was moved. `described`: a sidecar added values, which hold only where it still describes the file. */
interface MovedItem {
  folder_id: number;
  from_library_id: string;
  described: boolean;
}

const noHashes = { quick: null, content: null, policyVersion: null, error: null };

/**
 * Gives items their new paths in one statement, so that readers see a file at its old or its new path and never at both. Returns the items
 * that were moved, with the library each came from. A trashed item stays trashed, and its move is not logged.
 */
export async function relocateItems(
  db: Db,
  runId: string,
  libraryId: string,
  rows: readonly Relocation[],
): Promise<(MovedItem & { id: string; trashed: boolean })[]> {
  if (rows.length === 0) return [];
  const c = factColumns(rows.map(({ facts }) => ({ facts, hashes: noHashes })));
  const { rows: moved } = await sql<MovedItem & { id: string; trashed: boolean }>`
    with moved as (
      update items i set library_id = ${libraryId}, folder_id = m.folder_id, filename = m.filename, extension = m.extension,
        file_category = case when m.extension is null and m.category = 'other' and i.metadata ? 'sniffed' then i.file_category else m.category end,
        file_group = case when m.extension is null and m.category = 'other' and i.metadata ? 'sniffed' then i.file_group else m.grp end,
        size = m.size, mtime_ns = m.mtime_ns, inode = m.inode, dev = m.dev, nlink = m.nlink, ctime_ns = m.ctime_ns, access_class = m.access_class, allocated = m.allocated,
        status = case when i.status = 'trashed' then i.status else 'active' end, deleted_at = case when i.status = 'trashed' then i.deleted_at end
      from unnest(${plainArray(rows.map(({ id }) => id))}::uuid[], ${plainArray(rows.map(({ folderId }) => folderId))}::bigint[],
        ${textArray(rows.map(({ filename }) => filename))}::text[], ${c.extension}::text[],
        ${c.category}::text[], ${c.group}::text[], ${c.size}::bigint[], ${c.mtimeNs}::bigint[], ${c.inode}::bigint[], ${c.device}::bigint[],
        ${c.links}::int[], ${c.ctimeNs}::bigint[], ${c.accessClass}::integer[], ${c.allocated}::bigint[])
        as m (id, folder_id, filename, extension, category, grp, size, mtime_ns, inode, dev, nlink, ctime_ns, access_class, allocated)
      where i.id = m.id
      returning i.id, i.folder_id, i.status, new.rel_path as rel_path, old.rel_path as from_rel_path, old.library_id as from_library_id,
        ${hasSidecarFacts('i')} as described),
    logged as (insert into scan_changes as s (run_id, library_id, item_id, kind, rel_path, from_rel_path, from_library_id)
    select ${runId}, ${libraryId}, id, 'moved', rel_path, from_rel_path, from_library_id from moved where status <> 'trashed'
    on conflict (run_id, item_id) do update set kind = 'moved', rel_path = excluded.rel_path,
      from_rel_path = excluded.from_rel_path, from_library_id = excluded.from_library_id)
    select id, folder_id, from_library_id, described, status = 'trashed' as trashed from moved`.execute(db);
  return moved;
}

/** A missing item and the new item of the same file. */
export interface MovePair {
  from: string;
  to: string;
  /** This scan did not find the file of the old item, which is not marked as missing yet. */
  notFound?: boolean;
  /** The old item is in the recycle bin and stays there. */
  trashed?: boolean;
}

export interface MergedMove extends MovedItem {
  from_id: string;
  to_id: string;
  library_id: string;
  rel_path: string;
  from_rel_path: string;
  /** The name says another type than before. */
  retyped: boolean;
}

const classifiedByContent = sql`g.extension is null and g.file_category = 'other' and i.metadata ? 'sniffed'`;

/**
 * Replaces new items by the missing ones they continue: tags, notes, extracted facts and the first-seen time stay, while path, times and
 * hashes are taken from the new row. Facts extracted from the new row are used only when the old item has none. It is one statement, so that
 * a file never has two items or none. A new item that has tags or notes by now is left alone, and so are old items that have been trashed or
 * restored meanwhile or whose file has returned.
 */
export async function mergeMoved(db: Db, pairs: readonly MovePair[]): Promise<MergedMove[]> {
  if (pairs.length === 0) return [];
  const { rows } = await sql<MergedMove>`
    with pair as materialized (
      select p.from_id, p.to_id
      from unnest(${plainArray(pairs.map(({ from }) => from))}::uuid[], ${plainArray(pairs.map(({ to }) => to))}::uuid[],
        ${plainArray(pairs.map(({ notFound = false }) => notFound))}::boolean[], ${plainArray(pairs.map(({ trashed = false }) => trashed))}::boolean[])
        as p (from_id, to_id, not_found, trashed)
      join items n on n.id = p.to_id and n.status = 'active' and ${hasNoOverlay('n')}
      join items o on o.id = p.from_id and case when p.trashed then o.status = 'trashed' else o.status = 'missing' or (o.status = 'active' and p.not_found) end
      for update of n, o),
    gone as (delete from items n using pair p where n.id = p.to_id returning n.*, p.from_id)
    update items i set library_id = g.library_id, folder_id = g.folder_id, filename = g.filename, extension = g.extension,
      file_category = case when ${classifiedByContent} then i.file_category else g.file_category end,
      file_group = case when ${classifiedByContent} then i.file_group else g.file_group end,
      size = g.size, mtime_ns = g.mtime_ns, inode = g.inode, dev = g.dev, nlink = g.nlink, ctime_ns = g.ctime_ns, access_class = g.access_class, allocated = g.allocated, symlink_target = null,
      quick_hash = g.quick_hash, content_hash = g.content_hash, policy_version = g.policy_version, hash_error = null,
      extracted_key = coalesce(i.extracted_key, g.extracted_key),
      metadata = case when i.extracted_key is null and g.extracted_key is not null then g.metadata else i.metadata end,
      title = coalesce(i.title, g.title), year = coalesce(i.year, g.year), body_text = coalesce(i.body_text, g.body_text),
      archive_members = coalesce(i.archive_members, g.archive_members), thumb_key = coalesce(i.thumb_key, g.thumb_key),
      sidecar_of = null, status = case when i.status = 'trashed' then i.status else 'active' end,
      deleted_at = case when i.status = 'trashed' then i.deleted_at end
    from gone g where i.id = g.from_id
    returning i.id as from_id, g.id as to_id, new.library_id as library_id, new.rel_path as rel_path, old.rel_path as from_rel_path,
      old.library_id as from_library_id, new.folder_id as folder_id, ${hasSidecarFacts('i')} as described, (old.extension, old.file_category) is distinct from (new.extension, new.file_category) as retyped`.execute(
    db,
  );
  return rows;
}

/** The folders of items that these runs moved and that have values from a sidecar. The sidecar came along only if the whole folder was moved. */
export async function foldersOfDescribedMoves(db: Db, libraryId: string, runIds: readonly string[]): Promise<number[]> {
  if (runIds.length === 0) return [];
  const { rows } = await sql<{ folder_id: number }>`
    select distinct i.folder_id from scan_changes c join items i on i.id = c.item_id
    where c.run_id = any(${plainArray(runIds)}::uuid[]) and c.kind = 'moved' and i.library_id = ${libraryId} and ${hasSidecarFacts('i')}`.execute(
    db,
  );
  return rows.map(({ folder_id }) => folder_id);
}

/** Logs merged items as moved instead of added. */
export async function logMerged(db: Db, runId: string, runIds: readonly string[], moves: readonly MergedMove[]): Promise<void> {
  if (moves.length === 0) return;
  await forgetAdditions(db, runIds, moves);
  await sql`
    insert into scan_changes (run_id, library_id, item_id, kind, rel_path, from_rel_path, from_library_id)
    select ${runId}, m.library_id, m.id, 'moved', m.rel_path, m.from_rel_path, m.from_library_id
    from unnest(${plainArray(moves.map(({ from_id }) => from_id))}::uuid[], ${plainArray(moves.map(({ library_id }) => library_id))}::uuid[],
      ${textArray(moves.map(({ rel_path }) => rel_path))}::text[], ${textArray(moves.map(({ from_rel_path }) => from_rel_path))}::text[],
      ${plainArray(moves.map(({ from_library_id }) => from_library_id))}::uuid[]) as m (id, library_id, rel_path, from_rel_path, from_library_id)
    on conflict (run_id, item_id) do update set kind = 'moved', rel_path = excluded.rel_path, from_rel_path = excluded.from_rel_path,
      from_library_id = excluded.from_library_id, library_id = excluded.library_id`.execute(db);
}

/** New items that were merged are not in the log. */
export async function forgetAdditions(db: Db, runIds: readonly string[], moves: readonly MergedMove[]): Promise<void> {
  await sql`delete from scan_changes where run_id = any(${plainArray(runIds)}::uuid[]) and item_id = any(${plainArray(moves.map(({ to_id }) => to_id))}::uuid[])`.execute(
    db,
  );
}

/**
 * Items that this run has found elsewhere are not missing, whichever of the two paths was compared first. Each missing one is looked up,
 * because there may be far more moves.
 */
export async function dropFoundFromMissing(db: Db, runId: string): Promise<void> {
  await sql`
    delete from scan_missing m
    where m.run_id = ${runId} and exists (select from scan_changes c where c.run_id = m.run_id and c.item_id = m.item_id and c.kind = 'moved' offset 0)`.execute(
    db,
  );
}
