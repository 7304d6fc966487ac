import { type RawBuilder, sql } from 'kysely';
import type { ReportDefinition, ReportScope } from '../contract.ts';
import { compactGrowth } from '../growth.ts';
import { libraryVolumes } from '../volumes.ts';
import { column } from './columns.ts';

/** Growth is recorded by days in UTC; the database may have another time zone. */
const utcDay = (time: RawBuilder<unknown>): RawBuilder<unknown> => sql`(${time} at time zone 'UTC')::date`;

/**
 * What each library gained and lost by day. For libraries of which the caller sees a part: when each visible file came and, if it is gone,
 * when it left.
 */
function growthByDay(scope: ReportScope): RawBuilder<unknown> {
  const { whole, rest } = scope.access.split('i');
  const chosen = scope.library === null ? sql`true` : sql`library_id = ${scope.library}::uuid`;
  const kept = whole === 'all' ? chosen : sql`${chosen} and library_id = any(${whole}::uuid[])`;
  const days = sql`select library_id, day, sum(items) as items, sum(bytes) as bytes from growth_days where ${kept} group by 1, 2`;
  if (!rest) return days;
  return sql`${days}
    union all select i.library_id, ${utcDay(sql`i.first_seen`)}, count(*), sum(i.size) from items i
      where ${scope.anyItems('i')} and ${rest} and (i.status = 'active' or i.deleted_at is not null) group by 1, 2
    union all select i.library_id, ${utcDay(sql`i.deleted_at`)}, -count(*), -sum(i.size) from items i
      where ${scope.anyItems('i')} and ${rest} and i.status <> 'active' and i.deleted_at is not null group by 1, 2`;
}

const growth: ReportDefinition = {
  id: 'growth',
  title: 'Storage growth',
  description: 'Files and bytes of each library at the end of every week, with the change during the week.',
  group: 'space',
  rowLink: 'library',
  library: true,
  folder: false,
  dates: { defaultDays: 365 },
  defaultLimit: 1000,
  columns: [
    column.libraryId,
    { key: 'growth_key', label: 'Week and library', type: 'text', hidden: true },
    { key: 'week', label: 'Week of', type: 'date' },
    column.library,
    { ...column.fileCount, sum: false },
    { ...column.totalBytes, sum: false },
    { key: 'change_files', label: 'Change in files', type: 'integer', sum: true },
    { key: 'change_bytes', label: 'Change in size', type: 'bytes', sum: true },
  ],
  order: [
    { key: 'week', descending: true },
    { key: 'total_bytes', descending: true },
  ],
  rowKey: { key: 'growth_key', type: 'text' },
  prepare: compactGrowth,
  rows: (scope) => sql`with weekly as materialized (
      select library_id, date_trunc('week', day::timestamp)::date as week, sum(items) as items, sum(bytes) as bytes from (${growthByDay(scope)}) d group by 1, 2)
    select t.library_id, t.library_id || ' ' || t.week as growth_key, t.week::text as week, t.library, t.file_count::bigint, t.total_bytes::bigint, t.change_files::bigint, t.change_bytes::bigint
    from (
      select l.id as library_id, l.name as library, w.week, coalesce(c.items, 0) as change_files, coalesce(c.bytes, 0) as change_bytes,
        sum(coalesce(c.items, 0)) over each as file_count, sum(coalesce(c.bytes, 0)) over each as total_bytes
      from (select library_id, min(week) as first from weekly group by 1) f join libraries l on l.id = f.library_id
        cross join lateral (select generate_series(f.first::timestamp, ${utcDay(sql`${scope.now}::timestamptz`)}::timestamp, interval '7 days')::date as week) w
        left join weekly c on c.library_id = l.id and c.week = w.week
      window each as (partition by l.id order by w.week)) t
    where t.week > ${utcDay(sql`${scope.since}::timestamptz`)} - 7 and t.week <= ${utcDay(sql`${scope.until}::timestamptz`)}`,
};

/** The days whose growth a forecast uses. */
const observedDays = 90;
/** With fewer days of history there is no forecast. */
const leastDays = 14;
/** A disk that would be full after this many days gets no date. */
const horizonDays = 3650;

const forecast: ReportDefinition = {
  id: 'storage_forecast',
  title: 'When disks will be full',
  description:
    'The growth of each library and, at the pace of the last 90 days, when its disk will be full. Libraries on one disk share its space. The first day of a library does not count as growth.',
  group: 'space',
  rowLink: 'library',
  library: true,
  folder: false,
  defaultLimit: 1000,
  columns: [
    column.libraryId,
    column.library,
    column.totalBytes,
    column.fileCount,
    { key: 'change_30_days', label: '30 days', type: 'bytes', sum: true },
    { key: 'change_previous_30_days', label: '30 days before', type: 'bytes', hidden: true },
    { key: 'change_365_days', label: '12 months', type: 'bytes', sum: true },
    { key: 'free_bytes', label: 'Free on its disk', type: 'bytes', nullable: true },
    { key: 'full_on', label: 'Full on', type: 'date', nullable: true },
  ],
  order: [
    { key: 'full_on', descending: false },
    { key: 'total_bytes', descending: true },
  ],
  rowKey: { key: 'library_id', type: 'uuid' },
  prepare: compactGrowth,
  async rows(scope) {
    const volumes = await libraryVolumes(scope.db);
    const today = utcDay(sql`${scope.now}::timestamptz`);
    const since = (days: number) =>
      sql`coalesce(sum(d.bytes) filter (where d.day > d.first and d.day > ${today} - ${sql.lit(days)}), 0)::bigint`;
    // Growth of libraries that the caller does not see also fills the disk, but is not for them to know: only visible growth counts.
    return sql`select r.library_id, r.library, r.total_bytes, r.file_count, r.change_30_days, r.change_60_days - r.change_30_days as change_previous_30_days, r.change_365_days, r.free as free_bytes,
        case when r.observed >= ${sql.lit(leastDays)} and r.pace > 0 and r.free / r.pace < ${sql.lit(horizonDays)} then (${today} + (r.free / r.pace)::int)::text end as full_on
      from (
        select g.*, v.free, case when v.device is not null then sum(g.change / greatest(g.observed, 1)::float8) over (partition by v.device) end as pace
        from (
          select d.library_id, l.name as library, sum(d.bytes)::bigint as total_bytes, sum(d.items)::bigint as file_count, ${since(30)} as change_30_days, ${since(60)} as change_60_days,
            ${since(365)} as change_365_days, ${since(observedDays)} as change, least(${sql.lit(observedDays)}, ${today} - min(d.first)) as observed
          from (select g.*, min(g.day) over (partition by g.library_id) as first from (${growthByDay(scope)}) g) d
          join libraries l on l.id = d.library_id group by d.library_id, l.name) g
        left join jsonb_to_recordset(${JSON.stringify(volumes)}::jsonb) as v (library_id uuid, device bigint, free bigint) using (library_id)) r`;
  },
};

export const growthReports = [growth, forecast];
