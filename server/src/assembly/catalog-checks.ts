import { type RawBuilder, sql } from 'kysely';
import { checkCounts, checkDayTotals, checkFolderTotals } from '../catalog/counts/index.ts';
import { taxonomyVersion } from '../catalog/taxonomy/index.ts';
import type { Db } from '../platform/database/index.ts';
import type { Check } from './checks.ts';

const mostTold = 10;

/** What must hold in the catalog's tables whatever was killed when. */
export const catalogChecks: Check[] = [
  { name: 'the counts that are kept are those of the items', run: ({ db }) => checkCounts(db) },
  { name: 'what is told of a folder is what lies in it', run: ({ db }) => checkFolderTotals(db) },
  { name: 'what is told of a day is what was modified on it', run: ({ db }) => checkDayTotals(db) },
  {
    name: 'every item lies in the folder its path says',
    run: ({ db }) =>
      tell(
        db,
        sql`select 'The item ' || i.id || ' (' || i.rel_path || ') lies in the folder "' || f.rel_path || '".' sentence
          from items i join folders f on f.id = i.folder_id
          where f.library_id <> i.library_id or i.rel_path <> case when f.rel_path = '' then '' else f.rel_path || '/' end || i.filename`,
      ),
  },
  {
    name: 'an item has a folder and a library',
    run: ({ db }) =>
      tell(
        db,
        sql`select 'The item ' || i.id || ' has no folder or no library.' sentence from items i
          where not exists (select from folders f where f.id = i.folder_id) or not exists (select from all_libraries l where l.id = i.library_id)`,
      ),
  },
  {
    name: 'what is missing or in the recycle bin says since when, what is active does not',
    run: ({ db }) =>
      tell(
        db,
        sql`select 'The item ' || id || ' is ' || status || case when deleted_at is null then ' but has no time of it.' else ' but has a time of leaving.' end sentence
          from items where (status = 'active') <> (deleted_at is null)`,
      ),
  },
  {
    name: 'items are classified as the taxonomy says',
    async run({ db }) {
      // A change of the taxonomy reaches the items in the background; until then they may differ.
      const { rows } = await sql<{ done: number }>`select value::int done from service_state where key = 'taxonomy_reclassified'`.execute(
        db,
      );
      if ((rows[0]?.done ?? 0) < (await taxonomyVersion(db))) return [];
      return tell(
        db,
        sql`select 'Items have the category ' || i.file_category || ' and the group ' || i.file_group || ', which the taxonomy does not hold.' sentence
          from (select distinct file_category, file_group from items) i
          where not exists (select from groups g where g.key = i.file_group and g.category = i.file_category)`,
      );
    },
  },
  {
    name: 'a library has at most one scan under way',
    run: ({ db }) =>
      tell(
        db,
        sql`select 'The library ' || library_id || ' has ' || count(*) || ' scans under way.' sentence
          from scan_runs where status in ('running', 'stopping') group by library_id having count(*) > 1`,
      ),
  },
  {
    name: 'a scan has an end exactly when it is over',
    run: ({ db }) =>
      tell(
        db,
        sql`select 'The scan ' || id || ' is ' || status || case when finished_at is null then ' but has no end.' else ' but has an end.' end sentence
          from scan_runs where (status in ('running', 'stopping')) <> (finished_at is null)`,
      ),
  },
];

async function tell(db: Db, query: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`${query} limit ${mostTold}`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
