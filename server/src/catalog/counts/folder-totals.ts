import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { TotalsTable } from './folding.ts';

/** What each folder holds all the way down: a change is added to its folder and all folders around it. */
export const folderTotals: TotalsTable = {
  totals: 'folder_totals',
  changes: 'folder_changes',
  into: sql`insert into folder_totals
    select library_id, md5(array_to_string(parts[:at - 1], '/'))::uuid, parts[at], sum(items), sum(bytes) from (
      select library_id, string_to_array(folder, '/') as parts, sum(items) as items, sum(bytes) as bytes from taken group by library_id, folder) own
      cross join generate_series(1, cardinality(parts)) at
    group by 1, 2, 3 having sum(items) <> 0 or sum(bytes) <> 0
    on conflict (library_id, parent, name) do update set items = folder_totals.items + excluded.items, bytes = folder_totals.bytes + excluded.bytes`,
  empty: sql`items = 0 and bytes = 0`,
};

const parentKey = (path: string) => sql`md5(${path})::uuid`;

/** The folders right below a path with all they hold, as rows of `named`, for the rest of a statement. */
export function folderTotalsBelow(libraryId: string, path: string) {
  const prefix = path === '' ? '' : `${path}/`;
  return sql`select name, sum(items)::bigint item_count, sum(bytes)::bigint total_bytes from (
      select name, items, bytes from folder_totals where library_id = ${libraryId} and parent = ${parentKey(path)}
      union all
      select split_part(substr(folder, ${[...prefix].length + 1}::int), '/', 1), items, bytes from folder_changes
      where library_id = ${libraryId} and starts_with(folder, ${prefix})
    ) t group by name having sum(items) > 0`;
}

/** For each folder whose kept total is not what its items say, one sentence. */
export async function checkFolderTotals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    with deltas as (
      select library_id, folder, items, bytes from folder_changes
      union all
      select f.library_id, f.rel_path, -count(*), -sum(i.size) from items i join folders f on f.id = i.folder_id
      where i.status = 'active' and f.rel_path <> '' group by f.id
    ), own as (
      select library_id, string_to_array(folder, '/') as parts, sum(items) as items, sum(bytes) as bytes from deltas group by library_id, folder
    ), wrong as (
      select library_id, parent, name, sum(items) as items, sum(bytes) as bytes from (
        select library_id, parent, name, items, bytes from folder_totals
        union all
        select library_id, md5(array_to_string(parts[:at - 1], '/'))::uuid, parts[at], items, bytes
        from own cross join generate_series(1, cardinality(parts)) at
      ) t group by 1, 2, 3 having sum(items) <> 0 or sum(bytes) <> 0
    )
    select format('A folder "%s" of the library %s is told with %s items and %s bytes too many.', name, library_id, items, bytes) as sentence
    from wrong order by library_id, name limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
