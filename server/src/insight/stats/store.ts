import { type RawBuilder, sql } from 'kysely';
import { sumItemCounts } from '../../catalog/counts/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';

/** Each aggregate has five seconds in the database, no more. */
async function bounded<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  return db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = '5s'`.execute(trx);
    return (await query.execute(trx)).rows;
  });
}

/** Counts and bytes of active items by category, of what the caller may see. */
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

export async function extractCounts(
  db: Db,
  visibility: Visibility,
): Promise<{ depth: number; running: number; done: number; failed: number }> {
  const [row] = await bounded(
    db,
    sql<{
      depth: number;
      running: number;
      done: number;
      failed: number;
    }>`select count(*) filter (where p.item_id is not null) as depth, count(*) filter (where p.claimed_at is not null) as running,
      count(*) filter (where extracted_key is not null and not metadata ? '_extract_error') as done, count(*) filter (where metadata ? '_extract_error') as failed
      from items i left join extract_pending p on p.item_id = i.id where status = 'active' and ${visibility.where('i')}`,
  );
  return row!;
}

export async function extractErrors(db: Db, visibility: Visibility): Promise<Record<string, number>> {
  const rows = await bounded(
    db,
    sql<{
      library_id: string;
      errors: number;
    }>`select library_id, count(*) as errors from items i where metadata ? '_extract_error' and status = 'active' and ${visibility.where('i')} group by 1`,
  );
  return Object.fromEntries(rows.map(({ library_id, errors }) => [library_id, errors]));
}

export async function activeItems(db: Db): Promise<number> {
  return (await sumItemCounts(db, sql`true`)).items;
}
