import { type RawBuilder, sql } from 'kysely';
import { sumItemCounts } from '../../../catalog/counts/index.ts';
import { settleFolderMoves } from '../../../catalog/scan/index.ts';
import { one } from '../../../platform/database/index.ts';
import type { Counted, PagePosition, ReportDefinition, ReportScope } from '../contract.ts';
import { column, itemReport, milliseconds, wholeLibraries } from './columns.ts';

const day = 86_400_000;

/** The smallest id that an item or run of this time can have: ids start with their time. */
function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, '0').slice(-12);
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

interface InitialRun {
  id: string;
  library_id: string;
  finished_at: Date | null;
}

interface Span {
  scope: ReportScope;
  /** Ids of runs and items from `since` up to but not including `until`. */
  since: string;
  until: string;
  /** First scans of libraries. They log no additions, so their items are found by the time in their ids. */
  initial: readonly InitialRun[];
}

async function spanOf(scope: ReportScope): Promise<Span> {
  const since = firstIdAt(scope.since ?? new Date(scope.now.getTime() - 7 * day));
  const until = firstIdAt(scope.until ?? scope.now);
  const { rows } = await sql<InitialRun>`select id, library_id, finished_at from scan_runs
    where initial and id >= ${since}::uuid and id < ${until}::uuid`.execute(scope.db);
  return { scope, since, until, initial: rows };
}

const inSpan = ({ since, until }: Span, id: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`${id} >= ${since}::uuid and ${id} < ${until}::uuid`;

/**
 * The change log as the caller may see it. Of a move that only begins or only ends where the caller sees files, they learn what it means to
 * them: the file left, or it was added. Every library and path in it is visible. A condition of access has up to three parameters per rule
 * and a statement at most 65,535, so both conditions are written once here and not again where this is read; `offset 0` keeps the planner
 * from copying them.
 */
function seenChanges({ access }: ReportScope): RawBuilder<unknown> {
  if (access.unrestricted) return sql`scan_changes`;
  return sql`(select s.run_id, s.item_id,
      case when not visible.here then 'gone' when s.kind = 'moved' and not visible.there then 'added' else s.kind end as kind,
      case when visible.here then s.library_id else origin.library_id end as library_id,
      case when visible.here then s.rel_path else origin.rel_path end as rel_path,
      case when visible.here and visible.there then s.from_rel_path end as from_rel_path
    from scan_changes s cross join lateral (select coalesce(s.from_library_id, s.library_id) as library_id, s.from_rel_path as rel_path) origin
    cross join lateral (select true and ${access.where('s')} as here, true and ${access.where('origin')} as there offset 0) visible
    where visible.here or (s.kind = 'moved' and visible.there))`;
}

/** The item appeared in the span: its first change says so, or the first scan of its library found it. */
function came({ scope, since, initial }: Span): RawBuilder<boolean> {
  return sql<boolean>`((c.item_id >= ${since}::uuid and c.library_id = any(${initial.map(({ library_id }) => library_id)}::uuid[]))
    or (select f.kind from ${seenChanges(scope)} f where f.item_id = c.item_id and f.run_id >= ${since}::uuid and f.run_id <= c.run_id and ${scope.chosen('f')}
      order by f.run_id limit 1) in ('added', 'returned'))`;
}

/** The last change of its item in the span. */
const isLast = ({ scope, until }: Span): RawBuilder<boolean> =>
  sql<boolean>`not exists (select from ${seenChanges(scope)} n where n.item_id = c.item_id and n.run_id > c.run_id and n.run_id < ${until}::uuid and ${scope.chosen('n')})`;

/**
 * One row per item that changed, newest scan first. With a position, each scan contributes only the rows that can be part of the page, and
 * scans are read until the page is full, so that its cost does not depend on the number of changes.
 */
function changeRows(span: Span, page: PagePosition | null): RawBuilder<unknown> {
  const { scope, since, until } = span;
  const [afterTime, afterItem] = page?.after ?? [];
  const after = (item: RawBuilder<unknown>): RawBuilder<boolean> =>
    afterTime && afterItem ? sql<boolean>`(r.at < ${afterTime}::bigint or ${item} < ${afterItem}::uuid)` : sql<boolean>`true`;
  const first = (item: RawBuilder<unknown>): RawBuilder<unknown> => (page ? sql`order by ${item} desc limit ${page.take}` : sql``);
  const movedFrom = sql`(select f.from_rel_path from ${seenChanges(scope)} f where f.item_id = c.item_id and f.run_id >= ${since}::uuid and f.run_id < ${until}::uuid
    and f.from_rel_path is not null and ${scope.chosen('f')} order by f.run_id limit 1)`;
  // What only rows of the page need is looked up last.
  return sql`select c.changed_at, c.item_id, c.library_id, c.rel_path, c.library, m.from_path,
      case when c.kind = 'found' or ${came(span)} then 'came' when c.kind = 'gone' then 'left' when m.from_path is not null then 'moved' else 'changed' end as change,
      (select i.size from items i where i.id = c.item_id and ${scope.access.whereItem('i')}) as size
    from (
      select r.at as changed_at, c.* from (
        select r.id, r.library_id, r.initial, r.finished_at, ${milliseconds('r.started_at')} as at from scan_runs r
        where ${inSpan(span, sql`r.id`)} ${afterTime ? sql`and ${milliseconds('r.started_at')} <= ${afterTime}::bigint` : sql``} order by at desc) r
      cross join lateral ((
        select c.item_id, c.run_id, c.kind, c.library_id, c.rel_path, l.name as library from ${seenChanges(scope)} c join libraries l on l.id = c.library_id
        where c.run_id = r.id and ${scope.chosen('c')} and ${isLast(span)} and not (c.kind = 'gone' and ${came(span)}) and ${after(sql`c.item_id`)}
        ${first(sql`c.item_id`)})
        ${span.initial.length > 0 ? sql`union all (${initialItems(span)} and ${after(sql`i.id`)} ${first(sql`i.id`)})` : sql``}) c) c
    cross join lateral (select ${movedFrom} as from_path) m`;
}

/**
 * Items of the first scan `r` that have not changed since. The upper bound is a comparison of rows, because the planner would take two plain
 * bounds for a narrow range and read the whole library instead of the end of an index.
 */
function initialItems(span: Span): RawBuilder<unknown> {
  const { scope, initial } = span;
  const ends = sql`unnest(${initial.map(({ id }) => id)}::uuid[],
    ${initial.map(({ finished_at }) => firstIdAt(finished_at ? new Date(finished_at.getTime() + 1000) : scope.now))}::uuid[])`;
  return sql`select i.id as item_id, r.id as run_id, 'found' as kind, i.library_id, i.rel_path, l.name as library
    from items i join libraries l on l.id = i.library_id
    where r.initial and i.library_id = r.library_id and i.status = 'active' and ${inSpan(span, sql`i.id`)}
      and (i.id, i.library_id) < ((select e.upper from ${ends} e (run, upper) where e.run = r.id), r.library_id) and i.first_seen <= coalesce(r.finished_at, now()) and ${scope.anyItems('i')}
      and not exists (select from ${seenChanges(scope)} n where n.item_id = i.id and ${inSpan(span, sql`n.run_id`)} and ${scope.chosen('n')})`;
}

/**
 * Counts without forming the rows. The items of a first scan are the active items of its library without those in the change log, so they
 * are not read; that holds only up to now and for whole libraries.
 */
async function countChanges(scope: ReportScope): Promise<Counted | null> {
  const span = await spanOf(scope);
  const libraries = span.initial.map(({ library_id }) => library_id);
  const whole = wholeLibraries(scope);
  const chosen = scope.library === null ? libraries : libraries.filter((id) => id === scope.library);
  const seen = whole === 'all' ? chosen : chosen.filter((id) => whole?.includes(id));
  if (chosen.length > 0 && (whole === null || (scope.until ?? scope.now).getTime() < scope.now.getTime() - 60_000)) return null;
  const { rows } = await sql<{ logged: number; cancelled: number; known: number }>`
    with changed as materialized (
      select c.item_id, bool_or(c.library_id = any(${seen}::uuid[])) as seen from scan_runs r join ${seenChanges(scope)} c on c.run_id = r.id
      where ${inSpan(span, sql`r.id`)} and c.library_id in (select id from libraries) and ${scope.chosen('c')} group by 1)
    select (select count(*) from changed) as logged,
      (select count(*) from scan_runs r join ${seenChanges(scope)} c on c.run_id = r.id
        where ${inSpan(span, sql`r.id`)} and c.kind = 'gone' and c.library_id in (select id from libraries) and ${scope.chosen('c')} and ${isLast(span)} and ${came(span)}) as cancelled,
      (select count(*) from changed c join items i on i.id = c.item_id where c.seen and i.status = 'active' and i.library_id = any(${seen}::uuid[])) as known`.execute(
    scope.db,
  );
  const { logged, cancelled, known } = one(rows);
  const held =
    seen.length > 0
      ? (
          await sumItemCounts(
            scope.db,
            sql`k.status = 'active' and k.library_id = any(${seen}::uuid[]) and k.library_id in (select id from libraries)`,
          )
        ).items
      : 0;
  return { total: logged - cancelled + held - known, sums: {} };
}

export const changes: ReportDefinition = itemReport({
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
    // Not summed: that would look up every file. A file that was removed from the catalog, or that the caller no longer sees, has none.
    { ...column.size, sum: false, nullable: true },
  ],
  order: [{ key: 'changed_at', descending: true }],
  rows: async (scope) => changeRows(await spanOf(scope), null),
  next: async (scope, page) => changeRows(await spanOf(scope), page),
  prepare: (db) => settleFolderMoves(db),
  count: countChanges,
});
