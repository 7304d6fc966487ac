import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/**
 * Items that a person opened often and recently rank a little higher for that person: within the first page, by at most ten places, and only
 * when sorting by relevance. The set of hits on the page does not change.
 */
export const maxBoost = 10;

/** Moves each opened item up by 1 to 10 places depending on its interest; the other items keep their relative order. */
export function boostOpened<T extends { id: string }>(hits: readonly T[], interest: ReadonlyMap<string, number>): readonly T[] {
  if (interest.size === 0) return hits;
  const placed = hits.map((hit, at) => {
    const own = interest.get(hit.id) ?? 0;
    const places = own > 0 ? Math.min(maxBoost, 1 + Math.floor(3 * Math.log2(1 + own))) : 0;
    return { hit, at, target: Math.max(0, at - places) };
  });
  // For the same target, the item that moved further comes first, then the better match.
  placed.sort((a, b) => a.target - b.target || b.at - b.target - (a.at - a.target) || a.at - b.at);
  return placed.map(({ hit }) => hit);
}

/** Deletes entries not used for 90 days, and halves the counts of heavy users, so that old habits lose weight. */
export async function pruneInterest(db: Db): Promise<number> {
  await sql`delete from touch_budgets where minute < now() - interval '1 hour'`.execute(db);
  const { numAffectedRows } = await sql`delete from item_touches where last_at < now() - interval '90 days'`.execute(db);
  await sql`update item_touches set count = greatest(1, count / 2)
    where subject in (select subject from item_touches group by subject having sum(count) > 10000)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
