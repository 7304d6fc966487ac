import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { extractors } from '@catalog/readers';
import { queueExtraction } from './queue.ts';

/**
 * Queues files whose facts were made by a reader of another version, or by none where there is one now; answers how many. The key of an
 * extraction is `bytes:reader@version:extension`, so an unchanged file under an unchanged reader is never queued.
 */
export async function queueStale(db: Db): Promise<number> {
  const current = extractors.map(({ name, version }) => `${name}@${version}`);
  const known = extractors.flatMap(({ extensions }) => extensions);
  let queued = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{ id: string; library_id: string }>`select id, library_id from items
      where id > ${after} and status = 'active' and symlink_target is null and extracted_key is not null
        and case split_part(extracted_key, ':', 2) when 'none' then extension = any(${known}) else split_part(extracted_key, ':', 2) <> all(${current}) end
      order by id limit 1000`.execute(db);
    if (rows.length === 0) return queued;
    for (const [library, group] of Map.groupBy(rows, (row) => row.library_id))
      queued += await queueExtraction(
        db,
        library,
        group.map(({ id }) => id),
      );
    after = rows.at(-1)!.id;
  }
}
