import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';

export interface LibraryCounts {
  library_id: string;
  name: string;
  is_agent: boolean;
  file_count: number;
  total_bytes: number;
  sidecar_count: number;
  missing_count: number;
  trashed_count: number;
}

/** What each library holds, of what the caller may see. */
export async function libraryCounts(db: Db, visibility: Visibility): Promise<LibraryCounts[]> {
  const { rows } = await sql<LibraryCounts>`
    with held as (
      select i.library_id,
        count(*) filter (where i.status = 'active') file_count,
        coalesce(sum(i.size) filter (where i.status = 'active'), 0)::bigint total_bytes,
        count(*) filter (where i.status = 'active' and i.sidecar_of is not null) sidecar_count,
        count(*) filter (where i.status = 'missing') missing_count,
        count(*) filter (where i.status = 'trashed') trashed_count
      from items i where ${visibility.where('i')} group by i.library_id
    )
    select l.id library_id, l.name, l.source_agent_id is not null is_agent, coalesce(h.file_count, 0) file_count, coalesce(h.total_bytes, 0)::bigint total_bytes,
      coalesce(h.sidecar_count, 0) sidecar_count, coalesce(h.missing_count, 0) missing_count, coalesce(h.trashed_count, 0) trashed_count
    from libraries l left join held h on h.library_id = l.id order by lower(l.name)`.execute(db);
  return rows.filter(({ library_id }) => visibility.mayEnter(library_id));
}

export type Bucket = 'day' | 'month' | 'year';

/** Clocks differ a little; a time further ahead than this is no time. */
const tolerance = 48 * 3600;

/** How many active files were last modified in each day, month or year (UTC). Times in the future or before 1970 are counted apart. */
export async function timeline(
  db: Db,
  visibility: Visibility,
  { bucket, library, now }: { bucket: Bucket; library: string | null; now: Date },
) {
  const invalid_mtime_gte = Math.floor(now.getTime() / 1000) + tolerance;
  const { rows } = await sql<{ start: Date | null; count: number }>`
    select start, count(*) from (
      select case when i.mtime_ns >= 0 and i.mtime_ns < ${`${invalid_mtime_gte}000000000`}::bigint
        then date_trunc(${bucket}, to_timestamp(i.mtime_ns / 1000000000), 'UTC') end as start
      from items i where i.status = 'active' and ${library === null ? sql`true` : sql`i.library_id = ${library}`} and ${visibility.where('i')}
    ) times group by start order by start`.execute(db);
  const seconds = (time: Date): number => Math.floor(time.getTime() / 1000);
  return {
    bucket,
    library,
    buckets: rows.flatMap(({ start, count }) =>
      start ? [{ start: start.toISOString(), start_epoch: seconds(start), end_epoch: seconds(next(start, bucket)), count }] : [],
    ),
    invalid_count: rows.find(({ start }) => start === null)?.count ?? 0,
    invalid_mtime_gte,
  };
}

function next(start: Date, bucket: Bucket): Date {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  if (bucket === 'year') return new Date(Date.UTC(year + 1, 0, 1));
  return bucket === 'month' ? new Date(Date.UTC(year, month + 1, 1)) : new Date(Date.UTC(year, month, day + 1));
}
