import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/** From so many changes on, a reader folds; so many are folded at once. */
const mostLoose = 500;
const batch = 5_000;

const parentKey = (path: string) => sql`md5(${path})::uuid`;

/** The folders right below a path with all they hold, as rows of `named`, for the rest of a statement. */
export function totalsBelow(libraryId: string, path: string) {
  const prefix = path === '' ? '' : `${path}/`;
  return sql`select name, sum(items)::bigint item_count, sum(bytes)::bigint total_bytes from (
      select name, items, bytes from folder_totals where library_id = ${libraryId} and parent = ${parentKey(path)}
      union all
      select split_part(substr(folder, ${[...prefix].length + 1}::int), '/', 1), items, bytes from folder_changes
      where library_id = ${libraryId} and starts_with(folder, ${prefix})
    ) t group by name having sum(items) > 0`;
}

/** For whoever has just read: folding saves the next reader time and changes no sum, so where it fails nothing is lost. */
export async function foldIfMany(db: Db): Promise<void> {
  const { rows } = await sql`select from folder_changes limit ${mostLoose + 1}`.execute(db);
  if (rows.length > mostLoose) await foldSome(db).catch(() => undefined);
}

/** Adds every change to its folder and the folders around it, a batch at a time. */
export async function foldFolders(db: Db): Promise<void> {
  while ((await foldSome(db)) === batch);
}

/** One batch. Where somebody else folds at this moment, it is left to them: two at once would wait for each other's folders. */
async function foldSome(db: Db): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtext('folder totals')) as got`.execute(tx);
    if (!locks[0]!.got) return 0;
    const { rows } = await sql<{ taken: number }>`
      with taken as (
        delete from folder_changes where ctid = any(array(select ctid from folder_changes limit ${batch})) returning *
      ), own as (
        select library_id, string_to_array(folder, '/') as parts, sum(items) as items, sum(bytes) as bytes from taken group by library_id, folder
      ), folded as (
        insert into folder_totals
        select library_id, md5(array_to_string(parts[:at - 1], '/'))::uuid, parts[at], sum(items), sum(bytes)
        from own cross join generate_series(1, cardinality(parts)) at group by 1, 2, 3 having sum(items) <> 0 or sum(bytes) <> 0
        on conflict (library_id, parent, name) do update
          set items = folder_totals.items + excluded.items, bytes = folder_totals.bytes + excluded.bytes
      )
      select count(*)::int as taken from taken`.execute(tx);
    const { taken } = rows[0]!;
    if (taken > 0) await sql`delete from folder_totals where items = 0 and bytes = 0`.execute(tx);
    return taken;
  });
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
