import { queueExtraction } from './queue.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

/**
 * A retry clears the error markers and puts back the items that failed, plus those never hashed; items that wait already are skipped.
 * Answers how many were put back.
 */
export async function retryExtracts(db: Db, libraryId?: string): Promise<number> {
  let retried = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{ id: string; library_id: string }>`select i.id, i.library_id from items i
      where i.id > ${after} and i.status = 'active' and i.symlink_target is null and ${libraryId ? sql`i.library_id = ${libraryId}` : sql`true`}
        and (i.metadata ? '_extract_error' or i.quick_hash is null) and not exists (select from extract_pending p where p.item_id = i.id)
      order by i.id limit 1000`.execute(db);
    if (rows.length === 0) return retried;
    await db.transaction().execute(async (trx) => {
      await sql`update items set metadata = metadata - '_extract_error' - '_extract_error_kind' where id = any(${rows.map((row) => row.id)}::uuid[]) and metadata ? '_extract_error'`.execute(
        trx,
      );
      for (const [library, group] of Map.groupBy(rows, (row) => row.library_id))
        retried += await queueExtraction(
          trx,
          library,
          group.map((row) => row.id),
          true,
        );
    });
    after = rows.at(-1)!.id;
  }
}
