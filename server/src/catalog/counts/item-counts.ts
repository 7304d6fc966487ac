import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** Items and bytes by what is kept counted; `k` stands for the counts in a condition. */
export interface ItemCount {
  items: number;
  bytes: number;
}

/** From so many loose rows on, a reader folds them. */
const maxUncompactedCounts = 500;

/** The exact count of items under a condition over library_id, status, file_category and file_group of `k`, without reading any item. */
export async function sumItemCounts(db: Db, where: RawBuilder<unknown>): Promise<ItemCount> {
  const { rows } = await sql<
    ItemCount & { loose: number }
  >`select coalesce(sum(k.items), 0)::bigint as items, coalesce(sum(k.bytes), 0)::float8 as bytes,
      (select count(*) from (select from item_counts where not compacted limit ${maxUncompactedCounts + 1}) l) as loose from item_counts k where ${where}`.execute(
    db,
  );
  const { loose, ...counted } = rows[0]!;
  // Folding saves time and changes no sum: where it fails, the next reader does it.
  if (loose > maxUncompactedCounts) await compactItemCounts(db).catch(() => undefined);
  return counted;
}

/** One row for each key again. Rows another transaction folds at the same moment are left to it. */
export async function compactItemCounts(db: Db): Promise<void> {
  await sql`with gone as (delete from item_counts returning *)
    insert into item_counts select library_id, status, file_category, file_group, sum(items), sum(bytes), true
    from gone group by 1, 2, 3, 4 having sum(items) <> 0 or sum(bytes) <> 0`.execute(db);
}

/** For each library whose kept counts are not what its items say, one sentence. */
export async function checkItemCounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    with kept as (select library_id, status, file_category, file_group, sum(items) as items, sum(bytes) as bytes from item_counts group by 1, 2, 3, 4),
      there as (select library_id, status, file_category, file_group, count(*) as items, sum(size) as bytes from items group by 1, 2, 3, 4)
    select format('%s %s items of group %s are counted in the library %s, but %s are there.', coalesce(k.items, 0), status, file_group, library_id, coalesce(t.items, 0)) as sentence
    from kept k full join there t using (library_id, status, file_category, file_group)
    where coalesce(k.items, 0) <> coalesce(t.items, 0) or coalesce(k.bytes, 0) <> coalesce(t.bytes, 0) limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
