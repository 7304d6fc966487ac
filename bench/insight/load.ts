import { sql } from 'kysely';
import { compactTotals } from '../../server/src/catalog/counts/index.ts';
import { settleDuplicates } from '../../server/src/insight/copies/index.ts';
import { mergeTags, settleNames } from '../../server/src/insight/reports/kept.ts';
import type { Db } from '../../server/src/platform/database/index.ts';

/**
 * Adds what loaded items lack for reports: a week of scan changes, and rows for parent folders. Then it does what maintenance tasks do within
 * minutes: it adds the changes that triggers have recorded to the totals. May be called again after more items were loaded.
 */
export async function prepareReports(db: Db): Promise<void> {
  await sql`delete from scan_runs`.execute(db);
  // One scan per library and day. Some files change twice, and the newest scan of one library is its first, whose files are not logged.
  await sql`with runs as (
      insert into scan_runs (id, library_id, status, phase, started_at, finished_at, settled, initial, stats)
      select uuidv7(day * interval '-1 day'), id, 'finished', 'done', now() - day * interval '1 day', now() - day * interval '1 day', true,
        day = 0 and name = (select min(name) from libraries), '{}'
      from libraries, generate_series(0, 6) day returning id, library_id, (now()::date - started_at::date) as day)
    insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
    select r.id, i.library_id, i.id, (array['added', 'changed', 'gone'])[1 + i.inode % 3], i.rel_path from items i join runs r
    on r.library_id = i.library_id and r.day in ((i.inode / 50) % 7, case when i.inode % 150 = 0 then (i.inode / 50 + 3) % 7 end)
    where i.inode % 50 = 0`.execute(db);
  await sql`vacuum analyze scan_changes`.execute(db);
  // A scan also has a row for every folder above others.
  await sql`insert into folders (library_id, rel_path, path)
    select distinct library_id, array_to_string((string_to_array(rel_path, '/'))[:at], '/'), 'x'::ltree from folders
    cross join generate_series(1, cardinality(string_to_array(rel_path, '/')) - 1) at on conflict do nothing`.execute(db);
  await sql`vacuum analyze folders`.execute(db);
  await sql`vacuum analyze item_rows`.execute(db);
  while ((await settleDuplicates(db, { batches: 1 })) > 0);
  while ((await settleNames(db)) > 0);
  await mergeTags(db);
  await compactTotals(db);
  await sql`vacuum analyze folder_totals`.execute(db);
  await sql`vacuum analyze duplicate_groups`.execute(db);
  await sql`vacuum analyze duplicate_members`.execute(db);
}
