import { sql } from 'kysely';
import { dayTotalRows } from '../../../catalog/counts/index.ts';
import { one } from '../../../platform/database/index.ts';
import type { Counted, ReportDefinition, ReportScope } from '../contract.ts';
import { column, itemColumns, itemReport, itemTables, milliseconds, mtimeColumns, sizeOnDisk, wholeLibraries } from './columns.ts';

const day = 86_400_000;
/** Smallest size in the index items_large. */
const largeBytes = 16_777_216;

/** True when so many large files exist that a top list needs no others. */
async function enoughLarge(scope: ReportScope, wanted: number): Promise<boolean> {
  const { rows } =
    await sql`select from items i where i.status = 'active' and i.size >= ${sql.lit(largeBytes)} and ${scope.items('i')} limit ${wanted}`.execute(
      scope.db,
    );
  return rows.length === wanted;
}

const largestFiles: ReportDefinition = itemReport({
  id: 'largest_files',
  title: 'Largest files',
  description: 'The files that take the most space.',
  group: 'space',
  capped: true,
  defaultLimit: 500,
  columns: [column.relPath, column.library, column.category, column.size, column.sizeOnDisk],
  order: [{ key: 'size', descending: true }],
  async rows(scope) {
    const large = (await enoughLarge(scope, scope.cap)) ? sql`and i.size >= ${sql.lit(largeBytes)}` : sql``;
    return sql`select ${itemColumns}, i.file_category, i.size, ${sizeOnDisk} ${itemTables} where ${scope.items('i')} ${large}`;
  },
});

/** Thresholds are whole days in UTC, so that kept totals per day can count them. */
const startOfDay = (now: Date, offsetDays: number): number => Math.floor(now.getTime() / day) + offsetDays;

async function countDays(scope: ReportScope, days: ReturnType<typeof sql>): Promise<Counted | null> {
  const whole = wholeLibraries(scope);
  if (whole === null) return null;
  const seen = whole === 'all' ? sql`true` : sql`library_id = any(${whole}::uuid[])`;
  const chosen = scope.library === null ? sql`library_id in (select id from libraries)` : sql`library_id = ${scope.library}::uuid`;
  const { rows } = await sql<{
    total: number;
  }>`select coalesce(sum(items), 0)::bigint as total from (${dayTotalRows(sql`${seen} and ${chosen}`)}) d where ${days}`.execute(scope.db);
  return { total: one(rows).total, sums: {} };
}

const staleFiles: ReportDefinition = itemReport({
  id: 'stale_files',
  title: 'Not modified in years',
  description: 'Files whose last modification is older than the chosen number of days. Access times are not known.',
  group: 'space',
  threshold: { unit: 'days', label: 'Not modified for days', default: 730, minimum: 1, maximum: 36_500 },
  columns: [
    column.relPath,
    column.library,
    column.mtime,
    { key: 'age_days', label: 'Age in days', type: 'integer', sortBy: [{ key: 'age_ns', type: 'bigint' }] },
    column.size,
  ],
  order: [{ key: 'mtime', descending: false }],
  rows: (scope) => {
    const cutoff = startOfDay(scope.now, -(scope.threshold ?? 730));
    return sql`select ${itemColumns}, ${mtimeColumns}, -i.mtime_ns as age_ns, (${scope.now.getTime()}::bigint - i.mtime_ns / 1000000) / ${sql.lit(day)}::bigint as age_days, i.size
      ${itemTables} where ${scope.items('i')} and i.mtime_ns < ${String(BigInt(cutoff) * 86_400_000_000_000n)}::bigint`;
  },
  count: (scope) => countDays(scope, sql`day < ${startOfDay(scope.now, -(scope.threshold ?? 730))}`),
});

const futureFiles: ReportDefinition = itemReport({
  id: 'bad_mtime',
  title: 'Future-dated files',
  description: 'Files whose modification time is more than two days in the future, usually because of a wrong clock.',
  group: 'health',
  columns: [column.relPath, column.library, column.mtime, column.size],
  order: [{ key: 'mtime', descending: true }],
  rows: (scope) =>
    sql`select ${itemColumns}, ${mtimeColumns}, i.size ${itemTables}
      where ${scope.items('i')} and i.mtime_ns > ${String(BigInt(scope.now.getTime() + 2 * day) * 1_000_000n)}::bigint`,
});

const emptyFiles: ReportDefinition = itemReport({
  id: 'empty_files',
  title: 'Empty files',
  description: 'Files of 0 bytes. Symbolic links have their own report.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    column.extension,
    column.group,
    { key: 'is_sidecar', label: 'Sidecar', type: 'boolean' },
    column.mtime,
  ],
  order: [
    { key: 'library', descending: false },
    { key: 'rel_path', descending: false },
  ],
  rows: (scope) =>
    sql`select ${itemColumns}, i.extension, i.file_group, i.sidecar_of is not null as is_sidecar, ${mtimeColumns} ${itemTables}
      where ${scope.items('i')} and i.status = 'active' and i.size = 0 and i.symlink_target is null`,
});

const symlinks: ReportDefinition = itemReport({
  id: 'symbolic_links',
  title: 'Symbolic links',
  description: 'Links and where they point. They hold no content of their own.',
  group: 'health',
  columns: [column.relPath, column.library, { key: 'target', label: 'Points to', type: 'text' }, column.mtime],
  order: [
    { key: 'library', descending: false },
    { key: 'rel_path', descending: false },
  ],
  rows: (scope) =>
    sql`select ${itemColumns}, i.symlink_target as target, ${mtimeColumns} ${itemTables}
      where ${scope.items('i')} and i.status = 'active' and i.symlink_target is not null`,
});

const sparseFiles: ReportDefinition = itemReport({
  id: 'sparse_files',
  title: 'Sparse files and placeholders',
  description:
    'Files that take up less space than their size: sparse or compressed files, and placeholders without content on this disk, such as those of a cloud client.',
  group: 'space',
  columns: [
    column.relPath,
    column.library,
    { key: 'storage', label: 'Stored as', type: 'text' },
    column.size,
    column.sizeOnDisk,
    { key: 'saved_bytes', label: 'Not on disk', type: 'bytes', sum: true },
  ],
  order: [{ key: 'saved_bytes', descending: true }],
  rows: (scope) =>
    sql`select ${itemColumns}, case when i.allocated = 0 then 'placeholder' else 'sparse or compressed' end as storage, i.size, ${sizeOnDisk}, i.size - i.allocated as saved_bytes
      ${itemTables} where ${scope.items('i')} and i.status = 'active' and i.allocated is not null`,
});

const missingFiles: ReportDefinition = itemReport({
  id: 'missing_files',
  title: 'Missing files',
  description: 'Files that are gone from disk, longest missing first. Their tags and notes are kept.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    {
      key: 'missing_since',
      label: 'Missing since',
      type: 'time',
      nullable: true,
      sortBy: [{ key: 'deleted_at', type: 'timestamptz', nullable: true }],
    },
    { key: 'missing_days', label: 'Days missing', type: 'integer', nullable: true },
    column.size,
    { key: 'has_notes', label: 'Has tags or notes', type: 'boolean' },
  ],
  order: [{ key: 'missing_since', descending: false }],
  rows: (scope) =>
    sql`select ${itemColumns}, i.deleted_at, ${milliseconds('i.deleted_at')} as missing_since, extract(day from ${scope.now}::timestamptz - i.deleted_at)::bigint as missing_days, i.size,
        (i.tags <> '{}' or i.user_metadata <> '{}') as has_notes
      ${itemTables} where i.status = 'missing' and i.status <> 'active' and ${scope.anyItems('i')}`,
});

const unhashed: ReportDefinition = itemReport({
  id: 'unhashed_files',
  title: 'Files without a hash or with read errors',
  description:
    'Files that could not be read for hashing, or not to their end, or wait for it. Moves and copies of files without a hash cannot be recognised.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    { key: 'hash_error', label: 'Reason', type: 'text', nullable: true },
    column.size,
    column.mtime,
  ],
  order: [
    { key: 'library', descending: false },
    { key: 'rel_path', descending: false },
  ],
  rows: (scope) =>
    sql`select ${itemColumns}, i.hash_error, i.size, ${mtimeColumns} ${itemTables}
      where ${scope.items('i')} and i.status = 'active' and (i.quick_hash is null or i.hash_error is not null) and i.symlink_target is null`,
});

const unverified: ReportDefinition = itemReport({
  id: 'unverified_files',
  title: 'Oldest unverified content',
  description: 'Files with a content hash that were not read again since the shown date, oldest first.',
  group: 'health',
  threshold: { unit: 'days', label: 'Not verified for days', default: 365, minimum: 1, maximum: 36_500 },
  columns: [
    column.relPath,
    column.library,
    { key: 'verified', label: 'Verified since hashing', type: 'boolean' },
    { key: 'last_read', label: 'Last read', type: 'time', sortBy: [{ key: 'read_at', type: 'timestamptz' }] },
    column.size,
    { key: 'content_hash', label: 'Content hash', type: 'text' },
  ],
  order: [{ key: 'last_read', descending: false }],
  rows: (scope) => {
    const cutoff = new Date(scope.now.getTime() - (scope.threshold ?? 365) * day);
    return sql`select ${itemColumns}, i.last_verified_at is not null as verified, coalesce(i.last_verified_at, i.first_seen) as read_at,
        (extract(epoch from coalesce(i.last_verified_at, i.first_seen)) * 1000)::bigint as last_read, i.size, i.content_hash
      ${itemTables} where ${scope.items('i')} and i.status = 'active' and i.content_hash is not null and coalesce(i.last_verified_at, i.first_seen) < ${cutoff}::timestamptz`;
  },
});

export const fileReports = [largestFiles, staleFiles, futureFiles, emptyFiles, symlinks, sparseFiles, missingFiles, unhashed, unverified];
