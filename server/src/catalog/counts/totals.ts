import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

// Readers compact when there are more changes than this, one batch at a time.
const maxUncompacted = 500;
const batch = 5_000;

/**
 * A table of totals and a table of changes that every statement appends to in its own transaction. The current value is the sum of both;
 * compaction moves changes into totals without changing any sum. `into` adds the rows of `taken` to the totals; `empty` matches totals that
 * can be deleted.
 */
interface TotalsTable {
  totals: string;
  changes: string;
  into: RawBuilder<unknown>;
  empty: RawBuilder<boolean>;
}

/** Called after reading. A failure is ignored because compaction only makes the next read faster. */
export async function compactIfNeeded(db: Db, table: TotalsTable): Promise<void> {
  const { rows } = await sql`select from ${sql.table(table.changes)} limit ${maxUncompacted + 1}`.execute(db);
  if (rows.length > maxUncompacted) await compactBatch(db, table).catch(() => undefined);
}

/** Compacts up to so many batches before reading, for queries that are fast only without uncompacted changes. */
export async function compactSome(db: Db, table: TotalsTable, batches: number): Promise<void> {
  for (let turn = 0; turn < batches; turn += 1) {
    const { rows } = await sql`select from ${sql.table(table.changes)} limit 1`.execute(db);
    if (rows.length === 0 || (await compactBatch(db, table).catch(() => 0)) < batch) return;
  }
}

/** Compacts all changes, one batch at a time. */
export async function compactAll(db: Db, table: TotalsTable): Promise<void> {
  while ((await compactBatch(db, table)) === batch);
}

/** Compacts one batch. Returns 0 when another process is compacting, because two would wait for each other's rows. */
async function compactBatch(db: Db, { totals, changes, into, empty }: TotalsTable): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const { rows: locks } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtext(${totals})) as got`.execute(tx);
    if (!one(locks).got) return 0;
    const table = sql.table(changes);
    const { rows } = await sql<{ taken: number }>`
      with taken as (delete from ${table} where ctid = any(array(select ctid from ${table} limit ${batch})) returning *), compacted as (${into})
      select count(*)::int as taken from taken`.execute(tx);
    const { taken } = one(rows);
    if (taken > 0) await sql`delete from ${sql.table(totals)} where ${empty}`.execute(tx);
    return taken;
  });
}

/** Active items per day of last modification. */
export const dayTotals: TotalsTable = {
  totals: 'day_totals',
  changes: 'day_changes',
  into: sql`insert into day_totals select library_id, day, sum(items) from taken group by 1, 2 having sum(items) <> 0
    on conflict (library_id, day) do update set items = day_totals.items + excluded.items`,
  empty: sql`items = 0`,
};

/** A query of days and counts under a condition on library_id. A day may have several rows, which must be summed. */
export const dayTotalRows = (where: RawBuilder<unknown>) => sql`
  select day, items from day_totals where ${where} union all select day, items from day_changes where ${where}`;

/** One sentence for each day whose total differs from the items. */
export async function checkDayTotals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    select format('The total of day %s in library %s is off by %s items.', day, library_id, sum(items)) as sentence from (
      select library_id, day, items from day_totals
      union all select library_id, day, items from day_changes
      union all select library_id, day_of(mtime_ns), -count(*) from items where status = 'active' group by 1, 2
    ) t group by library_id, day having sum(items) <> 0 order by library_id, day limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}

/** Active files with a content hash per day on which they were last read again; day -1 counts those that never were. */
export const verifiedTotals: TotalsTable = {
  totals: 'verified_totals',
  changes: 'verified_changes',
  into: sql`insert into verified_totals select library_id, day, sum(files), sum(bytes) from taken group by 1, 2 having sum(files) <> 0 or sum(bytes) <> 0
    on conflict (library_id, day) do update set files = verified_totals.files + excluded.files, bytes = verified_totals.bytes + excluded.bytes`,
  empty: sql`files = 0 and bytes = 0`,
};

/** Like dayTotalRows, with the library. */
export const verifiedTotalRows = (where: RawBuilder<unknown>) => sql`
  select library_id, day, files, bytes from verified_totals where ${where} union all select library_id, day, files, bytes from verified_changes where ${where}`;

/** One sentence for each day whose number of verified files differs from the items. */
export async function checkVerifiedTotals(db: Db): Promise<string[]> {
  const { rows } = await sql<{ sentence: string }>`
    select format('The number of files verified on day %s in library %s is off by %s files and %s bytes.', day, library_id, sum(files), sum(bytes)) as sentence from (
      ${verifiedTotalRows(sql`true`)}
      union all select library_id, verified_day(last_verified_at), -count(*), -sum(size) from items
        where status = 'active' and content_hash is not null group by 1, 2
    ) t group by library_id, day having sum(files) <> 0 or sum(bytes) <> 0 order by library_id, day limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}

/** Items and bytes below each folder, recursively. A change is added to its folder and all ancestors. */
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

/** A query of the direct subfolders of a path with their recursive totals. */
export function folderTotalsBelow(libraryId: string, path: string) {
  const prefix = path === '' ? '' : `${path}/`;
  return sql`select name, sum(items)::bigint item_count, sum(bytes)::bigint total_bytes from (
      select name, items, bytes from folder_totals where library_id = ${libraryId} and parent = ${parentKey(path)}
      union all
      select split_part(substr(folder, ${[...prefix].length + 1}::int), '/', 1), items, bytes from folder_changes
      where library_id = ${libraryId} and starts_with(folder, ${prefix})
    ) t group by name having sum(items) > 0`;
}

/** One sentence for each folder whose total differs from its items. */
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
    select format('The total of folder "%s" in library %s is off by %s items and %s bytes.', name, library_id, items, bytes) as sentence
    from wrong order by library_id, name limit 10`.execute(db);
  return rows.map(({ sentence }) => sentence);
}
