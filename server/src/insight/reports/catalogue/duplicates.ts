import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../../platform/database/index.ts';
import { settleDuplicates } from '../../copies/index.ts';
import type { Counted, ReportColumn, ReportDefinition, ReportScope } from '../contract.ts';
import { column, itemColumns, itemReport, mtimeColumns, wholeLibraries } from './columns.ts';

/** Paths that a group shows; the others are counted. */
const maxPaths = 20;
/** Batches of changes that a reader settles itself; a maintenance task settles the rest. */
const batchesOnRead = 2;

const prepare = async (db: Db): Promise<void> => {
  await settleDuplicates(db, { batches: batchesOnRead });
};

const visibleMember = (scope: ReportScope): RawBuilder<boolean> =>
  sql<boolean>`i.status = 'active' and i.library_id in (select id from libraries) and ${scope.access.whereItem('i')}`;

/** Groups as the caller sees them: a group of which only one copy is visible is none. */
function groups(scope: ReportScope): RawBuilder<unknown> {
  const { whole } = scope.access.split('i');
  const chosen =
    scope.library === null
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from duplicate_members m join items i on i.id = m.item_id where m.prefix = g.prefix and m.key = g.key and ${scope.items('i')})`;
  if (whole === 'all')
    return sql`select g.key, g.prefix, g.tier, g.size, g.copies, g.stored, g.wasted from duplicate_groups g where ${chosen}`;
  return sql`select g.key, g.prefix, g.tier, g.size, g.copies, g.stored, g.size * (g.stored - 1) as wasted from (
      select m.key, m.prefix, case when m.key like 'q%' then 'quick_hash' else 'content_hash' end as tier, max(i.size) as size, count(*)::int as copies,
        (count(distinct (l.source_agent_id, i.dev, i.inode)) filter (where i.inode is not null) + count(*) filter (where i.inode is null))::int as stored
      from duplicate_members m join items i on i.id = m.item_id join libraries l on l.id = i.library_id
      where ${visibleMember(scope)} group by m.key, m.prefix having count(*) > 1) g where ${chosen}`;
}

/** Copies that share their storage cost nothing; sampled ones agree in size and samples only. */
const tier = sql`case when g.stored = 1 then 'shares_storage' else g.tier end`;

const paths = (scope: ReportScope): RawBuilder<unknown> => sql`array(
    select l.name || '/' || i.rel_path from duplicate_members m join items i on i.id = m.item_id join libraries l on l.id = i.library_id
    where m.prefix = g.prefix and m.key = g.key and ${visibleMember(scope)} order by i.mtime_ns desc, i.id limit ${sql.lit(maxPaths)})
  || case when g.copies > ${sql.lit(maxPaths)} then array['and ' || (g.copies - ${sql.lit(maxPaths)}) || ' more'] else '{}' end`;

const groupColumns = {
  key: { key: 'dup_key', label: 'Content', type: 'text' },
  copies: { key: 'copies', label: 'Copies', type: 'integer' },
  tier: { key: 'hash_tier', label: 'Match', type: 'text' },
  wasted: { key: 'wasted_bytes', label: 'Wasted', type: 'bytes', sum: true },
  paths: { key: 'paths', label: 'Paths', type: 'list', sortable: false },
} as const satisfies Record<string, ReportColumn>;

/** The number of groups is known without reading them, unless the caller sees only a part. */
const groupReport = {
  group: 'space',
  rowLink: 'search_hash',
  library: true,
  folder: true,
  rowKey: { key: 'dup_key', type: 'text' },
  prepare,
} as const;

const duplicateFiles: ReportDefinition = {
  ...groupReport,
  id: 'duplicate_files',
  title: 'Duplicate files',
  description: 'Groups of files with the same content, most waste first. Hard links share their storage and waste nothing.',
  defaultLimit: 1000,
  columns: [
    groupColumns.key,
    groupColumns.copies,
    groupColumns.tier,
    groupColumns.wasted,
    groupColumns.paths,
    { key: 'content_hash', label: 'Content hash', type: 'text', hidden: true, nullable: true },
    { key: 'quick_hash', label: 'Quick hash', type: 'text', hidden: true, nullable: true },
  ],
  order: [{ key: 'wasted_bytes', descending: true }],
  rows: (scope) => sql`select g.key as dup_key, g.copies, ${tier} as hash_tier, g.wasted as wasted_bytes, ${paths(scope)} as paths,
      case when g.tier = 'content_hash' then g.key end as content_hash, case when g.tier = 'quick_hash' then split_part(substr(g.key, 2), ':', 1) end as quick_hash
    from (${groups(scope)}) g`,
};

const largestDuplicates: ReportDefinition = {
  ...groupReport,
  id: 'largest_duplicates',
  title: 'Largest duplicates',
  description: 'Groups of files with the same content, largest file first.',
  capped: true,
  defaultLimit: 500,
  columns: [
    { ...groupColumns.key, hidden: true },
    { key: 'size_bytes', label: 'Size of one copy', type: 'bytes' },
    groupColumns.copies,
    groupColumns.wasted,
    groupColumns.tier,
    groupColumns.paths,
  ],
  order: [{ key: 'size_bytes', descending: true }],
  rows: (
    scope,
  ) => sql`select g.key as dup_key, g.size as size_bytes, g.copies, g.wasted as wasted_bytes, ${tier} as hash_tier, ${paths(scope)} as paths
    from (${groups(scope)}) g`,
};

/** All copies, from the kept groups; null when the caller or the filters leave some of them out. */
async function countCopies(scope: ReportScope): Promise<Counted | null> {
  if (scope.library !== null || wholeLibraries(scope) !== 'all') return null;
  const { rows } = await sql<{
    total: number;
    size: number;
  }>`select coalesce(sum(copies), 0)::bigint as total, coalesce(sum(size * copies), 0)::float8 as size from duplicate_groups`.execute(
    scope.db,
  );
  const { total, size } = one(rows);
  return { total, sums: { size } };
}

const copies: ReportDefinition = itemReport({
  id: 'duplicate_files_detail',
  title: 'Duplicate copies',
  description: 'Every copy of every duplicate file, groups together, most waste first. The newest copy of a group is suggested to keep.',
  group: 'space',
  prepare,
  columns: [
    { key: 'group_key', label: 'Group', type: 'text' },
    { key: 'group_rank', label: 'Rank', type: 'integer' },
    { key: 'copies_in_group', label: 'Copies', type: 'integer' },
    { key: 'hash_tier', label: 'Match', type: 'text' },
    { key: 'group_wasted', label: 'Wasted by group', type: 'bytes' },
    { key: 'keep_hint', label: 'Suggestion', type: 'text' },
    column.relPath,
    column.library,
    column.size,
    column.mtime,
    { key: 'content_hash', label: 'Content hash', type: 'text', nullable: true },
    { key: 'quick_hash', label: 'Quick hash', type: 'text', nullable: true },
  ],
  order: [
    { key: 'group_wasted', descending: true },
    { key: 'group_key', descending: true },
    { key: 'group_rank', descending: false },
  ],
  rows: (scope) => sql`select ${itemColumns}, g.key as group_key, c.rank - 1 as group_rank, g.copies as copies_in_group,
      case when c.linked then 'shares_storage' else g.tier end as hash_tier, g.wasted as group_wasted, case when c.rank = 1 then 'keep' else 'candidate' end as keep_hint,
      i.size, ${mtimeColumns}, i.content_hash, i.quick_hash
    from (${groups(scope)}) g cross join lateral (
      select i.id, row_number() over (order by i.mtime_ns desc, i.id) as rank,
        i.inode is not null and count(*) over (partition by a.source_agent_id, i.dev, i.inode) > 1 as linked
      from duplicate_members m join items i on i.id = m.item_id join libraries a on a.id = i.library_id
      where m.prefix = g.prefix and m.key = g.key and ${visibleMember(scope)}) c
    join items i on i.id = c.id join libraries l on l.id = i.library_id`,
  count: countCopies,
});

const hardLinks: ReportDefinition = {
  id: 'hard_links',
  title: 'Hard links',
  description: 'Files that share their storage under several names. Removing one of the names frees nothing.',
  group: 'space',
  rowLink: 'item',
  library: true,
  folder: true,
  defaultLimit: 1000,
  columns: [
    column.itemId,
    { key: 'link_key', label: 'File system and inode', type: 'text', hidden: true },
    { key: 'names', label: 'Names in the catalog', type: 'integer' },
    { key: 'links', label: 'Names on disk', type: 'integer' },
    { ...column.size, sum: false },
    { key: 'saved_bytes', label: 'Saved by sharing', type: 'bytes', sum: true },
    { key: 'paths', label: 'Paths', type: 'list', sortable: false },
  ],
  order: [{ key: 'saved_bytes', descending: true }],
  rowKey: { key: 'link_key', type: 'text' },
  rows: (
    scope,
  ) => sql`select (array_agg(i.id order by i.id))[1] as item_id, concat_ws(':', i.dev, i.inode, l.source_agent_id) as link_key, count(*) as names, max(i.nlink)::bigint as links,
      max(i.size) as size, max(i.size) * (count(*) - 1) as saved_bytes, (array_agg(l.name || '/' || i.rel_path order by i.id))[1:${sql.lit(maxPaths)}]
        || case when count(*) > ${sql.lit(maxPaths)} then array['and ' || (count(*) - ${sql.lit(maxPaths)}) || ' more'] else '{}' end as paths
    from items i join libraries l on l.id = i.library_id
    where i.status = 'active' and i.nlink > 1 and i.symlink_target is null and i.inode is not null and ${scope.items('i')} group by i.dev, i.inode, l.source_agent_id having count(*) > 1`,
};

const onlyCopies: ReportDefinition = itemReport({
  id: 'only_copies',
  title: 'Only copies',
  description: 'Large files whose content exists only once in all libraries you can see. Losing one of them loses the content.',
  group: 'health',
  prepare,
  threshold: { unit: 'bytes', label: 'At least this large', default: 1_073_741_824, minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  columns: [
    column.relPath,
    column.library,
    column.category,
    column.size,
    { key: 'proven', label: 'Proven by content hash', type: 'boolean' },
  ],
  order: [{ key: 'size', descending: true }],
  rows: (scope) => {
    const least = scope.threshold ?? 1_073_741_824;
    const otherCopy =
      wholeLibraries({ ...scope, folder: null }) === 'all'
        ? sql`exists (select from duplicate_members m where m.item_id = i.id)`
        : sql`exists (select from duplicate_members m join duplicate_members o on o.prefix = m.prefix and o.key = m.key and o.item_id <> m.item_id
          join items c on c.id = o.item_id where m.item_id = i.id and c.status = 'active' and ${scope.access.whereItem('c')})`;
    return sql`select ${itemColumns}, i.file_category, i.size, i.content_hash is not null as proven from items i join libraries l on l.id = i.library_id
      where ${scope.items('i')} and i.size >= ${least}::bigint ${least >= 16_777_216 ? sql`and i.status = 'active' and i.size >= 16777216` : sql``}
        and (i.content_hash is not null or i.quick_hash is not null) and not ${otherCopy}`;
  },
});

/**
 * Contents by the set of libraries that hold them; there are few such sets. A caller who sees everything needs only the kept groups; others
 * need the items, to see which are visible.
 */
const librarySets = (scope: ReportScope): RawBuilder<unknown> =>
  scope.access.split('i').whole === 'all'
    ? sql`select libraries, count(*) as contents, sum(size) as bytes from duplicate_groups where cardinality(libraries) > 1 group by 1`
    : sql`select libraries, count(*) as contents, sum(size) as bytes from (
        select array_agg(distinct i.library_id) as libraries, max(i.size) as size from duplicate_members m join items i on i.id = m.item_id
        where ${visibleMember(scope)} group by m.key) g where cardinality(libraries) > 1 group by 1`;

const libraryPairs: ReportDefinition = {
  id: 'library_pairs',
  title: 'Copies by library pair',
  description: 'How much content two libraries have in common.',
  group: 'space',
  rowLink: 'none',
  library: true,
  folder: false,
  defaultLimit: 1000,
  prepare,
  columns: [
    { key: 'pair_key', label: 'Pair', type: 'text', hidden: true },
    column.library,
    { key: 'other_library', label: 'Other library', type: 'text' },
    { key: 'contents', label: 'Contents in both', type: 'integer' },
    { key: 'shared_bytes', label: 'Size in both', type: 'bytes' },
  ],
  order: [{ key: 'shared_bytes', descending: true }],
  rowKey: { key: 'pair_key', type: 'text' },
  rows: (
    scope,
  ) => sql`select a.id || ' ' || b.id as pair_key, x.name as library, y.name as other_library, sum(s.contents)::bigint as contents, sum(s.bytes)::bigint as shared_bytes
    from (${librarySets(scope)}) s cross join unnest(s.libraries) a (id) join unnest(s.libraries) b (id) on b.id > a.id
      join libraries x on x.id = a.id join libraries y on y.id = b.id
    where ${scope.library === null ? sql`true` : sql`${scope.library}::uuid in (a.id, b.id)`} group by a.id, b.id, x.name, y.name`,
};

export const duplicateReports = [duplicateFiles, largestDuplicates, copies, hardLinks, onlyCopies, libraryPairs];
