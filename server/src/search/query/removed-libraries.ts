import type { Principal } from '../../platform/principal.ts';
import type { Filter } from '@catalog/engine';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

const removedLibraries = new WeakMap<Db, { generation: string; removed: string[] }>();

/**
 * Libraries that were taken out and are being emptied: they are out of every answer at once, although their documents leave the index batch
 * by batch. Taking one out renews the generation that is read with the caller's credential, so the list is read again just then.
 */
export async function excludeRemovedLibraries(db: Db, { accessGeneration: generation }: Principal): Promise<Filter[]> {
  const held = removedLibraries.get(db);
  let removed = held?.removed ?? [];
  if (!generation || held?.generation !== generation) {
    const { rows } = await sql<{ id: string }>`select id from all_libraries where removed_at is not null`.execute(db);
    removed = rows.map(({ id }) => id);
    if (generation) removedLibraries.set(db, { generation, removed });
  }
  return removed.length > 0 ? [{ not: { in: ['library_id', removed] } }] : [];
}
