import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

interface ItemCount {
  items: number;
  bytes: number;
}

/** Readers compact when there are more uncompacted rows than this. */
const maxUncompactedCounts = 500;

/** The exact number and size of items under a condition on library_id, status, file_category and file_group of `k`; reads no items. */
export async function sumItemCounts(db: Db, where: RawBuilder<unknown>): Promise<ItemCount> {
  const { rows } = await sql<
    ItemCount & { uncompacted: number }
  >`select coalesce(sum(k.items), 0)::bigint as items, coalesce(sum(k.bytes), 0)::float8 as bytes,
      (select count(*) from (select from item_counts where not compacted limit ${maxUncompactedCounts + 1}) l) as uncompacted from item_counts k where ${where}`.execute(
    db,
  );
  const { uncompacted, ...counted } = one(rows);
  // Compaction changes no sum, so a failure is ignored and the next reader tries again.
  if (uncompacted > maxUncompactedCounts) await compactItemCounts(db).catch(() => undefined);
  return counted;
}

/** For readers with a query of their own. */
export async function compactCountsIfNeeded(db: Db): Promise<void> {
  const { rows } = await sql`select from item_counts where not compacted limit ${maxUncompactedCounts + 1}`.execute(db);
  if (rows.length > maxUncompactedCounts) await compactItemCounts(db).catch(() => undefined);
}

/** Replaces the rows of each key by one row. Rows that another transaction is compacting are skipped. */
export async function compactItemCounts(db: Db): Promise<void> {
  await sql`with taken as (delete from item_counts returning *)
    insert into item_counts select library_id, status, file_category, file_group, sum(items), sum(bytes), true, sum(extracted)
    from taken group by 1, 2, 3, 4 having sum(items) <> 0 or sum(bytes) <> 0 or sum(extracted) <> 0`.execute(db);
}

/** One sentence for each count that differs from the items. */
export async function checkItemCounts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    with counted as (select library_id, status, file_category, file_group, sum(items) as items, sum(bytes) as bytes, sum(extracted) as extracted from item_counts group by 1, 2, 3, 4),
      actual as (select library_id, status, file_category, file_group, count(*) as items, sum(size) as bytes, count(extracted_key) as extracted from items group by 1, 2, 3, 4)
    select case when coalesce(k.items, 0) <> coalesce(t.items, 0) or coalesce(k.bytes, 0) <> coalesce(t.bytes, 0)
        then format('The count of %2$s items of group %3$s in library %4$s is %1$s, but there are %5$s.', coalesce(k.items, 0), status, file_group, library_id, coalesce(t.items, 0))
        else format('The count of %2$s items of group %3$s in library %4$s says that %1$s are extracted, but there are %5$s.', coalesce(k.extracted, 0), status, file_group, library_id, coalesce(t.extracted, 0))
      end as sentence
    from counted k full join actual t using (library_id, status, file_category, file_group)
    where coalesce(k.items, 0) <> coalesce(t.items, 0) or coalesce(k.bytes, 0) <> coalesce(t.bytes, 0)
      or coalesce(k.extracted, 0) <> coalesce(t.extracted, 0) limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
