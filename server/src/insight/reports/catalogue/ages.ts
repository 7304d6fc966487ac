import { sql } from 'kysely';
import { dayTotalRows } from '../../../catalog/counts/index.ts';
import type { ReportDefinition } from '../contract.ts';
import { column } from './columns.ts';

/** From kept counts per day where the caller sees a whole library, otherwise from the items they see. */
const ages: ReportDefinition = {
  id: 'ages',
  title: 'Files by age',
  description: 'Files by the year of their last modification (UTC), newest first.',
  group: 'space',
  rowLink: 'none',
  library: true,
  folder: false,
  defaultLimit: 1000,
  columns: [{ key: 'year', label: 'Year', type: 'text' }, column.fileCount],
  order: [{ key: 'year', descending: true }],
  rowKey: { key: 'year', type: 'text' },
  rows(scope) {
    const { whole, rest } = scope.access.split('i');
    const kept = whole === 'all' ? sql`true` : sql`library_id = any(${whole}::uuid[])`;
    const chosen = scope.library === null ? sql`library_id in (select id from libraries)` : sql`library_id = ${scope.library}::uuid`;
    const others = rest ? sql`${scope.items('i')} and i.library_id in (select id from libraries) and ${rest}` : sql`false`;
    return sql`select extract(year from date '1970-01-01' + d.day)::text as year, sum(d.items)::bigint as file_count from (
        ${dayTotalRows(sql`${kept} and ${chosen}`)}
        union all select day_of(i.mtime_ns), count(*) from items i where ${others} group by 1) d
      group by 1 having sum(d.items) > 0`;
  },
};

export const ageReports = [ages];
