import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { TotalsTable } from './folding.ts';

/** Active items by the day they were last modified. */
export const dayTotals: TotalsTable = {
  totals: 'day_totals',
  changes: 'day_changes',
  into: sql`insert into day_totals select library_id, day, sum(items) from taken group by 1, 2 having sum(items) <> 0
    on conflict (library_id, day) do update set items = day_totals.items + excluded.items`,
  empty: sql`items = 0`,
};

/** Days and counts under a condition over library_id, as rows for the rest of a statement. A day may come twice. */
export const dayTotalRows = (where: RawBuilder<unknown>) => sql`
  select day, items from day_totals where ${where} union all select day, items from day_changes where ${where}`;

/** For each day whose kept total is not what the items say, one sentence. */
export async function checkDayTotals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    select format('The day %s of the library %s is told with %s items too many.', day, library_id, sum(items)) as sentence from (
      select library_id, day, items from day_totals
      union all select library_id, day, items from day_changes
      union all select library_id, day_of(mtime_ns), -count(*) from items where status = 'active' group by 1, 2
    ) t group by library_id, day having sum(items) <> 0 order by library_id, day limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
