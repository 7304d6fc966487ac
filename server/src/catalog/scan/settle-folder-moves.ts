import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/*
 * A scan records the move of a whole folder in one row of folder_moves, whatever it holds. Settling a row writes what follows for each of its
 * files, the change log and the outbox of the index, and deletes the row in the same transaction. The projector settles all the time; whoever
 * reads the change log settles first, and a scan settles what an earlier one of its library left.
 */
const foldersAtOnce = 50;

/** Settles all moves, or those of one library. Two callers wait for each other, so that both see the log complete. */
export async function settleFolderMoves(db: Db, libraryId: string | null = null): Promise<void> {
  while (await settleSome(db, libraryId));
}

/** Settles one batch. False when there was none. */
export async function settleSome(db: Db, libraryId: string | null = null): Promise<boolean> {
  const chosen = libraryId === null ? sql`true` : sql`library_id = ${libraryId}`;
  if ((await sql`select from folder_moves where ${chosen} limit 1`.execute(db)).rows.length === 0) return false;
  // A change of the same run that was found later is what is logged; it only learns where the file was before.
  await sql`
    with taken as (
      delete from folder_moves where id = any(array(select id from folder_moves where ${chosen} order by id limit ${foldersAtOnce} for update)) returning *),
    files as materialized (
      select distinct on (t.run_id, i.id) t.run_id, t.library_id, i.id, t.rel_path || '/' || i.filename as rel_path, t.from_rel_path || '/' || i.filename as from_rel_path
      from taken t cross join unnest(t.item_ids) as file (id) join items i on i.id = file.id
      order by t.run_id, i.id, t.id),
    logged as (
      insert into scan_changes as s (run_id, library_id, item_id, kind, rel_path, from_rel_path, from_library_id)
      select run_id, library_id, id, 'moved', rel_path, from_rel_path, library_id from files
      on conflict (run_id, item_id) do update set from_rel_path = excluded.from_rel_path, from_library_id = excluded.from_library_id
        where s.from_rel_path is null),
    queued as (insert into index_outbox (item_id) select id from files order by id)
    select pg_notify('index_outbox', '')`.execute(db);
  return true;
}
