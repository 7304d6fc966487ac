import { sql } from 'kysely';
import type { Check } from '../../platform/check.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { type IndexedVectors, wantedVectors } from '../documents/index.ts';
import { openSearchReader, type SearchReader, SearchUnavailable } from '../engines/index.ts';
import { findDrift } from './reconcile.ts';

export const indexChecks: Check[] = [
  {
    name: 'the search index matches the database, by id and content',
    async run({ db, settings }) {
      const reader = openSearchReader(settings);
      try {
        return await compareIndex(db, reader, await wantedVectors(db, settings));
      } finally {
        await reader.close();
      }
    },
  },
];

const maxReported = 20;

/** One message for each item whose document differs from the database; changes still in the outbox do not count. */
export async function compareIndex(db: Db, reader: SearchReader, vectors: IndexedVectors | null = null): Promise<string[]> {
  try {
    const { missing, stale, extra } = await findDrift(db, reader, maxReported, vectors);
    return [
      ...missing.map((id) => `Item ${id} is not in the search index.`),
      ...stale.map((id) => `The search index has an old version of item ${id}.`),
      ...extra.map((id) => `The search index has document ${id}, but no such item exists.`),
    ];
  } catch (error) {
    if (!(error instanceof SearchUnavailable)) throw error;
    // Without items there may be no index yet.
    const { rows } = await sql<{ any: boolean }>`select exists (select from items) as any`.execute(db);
    return one(rows).any ? [`The search index cannot be read: ${error.message}`] : [];
  }
}
