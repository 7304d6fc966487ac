import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';
import { checkDayTotals, checkFolderTotals, checkItemCounts, checkVerifiedTotals } from '../counts/index.ts';
import { taxonomyVersion } from '../taxonomy/index.ts';

/** Invariants that hold even after any process was killed at any moment. */
export const itemChecks: Check[] = [
  { name: 'item counts match the items', run: ({ db }) => checkItemCounts(db) },
  { name: 'folder totals match the items', run: ({ db }) => checkFolderTotals(db) },
  { name: 'day totals match the items', run: ({ db }) => checkDayTotals(db) },
  { name: 'totals of verified files match the items', run: ({ db }) => checkVerifiedTotals(db) },
  {
    name: 'every item is in a folder of its library',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The item %s (%s) is in a folder of another library.', i.id, i.rel_path) as sentence
          from items i join folders f on f.id = i.folder_id where f.library_id <> i.library_id`,
      ),
  },
  {
    name: 'every item has a folder and a library',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The item ' || i.id || ' has no folder or no library.' sentence from items i
          where not exists (select from folders f where f.id = i.folder_id) or not exists (select from all_libraries l where l.id = i.library_id)`,
      ),
  },
  {
    name: 'missing and trashed items have a deletion time, active items have none',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The item ' || id || ' is ' || status || case when deleted_at is null then ' but has no deletion time.' else ' but has a deletion time.' end sentence
          from items where (status = 'active') <> (deleted_at is null)`,
      ),
  },
  {
    name: 'items are classified as the taxonomy says',
    async run({ db }) {
      // Items may differ until the background job has applied a change of the taxonomy.
      const { rows } = await sql<{ done: number }>`select value::int done from service_state where key = 'taxonomy_reclassified'`.execute(
        db,
      );
      if ((rows[0]?.done ?? 0) < (await taxonomyVersion(db))) return [];
      return findViolations(
        db,
        sql`select 'Items have the category ' || i.file_category || ' and the group ' || i.file_group || ', which the taxonomy does not have.' sentence
          from (select distinct file_category, file_group from items) i
          where not exists (select from groups g where g.key = i.file_group and g.category = i.file_category)`,
      );
    },
  },
];
