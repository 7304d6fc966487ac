import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** From so many changes on, a reader folds; so many are folded at once. */
const maxUncompacted = 500;
const batch = 5_000;

/**
 * Totals that are kept: a table of totals, and a table of changes that every statement appends to in its own transaction. The truth is both
 * together; folding adds changes to totals and changes no sum. `into` is the statement that adds the rows of `taken`, `empty` what a total
 * is that nothing is left of.
 */
export interface TotalsTable {
  totals: string;
  changes: string;
  into: RawBuilder<unknown>;
  empty: RawBuilder<boolean>;
}

/** For whoever has just read: it saves the next reader time, so where it fails nothing is lost. */
export async function compactIfNeeded(db: Db, kept: TotalsTable): Promise<void> {
  const { rows } = await sql`select from ${sql.table(kept.changes)} limit ${maxUncompacted + 1}`.execute(db);
  if (rows.length > maxUncompacted) await compactBatch(db, kept).catch(() => undefined);
}

/** Adds every change to its total, a batch at a time. */
export async function compactAll(db: Db, kept: TotalsTable): Promise<void> {
  while ((await compactBatch(db, kept)) === batch);
}

/** One batch. Where somebody else folds at this moment, it is left to them: two at once would wait for each other's totals. */
async function compactBatch(db: Db, { totals, changes, into, empty }: TotalsTable): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtext(${totals})) as got`.execute(tx);
    if (!locks[0]!.got) return 0;
    const table = sql.table(changes);
    const { rows } = await sql<{ taken: number }>`
      with taken as (delete from ${table} where ctid = any(array(select ctid from ${table} limit ${batch})) returning *), folded as (${into})
      select count(*)::int as taken from taken`.execute(tx);
    const { taken } = rows[0]!;
    if (taken > 0) await sql`delete from ${sql.table(totals)} where ${empty}`.execute(tx);
    return taken;
  });
}
