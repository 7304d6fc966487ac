import { sql } from 'kysely';
import { Type } from 'typebox';
import { defineTask, type TaskContext } from '../../platform/queue/index.ts';

const batchSize = 5_000;

/** Notes every item of a library for the search index: asked for when something about the library changes what its documents show. */
export const reprojectTask = defineTask({
  name: 'reproject_library',
  queue: 'index',
  payload: Type.Object({ library_id: Type.String({ format: 'uuid' }) }),
  attempts: 5,
  ageExempt: true,
  async perform({ library_id }, { db, signal, progress }: TaskContext) {
    let noted = 0;
    for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
      signal.throwIfAborted();
      const batch: { last: string | null; noted: number } = (
        await sql<{ last: string | null; noted: number }>`
          with batch as (select id from items where library_id = ${library_id} and id > ${after} order by id limit ${batchSize}),
          noted as (insert into index_outbox (item_id) select id from batch order by id returning 1)
          select (select max(id::text) from batch) last, (select count(*) from noted) noted`.execute(db)
      ).rows[0]!;
      await sql`notify index_outbox`.execute(db);
      noted += batch.noted;
      after = batch.last;
      progress({ noted });
    }
  },
});
