import { type RawBuilder, sql } from 'kysely';
import { compactSome, folderTotals } from '../../../catalog/counts/index.ts';
import { type Db, one } from '../../../platform/database/index.ts';
import type { ReportDefinition, ReportScope } from '../contract.ts';
import { column } from './columns.ts';

/** Compactions before a report; what they leave is added by the query. */
const compactions = 4;

export const compactFolderTotals = (db: Db): Promise<void> => compactSome(db, folderTotals, compactions);

async function hasUncompacted(db: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from folder_changes) as found`.execute(db);
  return one(rows).found;
}

/** Recursive totals of the folders of these libraries, from kept totals. Folders know their parent by digest only. */
function keptTotals(libraries: RawBuilder<boolean>, uncompacted: boolean): RawBuilder<unknown> {
  if (!uncompacted) return sql`select library_id, parent, name, items, bytes from folder_totals where ${libraries} and items > 0`;
  return sql`select library_id, parent, name, sum(items) as items, sum(bytes) as bytes from (
      select library_id, parent, name, items, bytes from folder_totals where ${libraries}
      union all
      select library_id, md5(array_to_string(parts[:at - 1], '/'))::uuid, parts[at], items, bytes
      from (select library_id, string_to_array(folder, '/') as parts, items, bytes from folder_changes where ${libraries}) c cross join generate_series(1, cardinality(parts)) at
    ) t group by 1, 2, 3 having sum(items) > 0`;
}

/** Every folder has a row; the second lookup is for folders whose row is not there yet. */
const pathOf = sql`case when t.parent = md5('')::uuid then t.name else coalesce(
    (select p.rel_path from folders p where p.library_id = t.library_id and md5(p.rel_path)::uuid = t.parent),
    (select a.ancestor from folders p cross join lateral (
        select array_to_string((string_to_array(p.rel_path, '/'))[:at], '/') as ancestor from generate_series(1, cardinality(string_to_array(p.rel_path, '/'))) at) a
      where p.library_id = t.library_id and md5(a.ancestor)::uuid = t.parent limit 1)) || '/' || t.name end`;

/** Sums over the items that a caller sees, for folders of libraries that are only partly visible. */
function visibleTotals(scope: ReportScope, seen: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`select library_id, array_to_string(parts[:at], '/') as folder, sum(items)::bigint as items, sum(bytes)::bigint as bytes from (
      select f.library_id, string_to_array(f.rel_path, '/') as parts, count(*) as items, sum(i.size) as bytes
      from items i join folders f on f.id = i.folder_id where ${scope.items('i')} and ${seen} and f.rel_path <> '' group by f.id) own
      cross join generate_series(1, cardinality(parts)) at group by 1, 2`;
}

const foldersBelow = (folder: string, alias: string): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.folder`)} >= ${`${folder}/`} and ${sql.ref(`${alias}.folder`)} < ${`${folder}0`}`;

const largestFolders: ReportDefinition = {
  id: 'largest_folders',
  title: 'Largest folders',
  description: 'Folders with everything below them, largest first. Files directly in the root of a library belong to no folder.',
  group: 'space',
  rowLink: 'browse',
  capped: true,
  defaultLimit: 500,
  library: true,
  folder: true,
  columns: [
    column.libraryId,
    { key: 'folder_key', label: 'Folder key', type: 'text', hidden: true },
    { key: 'folder', label: 'Folder', type: 'text' },
    column.library,
    { key: 'depth', label: 'Depth', type: 'integer' },
    { ...column.fileCount, sum: false },
    { ...column.totalBytes, sum: false },
  ],
  order: [{ key: 'total_bytes', descending: true }],
  rowKey: { key: 'folder_key', type: 'text' },
  prepare: compactFolderTotals,
  async rows(scope) {
    const { whole, rest } = scope.access.split('i');
    const chosen =
      scope.library === null ? sql<boolean>`library_id in (select id from libraries)` : sql<boolean>`library_id = ${scope.library}::uuid`;
    const kept = whole === 'all' ? chosen : sql<boolean>`${chosen} and library_id = any(${whole}::uuid[])`;
    const top = (totals: RawBuilder<unknown>) =>
      sql`select * from (${totals}) t order by t.bytes desc, t.library_id, t.folder limit ${scope.cap}`;
    const below = scope.folder ? foldersBelow(scope.folder, 'x') : sql<boolean>`true`;
    // Below a folder the paths are known from the folders themselves, each of which has one kept total.
    const totals = keptTotals(kept, await hasUncompacted(scope.db));
    const fromFolders = sql`select x.library_id, x.folder, t.items::bigint as items, t.bytes::bigint as bytes
      from (select library_id, rel_path as folder from folders where ${kept}) x
      join (${totals}) t on t.library_id = x.library_id and t.parent = md5(regexp_replace(x.folder, '/?[^/]*$', ''))::uuid and t.name = regexp_replace(x.folder, '^.*/', '')
      where ${below}`;
    const fromTotals = sql`select t.library_id, ${pathOf} as folder, t.items::bigint as items, t.bytes::bigint as bytes from (
      select * from (${totals}) k order by k.bytes desc, k.library_id, k.parent, k.name limit ${scope.cap}) t`;
    const parts = [scope.folder ? fromFolders : fromTotals];
    if (rest) parts.push(sql`select * from (${visibleTotals(scope, rest)}) x where ${below}`);
    return sql`select t.library_id, t.library_id || '/' || t.folder as folder_key, t.folder, l.name as library, cardinality(string_to_array(t.folder, '/'))::bigint as depth,
        t.items as file_count, t.bytes as total_bytes
      from (${top(
        sql.join(
          parts.map((part) => sql`(${part})`),
          sql` union all `,
        ),
      )}) t join libraries l on l.id = t.library_id`;
  },
};

export const folderReports = [largestFolders];
