import { sql } from 'kysely';
import type { ReportDefinition } from '../contract.ts';
import { pathColumns } from '../paths.ts';
import { column, itemReport, milliseconds } from './columns.ts';

const day = 86_400_000;

/** The smallest id that an item or run of this time can have: ids start with their time. */
function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const changes: ReportDefinition = itemReport({
  id: 'changes',
  title: 'What came and what left',
  description: 'The net changes that scans found between two dates: files that came, left, moved or changed.',
  group: 'activity',
  dates: { defaultDays: 7 },
  columns: [
    { key: 'change', label: 'Change', type: 'text' },
    column.relPath,
    column.library,
    { key: 'from_path', label: 'Moved from', type: 'text', nullable: true },
    { key: 'changed_at', label: 'Found at', type: 'time' },
    // Not summed: that would look up every file. A file that was removed from the catalog has none.
    { ...column.size, sum: false, nullable: true },
  ],
  order: [{ key: 'changed_at', descending: true }],
  rows(scope) {
    const since = scope.since ?? new Date(scope.now.getTime() - 7 * day);
    const until = scope.until ?? scope.now;
    // The first scan of a library logs no additions, so they are read by the time in their ids.
    return sql`select c.item_id, c.library_id, c.rel_path, l.name as library, c.change, c.from_path, ${milliseconds('c.at')} as changed_at,
        (select i.size from items i where i.id = c.item_id) as size
      from (
        select s.item_id, s.library_id, s.rel_path, s.at, s.sources[cardinality(s.sources)] as from_path,
          case when s.first in ('added', 'returned') then 'came' when s.last = 'gone' then 'left' when s.sources is not null then 'moved' else 'changed' end as change
        from (
          select c.item_id, c.library_id, c.rel_path, c.kind as last, r.started_at as at, row_number() over newest as nth,
            last_value(c.kind) over newest as first, array_agg(c.from_rel_path) filter (where c.kind = 'moved') over newest as sources
          from scan_runs r join scan_changes c on c.run_id = r.id
          where r.id >= ${firstIdAt(since)}::uuid and r.id < ${firstIdAt(until)}::uuid and ${scope.anyItems('c')}
          window newest as (partition by c.item_id order by c.run_id desc rows between unbounded preceding and unbounded following)) s
        where s.nth = 1 and not (s.first in ('added', 'returned') and s.last = 'gone')
        union all
        select i.id, i.library_id, i.rel_path, i.first_seen, null, 'came' from scan_runs r join items i on i.library_id = r.library_id
        where r.initial and r.id >= ${firstIdAt(since)}::uuid and r.id < ${firstIdAt(until)}::uuid and i.id >= ${firstIdAt(since)}::uuid and i.id < ${firstIdAt(until)}::uuid
          and i.first_seen <= coalesce(r.finished_at, now()) and i.status = 'active' and ${scope.anyItems('i')}
      ) c join libraries l on l.id = c.library_id`;
  },
});

const unreadable: ReportDefinition = {
  id: 'unreadable_folders',
  title: 'Folders that could not be read',
  description: 'Folders and files that the last full scan of each library could not open. What is below them is kept as it was.',
  group: 'health',
  rowLink: 'none',
  library: true,
  folder: true,
  defaultLimit: 1000,
  paths: true,
  columns: [
    column.libraryId,
    { key: 'place', label: 'Place', type: 'text', hidden: true },
    column.relPath,
    column.library,
    { key: 'reason', label: 'Reason', type: 'text' },
    { key: 'scanned_at', label: 'Scanned at', type: 'time' },
    ...pathColumns,
  ],
  order: [
    { key: 'library', descending: false },
    { key: 'rel_path', descending: false },
  ],
  rowKey: { key: 'place', type: 'text' },
  rows: (scope) => sql`select u.library_id, u.library_id || '/' || u.rel_path as place, u.rel_path, l.name as library,
      case u.code when 'EACCES' then 'permission denied' when 'EPERM' then 'permission denied' when 'EIO' then 'the disk reported an error'
        when 'ELOOP' then 'too many links' when 'ENAMETOOLONG' then 'the path is too long' else u.code end as reason, ${milliseconds('u.at')} as scanned_at
    from libraries l join lateral (
      select l.id as library_id, p ->> 'path' as rel_path, p ->> 'code' as code, r.finished_at as at
      from (select stats, finished_at from scan_runs where library_id = l.id and scope = '' and status in ('finished', 'failed') order by id desc limit 1) r
        cross join lateral jsonb_array_elements(case when jsonb_typeof(r.stats -> 'unreadable_paths') = 'array' then r.stats -> 'unreadable_paths' else '[]' end) p
    ) u on true where ${scope.anyItems('u')}`,
};

export const activityReports = [changes, unreadable];
