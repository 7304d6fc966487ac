import { sql } from 'kysely';
import type { ReportDefinition } from '../contract.ts';
import { pathColumns } from '../paths.ts';
import { changes } from './changes.ts';
import { column, milliseconds } from './columns.ts';

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
    ) u on true where ${scope.paths('u')}`,
};

export const activityReports = [changes, unreadable];
