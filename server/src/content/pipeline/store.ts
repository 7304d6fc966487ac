import { type RawBuilder, sql } from 'kysely';
import { hasSidecarFacts, isSidecarKey } from '../../catalog/sidecars/index.ts';
import { type Db, one, storableJson } from '../../platform/database/index.ts';

export interface PendingItem {
  id: string;
  library_id: string;
  root_path: string;
  rel_path: string;
  filename: string;
  extension: string | null;
  file_category: string;
  size: number;
  mtime_ns: string;
  symlink_target: string | null;
  content_hash: string | null;
  quick_hash: string | null;
  extracted_key: string | null;
  thumb_key: string | null;
  metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  forced: boolean;
  extract_overrides: Record<string, number> | null;
  ocr_enabled: boolean;
  content_sniff_enabled: boolean;
  /** The scan run whose progress includes this item. */
  run_id: string | null;
  /** The thumbnail was skipped or evicted and must be drawn although nothing else changed. */
  thumb_due: boolean;
}

/** Counts what was queued for the progress of the run. */
const noteQueued = sql`noted as (insert into scan_stages (run_id, queued) select run.id, added from run, counted where added > 0
  on conflict (run_id) do update set queued = scan_stages.queued + excluded.queued)`;

/**
 * Adds items to extract_pending under the library's newest scan run and returns how many were added. Symbolic links, inactive and already
 * pending items are skipped. Those that were left to the next scan wait here again, as they waited before.
 */
export async function addPending(db: Db, libraryId: string, ids: readonly string[], forced = false): Promise<number> {
  const { rows } = await sql<{
    added: number;
  }>`with run as (select id from scan_runs where library_id = ${libraryId} order by id desc limit 1),
    unopened as (delete from extract_unopened u using item_rows i
      where u.item_id = any(${[...ids]}::uuid[]) and i.id = u.item_id and i.library_id = ${libraryId} and i.status = 'active'
      returning u.item_id, u.forced, u.cleared_error),
    added as (insert into extract_pending (item_id, library_id, forced, cleared_error, run_id)
      select i.id, i.library_id, ${forced} or coalesce(u.forced, false), u.cleared_error, (select id from run)
      from item_rows i left join unopened u on u.item_id = i.id
      where i.id = any(${[...ids]}::uuid[]) and i.library_id = ${libraryId} and i.symlink_target is null and i.status = 'active'
        -- Files of an agent are on another machine; what lies at their paths here is something else.
        and not exists (select from all_libraries l where l.id = ${libraryId} and l.source_agent_id is not null)
      on conflict (item_id) do nothing returning 1),
    counted as (select count(*)::integer as added from added),
    ${noteQueued}
    select added from counted`.execute(db);
  return one(rows).added;
}

/** Claims the next items for a job. Claims of a lost job expire after 30 minutes. */
export async function claimPending(db: Db, jobId: string, libraryId: string, limit: number): Promise<PendingItem[]> {
  const { rows } = await sql<PendingItem>`with taken as (
      update extract_pending p set claimed_by = ${jobId}, claimed_at = now()
      where p.item_id in (select item_id from extract_pending where library_id = ${libraryId} and (claimed_at is null or claimed_at < now() - interval '30 minutes')
        order by item_id limit ${limit} for update skip locked)
      returning p.item_id, p.forced, p.run_id)
    select i.id, i.library_id, l.root_path, i.rel_path, i.filename, i.extension, i.file_category, i.size, i.mtime_ns::text as mtime_ns, i.symlink_target, i.content_hash, i.quick_hash, i.extracted_key, i.thumb_key,
      i.metadata, i.title, i.year, taken.forced, l.extract_overrides, l.ocr_enabled, l.content_sniff_enabled, taken.run_id,
      exists (select from thumbs_due d where d.item_id = i.id) as thumb_due
    from taken join items i on i.id = taken.item_id join libraries l on l.id = i.library_id order by i.rel_path collate "C"`.execute(db);
  return rows;
}

/** True when no pending item of the library is left to claim. */
export async function isNothingWaiting(db: Db, libraryId: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`select exists (select from extract_pending
    where library_id = ${libraryId} and (claimed_at is null or claimed_at < now() - interval '30 minutes')) as waits`.execute(db);
  return !one(rows).waits;
}

/** Releases the items that a job claimed but did not finish. */
export async function releaseClaims(db: Db, jobId: string): Promise<void> {
  await sql`update extract_pending set claimed_by = null, claimed_at = null where claimed_by = ${jobId}`.execute(db);
}

/** A condition on item `i`: it has the bytes with which it was claimed. A content hash that was added since says nothing else. */
const hasClaimedBytes = ({ size, mtime_ns, symlink_target, content_hash, quick_hash }: PendingItem) => sql<boolean>`i.size = ${size}
  and i.mtime_ns = ${mtime_ns}::bigint and i.symlink_target is not distinct from ${symlink_target}::text
  and case when ${content_hash}::text is null then i.quick_hash is not distinct from ${quick_hash}::text
    else i.content_hash is not distinct from ${content_hash}::text end`;

/** A condition on item `i`: it is where it was when it was claimed. One that has moved may have another type now. */
const isAtClaimedPath = ({ library_id, rel_path }: PendingItem) => sql<boolean>`i.library_id = ${library_id} and i.rel_path = ${rel_path}`;

/** A condition on item `i`: its sidecars say what they said when it was claimed, so that their old facts do not replace newer ones. */
const hasClaimedSidecarFacts = ({ metadata }: PendingItem) => sql<boolean>`coalesce((select jsonb_object_agg(k, v)
    from jsonb_each(i.metadata) as facts (k, v) where k like 'nfo\\_%' or k like 'jr\\_%'), '{}')
  = ${JSON.stringify(Object.fromEntries(Object.entries(metadata).filter(([key]) => isSidecarKey(key))))}::jsonb`;

/** An item that has moved or changed since it was claimed stays pending. */
export async function removePending(db: Db, item: PendingItem): Promise<void> {
  await sql`delete from extract_pending p using items i
    where p.item_id = ${item.id} and i.id = p.item_id and ${isAtClaimedPath(item)} and ${hasClaimedBytes(item)}`.execute(db);
}

/** The file could not be opened, or changed while it was read. It waits for the next scan instead, unless the item has moved or changed since. */
export async function leaveToScan(db: Db, item: PendingItem): Promise<void> {
  await sql`with removed as (delete from extract_pending p using items i
      where p.item_id = ${item.id} and i.id = p.item_id and ${isAtClaimedPath(item)} and ${hasClaimedBytes(item)}
      returning p.item_id, p.forced, p.cleared_error)
    insert into extract_unopened as known (item_id, forced, cleared_error) select * from removed
    on conflict (item_id) do update set forced = known.forced or excluded.forced,
      cleared_error = coalesce(excluded.cleared_error, known.cleared_error)`.execute(db);
}

/** A page of the files of a library that were left to the next scan. Missing and trashed ones go on waiting. `isCovered`: a condition on items `i`. */
export async function pageUnopened(
  db: Db,
  libraryId: string,
  isCovered: RawBuilder<boolean>,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select i.id from extract_unopened u join item_rows i on i.id = u.item_id
    where i.library_id = ${libraryId} and i.status = 'active' and ${isCovered} and i.id > ${after} order by i.id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Takes the error markers from items and keeps them with the pending rows until the outcome of the retry is known. */
export async function clearErrors(db: Db, ids: readonly string[]): Promise<void> {
  await sql`with cleared as (
      update items set metadata = metadata - '_extract_error' - '_extract_error_kind'
      where id = any(${[...ids]}::uuid[]) and metadata ? '_extract_error' returning id, old.metadata as before)
    update extract_pending p set cleared_error = jsonb_strip_nulls(jsonb_build_object(
      '_extract_error', before -> '_extract_error', '_extract_error_kind', before -> '_extract_error_kind'))
    from cleared c where p.item_id = c.id`.execute(db);
}

/** Marks the thumbnail to be drawn once there is disk space, or thumbnails are switched on. */
export async function recordThumbDue(db: Db, itemId: string): Promise<void> {
  await sql`insert into thumbs_due (item_id) values (${itemId}) on conflict do nothing`.execute(db);
}

export async function clearThumbDue(db: Db, itemId: string): Promise<void> {
  await sql`delete from thumbs_due where item_id = ${itemId}`.execute(db);
}

/** The condition under which the due thumbnail of item `i` is drawn. Files that could not be opened wait for the next scan. */
const isDrawable = sql<boolean>`i.status = 'active' and i.symlink_target is null
  and not exists (select from extract_unopened u where u.item_id = i.id)`;

/** Items whose thumbnail is due, by library. They stay due until it is drawn. */
export async function listThumbsDue(db: Db, limit: number): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    id: string;
    library_id: string;
  }>`select i.id, i.library_id from thumbs_due d join items i on i.id = d.item_id
    where ${isDrawable} and not exists (select from extract_pending p where p.item_id = i.id) order by i.id limit ${limit}`.execute(db);
  return new Map([...Map.groupBy(rows, (row) => row.library_id)].map(([library, group]) => [library, group.map(({ id }) => id)]));
}

/** How many due thumbnails will be drawn, counted up to a limit. A missing or trashed file keeps its mark in case it returns. */
export async function countThumbsDue(db: Db, atMost: number): Promise<number> {
  const { rows } = await sql<{ due: number }>`select count(*) as due from (
    select from thumbs_due d join item_rows i on i.id = d.item_id where ${isDrawable} limit ${atMost}) as counted`.execute(db);
  return one(rows).due;
}

/** Libraries with pending items, and how many unfinished jobs there are to process them. */
export async function pendingByLibrary(db: Db, task: string): Promise<{ library_id: string; items: number; jobs: number }[]> {
  const { rows } = await sql<{ library_id: string; items: number; jobs: number }>`
    with open_jobs as (
      select payload ->> 'library_id' as library_id, count(*) as jobs from jobs where state in ('todo', 'doing') and task = ${task} group by 1
    )
    select p.library_id, count(*) as items, coalesce(max(open_jobs.jobs), 0) as jobs
    from extract_pending p left join open_jobs on open_jobs.library_id = p.library_id::text
    group by p.library_id`.execute(db);
  return rows;
}

export async function countPending(db: Db, libraryId?: string): Promise<number> {
  const { rows } = await sql<{
    waiting: number;
  }>`select count(*) as waiting from extract_pending where ${libraryId ? sql`library_id = ${libraryId}` : sql`true`}`.execute(db);
  return one(rows).waiting;
}

export interface ExtractionResult {
  metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  body_text: string | null;
  archive_members: string | null;
  extracted_key: string | null;
  thumb_key: string | null;
}

/** The result of another item with the same bytes and extractor, so that no content is read twice. Items with a sidecar are skipped because their title may come from it. */
export async function findSameContent(db: Db, extractedKey: string): Promise<(ExtractionResult & { thumb_due: boolean }) | null> {
  const { rows } = await sql<
    ExtractionResult & { thumb_due: boolean }
  >`select metadata, title, year, body_text, archive_members, extracted_key, thumb_key,
      exists (select from thumbs_due d where d.item_id = items.id) as thumb_due from items where extracted_key = ${extractedKey} and not metadata ? '_extract_error'
      and not ${hasSidecarFacts('items')} limit 1`.execute(db);
  return rows[0] ?? null;
}

/** A condition: the item has facts in its history, although it may have lost them since, for example while it was a symlink. */
const hasExtractions = (itemId: string) =>
  sql<boolean>`exists (select from item_history h where h.item_id = ${itemId} and h.source = 'extractor')`;

/**
 * Writes the result and removes the item from extract_pending in one statement. The result of bytes or sidecars that the item no longer has
 * is dropped, and the item stays pending. The caller has already merged the metadata to keep. The first extraction belongs to the creation
 * of the item and is not history. The statement does not wait for the disk: what a power failure takes back stays pending and is read again.
 */
export async function writeExtractionResult(db: Db, item: PendingItem, result: ExtractionResult): Promise<void> {
  const { title, year, extracted_key, thumb_key } = result;
  await sql`with new as (select ${storableJson(result.metadata)}::jsonb as metadata),
    old as (
      select i.metadata || coalesce(p.cleared_error, '{}') as metadata, i.extracted_key is not null as is_known, ${isAtClaimedPath(item)} as is_in_place
      from items i left join extract_pending p on p.item_id = i.id where i.id = ${item.id}
        and ${hasClaimedBytes(item)} and ${hasClaimedSidecarFacts(item)} for update of i),
    written as (update items set metadata = new.metadata, title = ${clean(title)}, year = ${year}, body_text = ${clean(result.body_text)},
        archive_members = ${clean(result.archive_members)}, extracted_key = ${extracted_key}, thumb_key = ${thumb_key}
      from old, new where id = ${item.id}),
    noted as (insert into item_history (item_id, source, actor, before, after)
      select ${item.id}, 'extractor', 'extractor', jsonb_build_object('metadata', old.metadata), jsonb_build_object('metadata', new.metadata)
      from old, new where old.metadata <> new.metadata and (is_known or ${hasExtractions(item.id)})),
    removed as (delete from extract_pending p using old where p.item_id = ${item.id} and is_in_place)
    select set_config('synchronous_commit', 'off', true)`.execute(db);
}

export async function writeThumbKey(db: Db, itemId: string, key: string | null): Promise<void> {
  await sql`update items set thumb_key = ${key} where id = ${itemId}`.execute(db);
}

/** PostgreSQL text cannot contain NUL. */
function clean(text: string | null): string | null {
  return text?.replaceAll('\0', ' ') ?? null;
}
