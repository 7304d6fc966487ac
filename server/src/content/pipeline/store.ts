import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

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
}

/** Notes items for extraction; links and trashed items are left out; an item that waits already stays as it is. Answers how many were added. */
export async function addPending(db: Db, libraryId: string, ids: readonly string[], forced = false): Promise<number> {
  const { numAffectedRows } = await sql`insert into extract_pending (item_id, library_id, forced)
    select id, library_id, ${forced} from items where id = any(${[...ids]}::uuid[]) and library_id = ${libraryId} and symlink_target is null and status = 'active'
    on conflict (item_id) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0n);
}

/** Takes the next items for a job. A claim whose job went away is free again after a while. */
export async function claimPending(db: Db, jobId: string, libraryId: string, limit: number): Promise<PendingItem[]> {
  const { rows } = await sql<PendingItem>`with taken as (
      update extract_pending p set claimed_by = ${jobId}, claimed_at = now()
      where p.item_id in (select item_id from extract_pending where library_id = ${libraryId} and (claimed_at is null or claimed_at < now() - interval '30 minutes')
        order by item_id limit ${limit} for update skip locked)
      returning p.item_id, p.forced)
    select i.id, i.library_id, l.root_path, i.rel_path, i.filename, i.extension, i.file_category, i.size, i.mtime_ns::text as mtime_ns, i.content_hash, i.quick_hash, i.extracted_key, i.thumb_key,
      i.metadata, i.title, i.year, taken.forced, l.extract_overrides, l.ocr_enabled
    from taken join items i on i.id = taken.item_id join libraries l on l.id = i.library_id order by i.rel_path collate "C"`.execute(db);
  return rows;
}

/** Gives back what a job claimed and did not finish. */
export async function releaseClaims(db: Db, jobId: string): Promise<void> {
  await sql`update extract_pending set claimed_by = null, claimed_at = null where claimed_by = ${jobId}`.execute(db);
}

export async function forgetPending(db: Db, itemId: string): Promise<void> {
  await sql`delete from extract_pending where item_id = ${itemId}`.execute(db);
}

export async function countPending(db: Db, libraryId?: string): Promise<number> {
  const { rows } = await sql<{
    waiting: number;
  }>`select count(*) as waiting from extract_pending where ${libraryId ? sql`library_id = ${libraryId}` : sql`true`}`.execute(db);
  return rows[0]!.waiting;
}

export interface Result {
  metadata: Record<string, unknown>;
  title: string | null;
  year: number | null;
  body_text: string | null;
  archive_members: string | null;
  extracted_key: string | null;
  thumb_key: string | null;
}

/** What another item with the same bytes and the same extractor gave: no file is read twice for the same facts. One with a sidecar is no model: its title may not be the file's own. */
export async function findTwin(db: Db, extractedKey: string): Promise<Result | null> {
  const { rows } =
    await sql<Result>`select metadata, title, year, body_text, archive_members, extracted_key, thumb_key from items where extracted_key = ${extractedKey} and not metadata ? '_extract_error'
      and not exists (select from jsonb_object_keys(metadata) k where k like 'nfo\\_%' or k like 'jr\\_%') limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Writes the result and takes the item off the list, both or neither. Sidecar keys and digests of the old metadata are kept by the caller. */
export async function writeResult(db: Db, item: PendingItem, result: Result): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      before: Record<string, unknown>;
      had: boolean;
    }>`select metadata as before, extracted_key is not null as had from items where id = ${item.id} for update`.execute(trx);
    if (!rows[0]) return;
    await sql`update items set metadata = ${json(result.metadata)}::jsonb, title = ${result.title}, year = ${result.year}, body_text = ${clean(result.body_text)}, archive_members = ${clean(result.archive_members)},
      extracted_key = ${result.extracted_key}, thumb_key = ${result.thumb_key} where id = ${item.id}`.execute(trx);
    // Later extractions leave a trace; the first one is the item's birth.
    if (rows[0].had && JSON.stringify(rows[0].before) !== JSON.stringify(result.metadata)) {
      await sql`insert into item_history (item_id, source, actor, before, after) values (${item.id}, 'extractor', 'extractor', ${json({ metadata: rows[0].before })}::jsonb, ${json({ metadata: result.metadata })}::jsonb)`.execute(
        trx,
      );
    }
    await forgetPending(trx, item.id);
  });
}

/** PostgreSQL keeps no NUL in text. */
function clean(text: string | null): string | null {
  return text?.replaceAll('\0', ' ') ?? null;
}

function json(value: unknown): string {
  return JSON.stringify(value).replaceAll('\\u0000', ' ');
}
