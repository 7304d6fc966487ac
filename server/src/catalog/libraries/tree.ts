import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import { decodeCursor, encodeCursor, isoTime } from '../../platform/schemas.ts';
import { compactIfNeeded, folderTotals, folderTotalsBelow } from '../counts/index.ts';
import { maySeeThumb, shownAsInList } from '../items/index.ts';
import { isFolderBelow } from '../paths/index.ts';
import type { LibraryRow } from './store.ts';

export interface TreeQuery {
  path: string;
  limit: number;
  offset: number;
  foldersOffset: number;
  foldersSort: 'name' | 'size' | 'count';
  itemsSort: 'name' | 'size' | 'mtime';
  cursor: string | undefined;
}

interface TreeItemRow {
  id: string;
  rel_path: string;
  filename: string;
  file_category: string;
  file_group: string;
  size: number;
  mtime_ms: number;
  title: string | null;
  year: number | null;
  thumb_version: string | null;
  extension: string | null;
  shown_as: string | null;
}

interface FolderPage {
  rows: { name: string; item_count: number; total_bytes: number }[];
  total: number;
  files: number;
  bytes: number;
}

/** One level of a library: its folders with their recursive totals, and its items. Only active items count. */
export async function treeLevel(db: Db, visibility: Visibility, library: LibraryRow, query: TreeQuery) {
  const folders = await foldersBelow(db, visibility, library.id, query);
  const items = await itemsInFolder(db, visibility, library.id, query);
  if (query.path !== '' && folders.total === 0 && items.total === 0) {
    const known = await sql`select 1 from folders where library_id = ${library.id} and rel_path = ${query.path} limit 1`.execute(db);
    if (!visibility.allows(library.id, query.path, 'search_metadata') || known.rows.length === 0)
      throw problem('not_found', 'There is no such folder in this library. Check the path.');
  }
  return {
    library_id: library.id,
    library_name: library.name,
    path: query.path,
    folders: folders.rows,
    folders_total: folders.total,
    folders_offset: query.foldersOffset,
    items: items.rows,
    total_items: items.total,
    total_files: folders.files + items.total,
    total_bytes: folders.bytes + items.bytes,
    next_cursor: items.nextCursor,
  };
}

/** Ignores the case of ASCII letters and does not depend on the locale of the database, so that the console can compute the same order. */
const byName = sql`lower(name collate "C"), name collate "C"`;
const orders = { name: byName, size: sql`total_bytes desc, ${byName}`, count: sql`item_count desc, ${byName}` };

async function foldersBelow(db: Db, visibility: Visibility, libraryId: string, query: TreeQuery): Promise<FolderPage> {
  const { path, limit, foldersOffset, foldersSort } = query;
  const seesAll = visibility.seesWhole(libraryId, path);
  const { rows } = await sql<{ name: string; item_count: number; total_bytes: number; total: number; files: number; bytes: number }>`
    with named as (${seesAll ? folderTotalsBelow(libraryId, path) : visibleSumsBelow(visibility, libraryId, path)})
    select name, item_count, total_bytes, count(*) over () total, (sum(item_count) over ())::bigint files, (sum(total_bytes) over ())::bigint bytes
    from named order by ${orders[foldersSort]} limit ${limit} offset ${foldersOffset}`.execute(db);
  if (seesAll) await compactIfNeeded(db, folderTotals);
  const sums =
    rows.length === 0 && foldersOffset > 0
      ? await foldersBelow(db, visibility, libraryId, { ...query, limit: 1, foldersOffset: 0 })
      : { total: rows[0]?.total ?? 0, files: rows[0]?.files ?? 0, bytes: rows[0]?.bytes ?? 0 };
  return {
    rows: rows.map(({ name, item_count, total_bytes }) => ({ name, item_count, total_bytes })),
    total: sums.total,
    files: sums.files,
    bytes: sums.bytes,
  };
}

/** Sums of the visible items, for a caller who sees only part of the library. */
function visibleSumsBelow(visibility: Visibility, libraryId: string, path: string) {
  const start = path === '' ? 1 : [...path].length + 2;
  return sql`select split_part(substr(f.rel_path, ${start}::int), '/', 1) name, count(*) item_count, sum(i.size)::bigint total_bytes
    from folders f join items i on i.folder_id = f.id
    where f.library_id = ${libraryId} and ${isFolderBelow('f', path)} and i.status = 'active' and ${visibility.whereItem('i')} group by 1`;
}

async function itemsInFolder(db: Db, visibility: Visibility, libraryId: string, query: TreeQuery) {
  const { path, limit, offset, itemsSort, cursor } = query;
  const after = decodeCursor(cursor, (value): value is string => typeof value === 'string' && value.length <= 4096);
  const here = sql`f.library_id = ${libraryId} and f.rel_path = ${path} and i.status = 'active' and ${visibility.whereItem('i')}`;
  const counted = await sql<{ total: number; bytes: number }>`
    select count(*) total, coalesce(sum(i.size), 0)::bigint bytes from folders f join items i on i.folder_id = f.id where ${here}`.execute(
    db,
  );
  const { rows } = await sql<TreeItemRow>`
    select i.id, i.rel_path, i.filename, i.file_category, i.file_group, i.size, (i.mtime_ns / 1000000)::bigint mtime_ms,
      coalesce(i.user_title, i.title) title, coalesce(i.user_year, i.year) as year,
      left(i.thumb_key, 16) thumb_version, i.extension, ${sql.raw(shownAsInList)} shown_as
    from folders f join items i on i.folder_id = f.id
    where ${here} ${after === null ? sql`` : sql`and i.filename > ${after}`}
    order by ${itemsSort === 'size' ? sql`i.size desc,` : itemsSort === 'mtime' ? sql`i.mtime_ns desc,` : sql``} i.filename limit ${limit + 1} offset ${after === null ? offset : 0}`.execute(
    db,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    rows: page.map((row) => presentItem(visibility, libraryId, row)),
    ...one(counted.rows),
    nextCursor: last && itemsSort === 'name' ? encodeCursor(last.filename) : null,
  };
}

function presentItem(visibility: Visibility, library_id: string, { mtime_ms, extension, shown_as, thumb_version, ...row }: TreeItemRow) {
  const has_thumb = thumb_version !== null && maySeeThumb(visibility, { ...row, library_id, extension, shown_as });
  return { ...row, mtime: isoTime(mtime_ms), has_thumb, thumb_version: has_thumb ? thumb_version : null };
}
