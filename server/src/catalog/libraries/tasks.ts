import { sql } from 'kysely';
import { Type } from 'typebox';
import { type Db, one } from '../../platform/database/index.ts';
import { defineTask, type Task, type TaskContext } from '../../platform/queue/index.ts';

const batchSize = 5_000;

/** Adds every item of a library to the outbox of the search index, after a library setting changed what its documents contain. */
export const reprojectTask = defineTask({
  name: 'reproject_library',
  queue: 'index',
  payload: Type.Object({ library_id: Type.String({ format: 'uuid' }) }),
  attempts: 5,
  ageExempt: true,
  async perform({ library_id }, { db, signal, progress }: TaskContext) {
    let queued = 0;
    for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
      signal.throwIfAborted();
      const batch: { last: string | null; queued: number } = one(
        (
          await sql<{ last: string | null; queued: number }>`
          with batch as (select id from items where library_id = ${library_id} and id > ${after} order by id limit ${batchSize}),
          queued as (insert into index_outbox (item_id) select id from batch order by id returning 1)
          select (select max(id::text) from batch) last, (select count(*) from queued) queued`.execute(db)
        ).rows,
      );
      await sql`notify index_outbox`.execute(db);
      queued += batch.queued;
      after = batch.last;
      progress({ noted: queued });
    }
  },
});

/** Deletes the items, changes and folders of a deleted library in batches, then its row. A trigger updates the search index. Safe to retry. */
export const removeLibraryTask = defineTask({
  name: 'remove_library',
  queue: 'maintenance',
  payload: Type.Object({ library_id: Type.String({ format: 'uuid' }) }),
  attempts: 20,
  ageExempt: true,
  async perform({ library_id }, { db, signal, progress }: TaskContext) {
    const { rows } = await sql<{ total: number }>`
      select (select count(*) from items where library_id = l.id) as total from all_libraries l where id = ${library_id} and removed_at is not null`.execute(
      db,
    );
    if (!rows[0]) return;
    let removed = 0;
    for (const step of [removeItems, removeChanges, removeFolders]) {
      for (let batch = await step(db, library_id); batch > 0; batch = await step(db, library_id)) {
        if (step === removeItems) removed += batch;
        progress({ removed, total: rows[0].total });
        signal.throwIfAborted();
      }
    }
    await sql`delete from all_libraries where id = ${library_id} and removed_at is not null`.execute(db);
  },
});

const affectedRows = async (statement: { execute(db: Db): Promise<{ numAffectedRows?: bigint }> }, db: Db): Promise<number> =>
  Number((await statement.execute(db)).numAffectedRows ?? 0n);

/** The library is compared again because a scan may move an item to another library while this waits for it. */
const removeItems = (db: Db, libraryId: string): Promise<number> =>
  affectedRows(
    sql`delete from items where id = any(array(select id from items where library_id = ${libraryId} limit ${batchSize}))
      and library_id = ${libraryId}`,
    db,
  );

const removeChanges = (db: Db, libraryId: string): Promise<number> =>
  affectedRows(
    sql`delete from scan_changes where ctid = any(array(
      select c.ctid from scan_runs r join scan_changes c on c.run_id = r.id where r.library_id = ${libraryId} limit ${batchSize}))`,
    db,
  );

const removeFolders = (db: Db, libraryId: string): Promise<number> =>
  affectedRows(
    sql`delete from folders where id = any(array(select id from folders where library_id = ${libraryId} limit ${batchSize}))`,
    db,
  );

export const libraryTasks: Task[] = [reprojectTask, removeLibraryTask];
