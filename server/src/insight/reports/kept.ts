/** What reports keep so that they need not read all items: names of a folder that differ only in case, and totals of tags. */
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

const batch = 5_000;
/** Batches that a reader settles itself; a maintenance task settles the rest. */
const batchesOnRead = 2;
/** Readers merge tag changes when there are more of them than this. */
const maxTagChanges = 500;

/** Looks again at the folders whose names changed. Returns their number. Safe to repeat; a crash leaves the changes in place. */
export async function settleNames(
  db: Db,
  { batches = batchesOnRead, signal }: { batches?: number; signal?: AbortSignal } = {},
): Promise<number> {
  let settled = 0;
  for (let done = 0; done < batches; done += 1) {
    signal?.throwIfAborted();
    const taken = await settleFolders(db);
    settled += taken;
    if (taken < batch) break;
  }
  return settled;
}

async function settleFolders(db: Db): Promise<number> {
  const { rows: waiting } = await sql`select from name_changes limit 1`.execute(db);
  if (waiting.length === 0) return 0;
  return db.transaction().execute(async (transaction) => {
    if (!(await lock(transaction, 'case collisions'))) return 0;
    const { rows } = await sql<{
      folder_id: string;
    }>`delete from name_changes where ctid = any(array(select ctid from name_changes limit ${batch})) returning folder_id::text`.execute(
      transaction,
    );
    const folders = [...new Set(rows.map(({ folder_id }) => folder_id))];
    await sql`delete from case_collisions where folder_id = any(${folders}::bigint[])`.execute(transaction);
    await sql`insert into case_collisions select folder_id, lower(filename) from items where folder_id = any(${folders}::bigint[]) and status = 'active'
      group by 1, 2 having count(*) > 1`.execute(transaction);
    return rows.length;
  });
}

export async function mergeTagsIfNeeded(db: Db): Promise<void> {
  const { rows } = await sql`select from tag_changes limit ${maxTagChanges + 1}`.execute(db);
  if (rows.length > maxTagChanges) await mergeTags(db);
}

/** Moves the changes into the totals without changing any sum. */
export async function mergeTags(db: Db): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (!(await lock(transaction, 'tag totals'))) return;
    await sql`with taken as (delete from tag_changes returning *)
      insert into tag_totals select library_id, tag, sum(items), sum(bytes) from taken group by 1, 2
      on conflict (library_id, tag) do update set items = tag_totals.items + excluded.items, bytes = tag_totals.bytes + excluded.bytes`.execute(
      transaction,
    );
    await sql`delete from tag_totals where items = 0 and bytes = 0`.execute(transaction);
  });
}

/** Only one process settles at a time; the others go on with what there is. */
async function lock(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_xact_lock(hashtext(${name})) as got`.execute(db);
  return one(rows).got;
}
