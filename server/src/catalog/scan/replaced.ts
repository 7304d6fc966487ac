import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ScanContext } from './context.ts';
import { findGoneOfSameBytes } from './renames.ts';
import { type ItemUpdate, type KnownItem, type NewItem, plainArray } from './store.ts';

/*
 * A file at the path of a missing item is that item again, also with other bytes: a report that was deleted and written anew keeps its tags.
 * It is another file when an item with its bytes is gone from another path, because then that item has moved here. The missing item gives
 * up its path and stays missing under a name that says so, so that its tags and notes can still follow its own bytes.
 */

/** A missing item whose path holds other bytes now, with both readings of that. */
export interface Replacement {
  item: KnownItem;
  asUpdate: ItemUpdate;
  asNew: NewItem;
}

export const hasOtherBytes = (item: KnownItem, content: string | null): boolean =>
  content !== null && item.content_hash !== null && item.content_hash !== content;

/** Those of the replacements whose file has moved here from another path. */
export async function findMovedOver(scan: ScanContext, replacements: readonly Replacement[]): Promise<Set<Replacement>> {
  if (replacements.length === 0) return new Set();
  const gone = await findGoneOfSameBytes(scan, [...new Set(replacements.map(({ asNew }) => asNew.hashes.content ?? ''))]);
  return new Set(
    replacements.filter(({ item, asNew }) =>
      gone.some(({ id, content_hash, size }) => id !== item.id && content_hash === asNew.hashes.content && size === asNew.facts.size),
    ),
  );
}

/** Takes the paths from missing items. The end of the id keeps the new names apart. */
export async function releasePaths(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update items set filename = filename || ' (replaced ' || right(id::text, 8) || ')'
    where id = any(${plainArray(ids)}::uuid[]) and status = 'missing'`.execute(db);
}
