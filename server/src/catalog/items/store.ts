import { type RawBuilder, sql } from 'kysely';
import type { Action, Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import type { ItemStatus } from '../tables.ts';
import { shownAsInList } from './thumb-right.ts';

export interface ItemRow {
  id: string;
  library_id: string;
  folder_id: number;
  file_category: string;
  file_group: string;
  status: ItemStatus;
  rel_path: string;
  filename: string;
  extension: string | null;
  size: number;
  mtime_ms: number;
  quick_hash: string | null;
  content_hash: string | null;
  policy_version: string | null;
  hash_error: string | null;
  nlink: number | null;
  inode: string | null;
  dev: number | null;
  symlink_target: string | null;
  title: string | null;
  year: number | null;
  user_title: string | null;
  user_year: number | null;
  external_ids: Record<string, unknown>;
  user_external_ids: Record<string, unknown>;
  metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  tags: string[];
  has_thumb: boolean;
  thumb_version: string | null;
  shown_as: string | null;
  has_text: boolean;
  unread: boolean;
  sidecar_of: string | null;
  first_seen: Date;
  last_changed: Date;
  last_verified_at: Date | null;
  deleted_at: Date | null;
  // Columns of the library.
  library_name: string;
  root_path: string;
  native_prefix: string | null;
  share_prefix: string | null;
  expose_gps: boolean;
  source_agent_id: string | null;
  last_full_scan_at: Date | null;
  /** The network address of a file of an agent, if a rule gives one. */
  share_rule: { prefix: string; unc: string | null; rest: string } | null;
}

/** Items `i` with their library `l`. `rest` follows the from clause. */
export async function selectItems(db: Db, rest: RawBuilder<unknown>, options: { metadata?: boolean } = {}): Promise<ItemRow[]> {
  const { rows } = await sql<ItemRow>`
    select i.id, i.library_id, i.folder_id, i.file_category, i.file_group, i.status, i.rel_path, i.filename, i.extension, i.size,
      (i.mtime_ns / 1000000)::bigint mtime_ms, i.quick_hash, i.content_hash, i.policy_version, i.hash_error, i.nlink, i.inode::text inode,
      i.dev, i.symlink_target, i.title, i.year, i.user_title, i.user_year, i.external_ids, i.user_external_ids,
      ${options.metadata === false ? sql`'{}'::jsonb` : sql`i.metadata`} metadata, i.user_metadata, i.tags,
      i.thumb_key is not null has_thumb, left(i.thumb_key, 16) thumb_version, ${sql.raw(shownAsInList)} shown_as, ${options.metadata === false ? sql`i.body_text is not null` : sql`(i.body_text is not null or i.metadata ? 'ocr_text')`} has_text,
      exists (select from extract_pending p where p.item_id = i.id) or exists (select from extract_unopened u where u.item_id = i.id) unread,
      i.sidecar_of, i.first_seen, i.last_changed,
      i.last_verified_at, i.deleted_at,
      l.name library_name, l.root_path, l.native_prefix, l.share_prefix, l.expose_gps, l.source_agent_id, l.last_full_scan_at,
      case when l.source_agent_id is not null then share_rule_of(l.source_agent_id, l.id, l.root_path, i.rel_path) end share_rule
    from items i join libraries l on l.id = i.library_id ${rest}`.execute(db);
  return rows;
}

/** An item the caller may see and use for this action. Invisible items are reported as not found, others as denied. */
export async function findItem(db: Db, visibility: Visibility, id: string, action: Action = 'search_metadata'): Promise<ItemRow> {
  const [row] = await selectItems(db, sql`where i.id = ${id}`);
  if (!row || !visibility.allows(row.library_id, row.rel_path, 'search_metadata')) throw notFound('item');
  if (!visibility.allows(row.library_id, row.rel_path, action)) throw problem('action_denied');
  return row;
}
