import { type RawBuilder, sql } from 'kysely';
import { compactIfNeeded, dayTotalRows, dayTotals, sumItemCounts } from '../../catalog/counts/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';

/** Limits an aggregate to five seconds in the database. */
async function bounded<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '5s'`.execute(trx);
    return (await query.execute(trx)).rows;
  });
}

/** Counts and bytes by category of the active items that the caller may see. */
export async function byCategory(db: Db, visibility: Visibility): Promise<Record<string, { count: number; bytes: number }>> {
  const { whole, rest } = visibility.split('i');
  const seen = whole === 'all' ? sql`true` : sql`library_id = any(${whole}::uuid[])`;
  const rows = await bounded(
    db,
    sql<{
      category: string;
      count: number;
      bytes: number;
    }>`select category, sum(items)::bigint as count, sum(bytes)::float8 as bytes from (
        select file_category as category, sum(items) as items, sum(bytes) as bytes from item_counts where status = 'active' and library_id in (select id from libraries) and ${seen} group by 1
        union all select file_category, count(*), sum(size) from items i where status = 'active' and library_id in (select id from libraries) and ${rest ?? sql`false`} group by 1) c
      group by 1 having sum(items) > 0`,
  );
  return Object.fromEntries(rows.map(({ category, count, bytes }) => [category, { count, bytes }]));
}

export async function queueCounts(db: Db): Promise<Record<string, Record<string, number>>> {
  const rows = await bounded(
    db,
    sql<{ queue: string; state: string; jobs: number }>`select queue, state, count(*) as jobs from jobs group by 1, 2`,
  );
  const queues: Record<string, Record<string, number>> = {};
  for (const { queue, state, jobs } of rows) queues[queue] = { ...queues[queue], [state]: jobs };
  return queues;
}

/** Extraction of what the caller may see. Items of libraries that are fully visible are not read; failed ones have an index. */
export async function extractCounts(
  db: Db,
  visibility: Visibility,
): Promise<{ depth: number; running: number; done: number; failed: number }> {
  const { whole, rest } = visibility.split('i');
  const within = whole === 'all' ? sql`true` : sql`i.library_id = any(${whole}::uuid[])`;
  const failed = sql`i.status = 'active' and i.metadata ? '_extract_error'`;
  const rows = await bounded(
    db,
    sql<{ depth: number; running: number; done: number; failed: number }>`
      select sum(depth)::bigint as depth, sum(running)::bigint as running, sum(done)::bigint as done, sum(failed)::bigint as failed from (
        select count(*) as depth, count(i.claimed_at) as running, 0 as done, 0 as failed from extract_pending i where ${within}
        union all select 0, 0, coalesce(sum(extracted), 0), 0 from item_counts i where i.status = 'active' and ${within}
        union all select 0, 0, -count(i.extracted_key), count(*) from items i where ${failed} and ${within}
        union all select count(p.item_id), count(p.claimed_at), count(*) filter (where i.extracted_key is not null and not i.metadata ? '_extract_error'),
            count(*) filter (where i.metadata ? '_extract_error')
          from items i left join extract_pending p on p.item_id = i.id where i.status = 'active' and ${rest ?? sql`false`}) c`,
  );
  return one(rows);
}

export async function extractErrors(db: Db, visibility: Visibility): Promise<Record<string, number>> {
  const rows = await bounded(
    db,
    sql<{
      library_id: string;
      errors: number;
    }>`select library_id, count(*) as errors from items i where metadata ? '_extract_error' and status = 'active' and ${visibility.whereItem('i')} group by 1`,
  );
  return Object.fromEntries(rows.map(({ library_id, errors }) => [library_id, errors]));
}

export async function activeItems(db: Db): Promise<number> {
  return (await sumItemCounts(db, sql`true`)).items;
}

interface LibraryCounts {
  library_id: string;
  name: string;
  is_agent: boolean;
  file_count: number;
  total_bytes: number;
  sidecar_count: number;
  missing_count: number;
  trashed_count: number;
}

/** Counts per library of what the caller may see. Stored counts are used for libraries that are fully visible, so their items are not read. */
export async function libraryCounts(db: Db, visibility: Visibility): Promise<LibraryCounts[]> {
  const { whole, rest } = visibility.split('i');
  const { rows } = await sql<LibraryCounts>`
    with counted as (${storedCounts(whole)} union all ${countedRows(rest ?? sql`false`)})
    select l.id library_id, l.name, l.source_agent_id is not null is_agent, coalesce(h.files, 0)::bigint file_count,
      coalesce(h.bytes, 0)::bigint total_bytes, coalesce(h.sidecars, 0)::bigint sidecar_count, coalesce(h.missing, 0)::bigint missing_count,
      coalesce(h.trashed, 0)::bigint trashed_count
    from libraries l left join counted h on h.library_id = l.id order by lower(l.name)`.execute(db);
  return rows.filter(({ library_id }) => visibility.mayEnter(library_id));
}

const countedRows = (seen: RawBuilder<boolean>) => sql`
  select i.library_id, count(*) filter (where i.status = 'active') files, sum(i.size) filter (where i.status = 'active') bytes,
    count(*) filter (where i.status = 'active' and i.sidecar_of is not null) sidecars,
    count(*) filter (where i.status = 'missing') missing, count(*) filter (where i.status = 'trashed') trashed
  from items i where ${seen} group by i.library_id`;

/** Stored counts, with sidecars counted through their small partial index. */
function storedCounts(whole: 'all' | string[]) {
  const within = whole === 'all' ? sql`true` : sql`library_id = any(${whole}::uuid[])`;
  return sql`
  select library_id, stored.files, stored.bytes, sidecar_totals.sidecars, stored.missing, stored.trashed from (
    select library_id, sum(items) filter (where status = 'active') files, sum(bytes) filter (where status = 'active') bytes,
      sum(items) filter (where status = 'missing') missing, sum(items) filter (where status = 'trashed') trashed
    from item_counts where ${within} group by library_id) stored
  left join (
    select library_id, count(*) sidecars from items where sidecar_of is not null and status = 'active' and ${within} group by library_id) sidecar_totals
  using (library_id)`;
}

type Bucket = 'day' | 'month' | 'year';

/** Clocks differ a little, so days up to this far in the future are accepted. */
const toleranceDays = 2;
const daySeconds = 86_400;

/** Counts active files by day, month or year (UTC) of modification. Times in the future or before 1970 are counted as invalid. */
export async function timeline(
  db: Db,
  visibility: Visibility,
  { bucket, library, now }: { bucket: Bucket; library: string | null; now: Date },
) {
  const firstInvalid = Math.floor(now.getTime() / 1000 / daySeconds) + 1 + toleranceDays;
  const { whole, rest } = visibility.split('i');
  const requested = library === null ? sql`library_id in (select id from libraries)` : sql`library_id = ${library}`;
  const { rows } = await sql<{ day: number; count: number }>`
    select day, sum(items)::bigint as count from (
      ${dayTotalRows(whole === 'all' ? requested : sql`${requested} and library_id = any(${whole}::uuid[])`)}
      union all select day_of(i.mtime_ns), count(*) from items i where i.status = 'active' and ${requested} and ${rest ?? sql`false`} group by 1
    ) days group by day having sum(items) > 0 order by day`.execute(db);
  await compactIfNeeded(db, dayTotals);
  const counts = new Map<number, number>();
  let invalid_count = 0;
  for (const { day, count } of rows) {
    if (day < 0 || day >= firstInvalid) invalid_count += count;
    else counts.set(startOf(day, bucket), (counts.get(startOf(day, bucket)) ?? 0) + count);
  }
  const buckets = [...counts].map(([start, count]) => ({
    start: new Date(start).toISOString(),
    start_epoch: start / 1000,
    end_epoch: startOfNext(start, bucket) / 1000,
    count,
  }));
  return { bucket, library, buckets, invalid_count, invalid_mtime_gte: firstInvalid * daySeconds };
}

function startOf(day: number, bucket: Bucket): number {
  const date = new Date(day * 86_400_000);
  if (bucket === 'day') return date.getTime();
  return Date.UTC(date.getUTCFullYear(), bucket === 'month' ? date.getUTCMonth() : 0, 1);
}

function startOfNext(start: number, bucket: Bucket): number {
  const date = new Date(start);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  if (bucket === 'year') return Date.UTC(year + 1, 0, 1);
  return bucket === 'month' ? Date.UTC(year, month + 1, 1) : Date.UTC(year, month, day + 1);
}
