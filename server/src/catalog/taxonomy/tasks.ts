import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, type TaskContext } from '../../platform/queue/index.ts';
import '../tables.ts';
import { reclassifiedVersion, recordReclassified, taxonomyVersion } from './live.ts';

const batchSize = 5_000;

/**
 * Brings existing items in line with the live taxonomy, in batches of ids. Each change of the taxonomy queues one; a run covers every change
 * made before it began, so that those behind it find nothing to do. Search follows by itself: the changed rows are in the outbox.
 */
export const reclassifyTask = defineTask({
  name: 'reclassify_extensions',
  queue: 'maintenance',
  payload: Type.Object({ version: Type.Optional(Type.Integer()) }),
  attempts: 3,
  ageExempt: true,
  async perform({ version }, { db, signal, progress, log }: TaskContext) {
    if (version !== undefined && (await reclassifiedVersion(db)) >= version) return;
    const covered = await taxonomyVersion(db);
    let looked = 0;
    let changed = 0;
    for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
      signal.throwIfAborted();
      const batch: { last: string | null; looked: number; changed: number } = await reclassifyBatch(db, after);
      looked += batch.looked;
      changed += batch.changed;
      after = batch.last;
      progress({ looked, changed });
    }
    await recordReclassified(db, covered);
    if (changed > 0) log.info(`${changed} items have a new category or group.`, { taxonomy_version: covered });
  },
});

/** Items without an extension are left alone: a content sniff may have told what they are. */
async function reclassifyBatch(db: Db, after: string): Promise<{ last: string | null; looked: number; changed: number }> {
  const { rows } = await sql<{ last: string | null; looked: number; changed: number }>`
    with batch as materialized (
      select id, extension, file_category, file_group from items where id > ${after} order by id limit ${batchSize}
    ), judged as (
      select b.id, coalesce(g.category, 'other') category, coalesce(g.key, 'other') group_key
      from batch b
      left join extensions e on e.ext = b.extension
      left join extensions tar on tar.ext = 'tar' and b.extension like 'tar.%'
      left join groups g on g.key = coalesce(e.group_key, tar.group_key)
      where b.extension is not null and (b.file_category, b.file_group) is distinct from (coalesce(g.category, 'other'), coalesce(g.key, 'other'))
    ), written as (
      update items i set file_category = j.category, file_group = j.group_key from judged j where i.id = j.id returning 1
    )
    select (select max(id::text) from batch) last, (select count(*) from batch) looked, (select count(*) from written) changed`.execute(db);
  return rows[0]!;
}
