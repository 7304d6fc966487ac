import { type RawBuilder, sql } from 'kysely';
import { compactCountsIfNeeded } from '../../../catalog/counts/index.ts';
import type { ReportColumn, ReportDefinition, ReportScope } from '../contract.ts';
import { column } from './columns.ts';
import { looksLikeSidecar, sidecarExtensions } from './health.ts';

const libraryReport = {
  rowLink: 'library',
  library: true,
  folder: false,
  defaultLimit: 1000,
  rowKey: { key: 'library_id', type: 'uuid' },
  prepare: compactCountsIfNeeded,
} as const;

/** Counts by library and status from kept counts where the caller sees a whole library, otherwise from the items they see. */
function counts(scope: ReportScope): RawBuilder<unknown> {
  const { whole, rest } = scope.access.split('i');
  const kept = whole === 'all' ? sql`true` : sql`k.library_id = any(${whole}::uuid[])`;
  return sql`select library_id, status, file_category, sum(items)::bigint as items, sum(bytes)::bigint as bytes from (
      select k.library_id, k.status, k.file_category, k.items, k.bytes from item_counts k where ${kept}
      union all select i.library_id, i.status, i.file_category, count(*), sum(i.size) from items i where ${rest ?? sql`false`} group by 1, 2, 3) c
    group by 1, 2, 3`;
}

/** Libraries of which the caller sees something. */
function visibleLibraries(scope: ReportScope): RawBuilder<boolean> {
  const { whole } = scope.access.split('i');
  const chosen = scope.library === null ? sql<boolean>`true` : sql<boolean>`l.id = ${scope.library}::uuid`;
  if (whole === 'all') return chosen;
  return sql<boolean>`(${chosen} and (l.id = any(${whole}::uuid[]) or exists (select from items i where i.library_id = l.id and ${scope.access.whereItem('i')})))`;
}

/** Files and bytes of each visible library. */
export const libraryTotals = (scope: ReportScope): RawBuilder<unknown> => sql`select l.id as library_id, l.name as library,
    coalesce(sum(c.items) filter (where c.status = 'active'), 0)::bigint as file_count, coalesce(sum(c.bytes) filter (where c.status = 'active'), 0)::bigint as total_bytes,
    coalesce(sum(c.items) filter (where c.status = 'missing'), 0)::bigint as missing_items, coalesce(sum(c.items) filter (where c.status = 'trashed'), 0)::bigint as trashed_items
  from libraries l left join (${counts(scope)}) c on c.library_id = l.id where ${visibleLibraries(scope)} group by l.id, l.name`;

const totals: ReportDefinition = {
  ...libraryReport,
  id: 'library_totals',
  title: 'Libraries by size',
  description: 'Files and bytes of each library, with what is missing or in the recycle bin.',
  group: 'space',
  columns: [
    column.libraryId,
    column.library,
    column.fileCount,
    column.totalBytes,
    { key: 'missing_items', label: 'Missing', type: 'integer', sum: true },
    { key: 'trashed_items', label: 'Recycle bin', type: 'integer', sum: true },
  ],
  order: [{ key: 'total_bytes', descending: true }],
  rows: libraryTotals,
};

const kinds: ReportDefinition = {
  id: 'kinds',
  title: 'File types',
  description: 'Files and bytes by file type.',
  group: 'space',
  rowLink: 'search_category',
  library: true,
  folder: false,
  defaultLimit: 1000,
  columns: [column.category, column.fileCount, column.totalBytes],
  order: [{ key: 'total_bytes', descending: true }],
  rowKey: { key: 'file_category', type: 'text' },
  prepare: compactCountsIfNeeded,
  rows: (
    scope,
  ) => sql`select c.file_category, sum(c.items)::bigint as file_count, sum(c.bytes)::bigint as total_bytes from (${counts(scope)}) c
    where c.status = 'active' and c.library_id in (select id from libraries) and ${scope.library === null ? sql`true` : sql`c.library_id = ${scope.library}::uuid`}
    group by 1 having sum(c.items) > 0`,
};

const number = (key: string, label: string): ReportColumn => ({ key, label, type: 'integer' });
const time = (key: string, label: string): ReportColumn => ({ key, label, type: 'time', nullable: true });

const health: ReportDefinition = {
  ...libraryReport,
  id: 'library_health',
  title: 'Library health',
  description: 'One line per library: its last scan and what needs attention.',
  group: 'health',
  columns: [
    column.libraryId,
    column.library,
    { key: 'status', label: 'Status', type: 'text' },
    { key: 'kind', label: 'Scanned by', type: 'text' },
    number('items', 'Files'),
    number('missing_items', 'Missing'),
    { key: 'last_scan_status', label: 'Last scan', type: 'text', nullable: true },
    time('last_scan_at', 'Last scan at'),
    time('last_success_at', 'Last finished scan'),
    number('failed_scans_7d', 'Failed scans in 7 days'),
    number('unlinked_sidecars', 'Unlinked sidecars'),
    number('empty_files', 'Empty files'),
    number('extract_errors', 'Extraction errors'),
  ],
  order: [{ key: 'library', descending: false }],
  rows: (scope) => {
    const countOf = (condition: RawBuilder<boolean>) =>
      sql`(select count(*) from items i where i.library_id = l.id and i.status = 'active' and ${condition} and ${scope.access.whereItem('i')})`;
    const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
    const counted = (status: string) =>
      sql`coalesce((select sum(c.items) from counted c where c.library_id = l.id and c.status = ${sql.lit(status)}), 0)::bigint`;
    return sql`with counted as materialized (${counts(scope)}) select h.*, coalesce(nullif(concat_ws('; ',
        case when h.kind = 'central' and h.last_scan_status is null then 'never scanned' end,
        case when h.kind = 'central' and h.last_scan_status = 'failed' then 'last scan FAILED' end,
        case when h.kind = 'central' and h.failed_scans_7d >= 3 then h.failed_scans_7d || ' failed scans in 7 days' end,
        case when h.unlinked_sidecars > 0 then 'unlinked sidecars' end, case when h.empty_files > 0 then 'empty files' end,
        case when h.extract_errors > 0 then 'extract errors' end), ''), 'OK') as status
      from (
        select l.id as library_id, l.name as library, case when l.source_agent_id is null then 'central' else 'agent' end as kind,
          ${counted('active')} as items, ${counted('missing')} as missing_items,
          (select r.status from scan_runs r where r.library_id = l.id order by r.id desc limit 1) as last_scan_status,
          (select ${ms('r.started_at')} from scan_runs r where r.library_id = l.id order by r.id desc limit 1) as last_scan_at,
          (select ${ms('r.finished_at')} from scan_runs r where r.library_id = l.id and r.status in ('finished', 'stopped') order by r.id desc limit 1) as last_success_at,
          (select count(*) from scan_runs r where r.library_id = l.id and r.status = 'failed' and r.started_at > ${scope.now}::timestamptz - interval '7 days') as failed_scans_7d,
          ${countOf(sql<boolean>`i.sidecar_of is null and i.extension in (${sidecarExtensions}) and ${looksLikeSidecar}`)} as unlinked_sidecars,
          ${countOf(sql<boolean>`i.size = 0 and i.symlink_target is null`)} as empty_files, ${countOf(sql<boolean>`i.metadata ? '_extract_error'`)} as extract_errors
        from libraries l where ${visibleLibraries(scope)}) h`;
  },
};

export const libraryReports = [totals, kinds, health];
