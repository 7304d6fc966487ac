import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/** Readers merge the rows of growth_days when more than this are not merged yet; merging changes no sum. */
const maxRows = 5_000;

export async function compactGrowth(db: Db): Promise<void> {
  const { rows } = await sql`select from growth_days where not compacted limit ${maxRows + 1}`.execute(db);
  if (rows.length > maxRows) await mergeGrowth(db);
}

/** Replaces the rows of each library, day and category by one, and removes those of deleted libraries. Returns the number of rows left. */
export async function mergeGrowth(db: Db): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtext('growth days')) as got`.execute(
      transaction,
    );
    if (!one(locks).got) return 0;
    const { rows } = await sql<{ kept: number }>`with taken as (delete from growth_days returning *), merged as (
        insert into growth_days select library_id, day, file_category, sum(items), sum(bytes), true from taken
        where library_id in (select id from all_libraries) group by 1, 2, 3 having sum(items) <> 0 or sum(bytes) <> 0 returning 1)
      select count(*)::int as kept from merged`.execute(transaction);
    return one(rows).kept;
  });
}
