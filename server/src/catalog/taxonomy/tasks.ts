import { sql } from 'kysely';
import { Type } from 'typebox';
import { type Db, one } from '../../platform/database/index.ts';
import { defineTask, type TaskContext } from '../../platform/queue/index.ts';
import '../tables.ts';
import { reclassifiedVersion, recordReclassified, taxonomyVersion } from './live.ts';

const batchSize = 5_000;

/**
 * Applies the taxonomy to existing items in batches. Each change queues a job; a job covers every change made before it started, so later
 * ones may have nothing to do. Triggers update the search index.
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
    let checked = 0;
    let changed = 0;
    for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
      signal.throwIfAborted();
      const batch: { last: string | null; checked: number; changed: number } = await reclassifyBatch(db, after);
      checked += batch.checked;
      changed += batch.changed;
      after = batch.last;
      progress({ looked: checked, changed });
    }
    await recordReclassified(db, covered);
    if (changed > 0) log.info(`Reclassified ${changed} items.`, { taxonomy_version: covered });
  },
});

/** Items without an extension are skipped, because they may have been classified by their content. */
async function reclassifyBatch(db: Db, after: string): Promise<{ last: string | null; checked: number; changed: number }> {
  const { rows } = await sql<{ last: string | null; checked: number; changed: number }>`
    with batch as materialized (
      select id, extension, file_category, file_group from items where id > ${after} order by id limit ${batchSize}
    ), reclassified as (
      select b.id, b.extension, coalesce(g.category, 'other') category, coalesce(g.key, 'other') group_key
      from batch b
      left join extensions e on e.ext = b.extension
      left join extensions tar on tar.ext = 'tar' and b.extension like 'tar.%'
      left join groups g on g.key = coalesce(e.group_key, tar.group_key)
      where b.extension is not null and (b.file_category, b.file_group) is distinct from (coalesce(g.category, 'other'), coalesce(g.key, 'other'))
    ), written as (
      update items i set file_category = j.category, file_group = j.group_key from reclassified j where i.id = j.id
        -- A scan may have given the file another extension and its type while this statement waited for the row.
        and i.extension = j.extension returning 1
    )
    select (select max(id::text) from batch) last, (select count(*) from batch) checked, (select count(*) from written) changed`.execute(
    db,
  );
  return one(rows);
}
