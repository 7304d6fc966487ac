import { extractors, ocrExtensions } from '@catalog/readers';
import { type RawBuilder, sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueueMany } from '../../platform/queue/index.ts';
import { addPending, clearErrors, pageUnopened, pendingByLibrary } from './store.ts';

/** Items that a job claims at a time: few enough to stop quickly and to spread over workers. */
export const batchSize = 40;
/** A job goes on while items wait, so that this many are enough for all workers. More would only wait for their turn, and each wait costs a write. */
const mostJobs = 32;

/** The job without its code, so that any process can enqueue it; only a worker performs it. */
export const extractJob = {
  name: 'extract_batch',
  queue: 'extract',
  payload: Type.Object({ library_id: Type.String() }),
  attempts: 5,
  placeField: 'library_id',
} as const;

/** Adds items to extract_pending and enough jobs to process them. The scan calls this after its own writes are committed. */
export async function queueExtraction(db: Db, libraryId: string, ids: readonly string[], forced = false): Promise<number> {
  const added = await addPending(db, libraryId, ids, forced);
  if (added > 0) await enqueueBatches(db, libraryId, added);
  return added;
}

const firstItem = '00000000-0000-0000-0000-000000000000';
const unopenedPage = 2000;

/**
 * Queues the files again that could not be opened before, each of them once, because they may be left to the next scan again at once. A scan
 * calls this at its end with the condition on items `i` that it has covered them: it has found out where they are.
 */
export async function queueUnopened(db: Db, libraryId: string, isCovered: RawBuilder<boolean>): Promise<void> {
  for (let after = firstItem; ; ) {
    const ids = await pageUnopened(db, libraryId, isCovered, after, unopenedPage);
    const last = ids.at(-1);
    if (last === undefined) return;
    await queueExtraction(db, libraryId, ids);
    after = last;
  }
}

async function enqueueBatches(db: Db, libraryId: string, items: number): Promise<void> {
  const jobs = Math.min(mostJobs, Math.ceil(items / batchSize));
  const shape = defineTask({ ...extractJob, perform: async () => {} });
  await enqueueMany(
    db,
    shape,
    Array.from({ length: jobs }, () => ({ library_id: libraryId })),
    // The first one is always added: an unfinished job may be about to end without having seen these items.
    { lockOf: (_, index) => (index === 0 ? null : `extract:${libraryId}:${index}`) },
  );
}

/** Queues the jobs that are missing for pending items, after a crash between the two writes above. Called every five minutes. */
export async function requeuePending(db: Db): Promise<void> {
  for (const { library_id, items, jobs } of await pendingByLibrary(db, extractJob.name)) {
    const missing = Math.min(mostJobs, Math.ceil(items / batchSize)) - jobs;
    if (missing > 0) await enqueueBatches(db, library_id, missing * batchSize);
  }
}

/**
 * Clears the error markers of failed items and queues them again, with items that were never hashed; items already queued are skipped, and so
 * are those that agents read. Returns how many were queued.
 */
export async function retryExtracts(db: Db, libraryId?: string): Promise<number> {
  let retried = 0;
  for (let after = firstItem; ; ) {
    const { rows } = await sql<{ id: string; library_id: string }>`select i.id, i.library_id from items i
      where i.id > ${after} and i.status = 'active' and i.symlink_target is null and ${libraryId ? sql`i.library_id = ${libraryId}` : sql`true`}
        and (i.metadata ? '_extract_error' or i.quick_hash is null) and not exists (select from extract_pending p where p.item_id = i.id)
        and not exists (select from all_libraries l where l.id = i.library_id and l.source_agent_id is not null)
      order by i.id limit 1000`.execute(db);
    const last = rows.at(-1);
    if (!last) return retried;
    await db.transaction().execute(async (trx) => {
      for (const [library, group] of Map.groupBy(rows, (row) => row.library_id))
        retried += await queueExtraction(
          trx,
          library,
          group.map((row) => row.id),
          true,
        );
      await clearErrors(
        trx,
        rows.map((row) => row.id),
      );
    });
    after = last.id;
  }
}

/** A condition on item `i`, which was never read. A scan that has not ended queues its files itself. */
const isForgotten = sql<boolean>`not exists (select from extract_pending p where p.item_id = i.id)
  and not exists (select from extract_unopened u where u.item_id = i.id)
  and not exists (select from all_libraries l where l.id = i.library_id and l.source_agent_id is not null)
  and not exists (select from scan_runs r where r.library_id = i.library_id and r.status in ('running', 'stopping'))`;

/** A condition on item `i`: its text was not recognised although its library asks for it. Where that has failed, this machine can do it now. */
const lacksOcr = (recognises: boolean) => sql<boolean>`i.extension = any(${[...ocrExtensions]}) and i.extracted_key not like '%:ocr'
  and (${recognises} or i.extracted_key not like '%:ocr unavailable')
  and exists (select from libraries l where l.id = i.library_id and l.ocr_enabled and l.source_agent_id is null)`;

/**
 * Queues files that were extracted by another version of their extractor, or by none where one exists now, those whose text was not
 * recognised although their library asks for it, and those that were never read and wait for nothing; returns how many. The key of an
 * extraction is `bytes:extractor@version:extension`, followed by what else it depends on, so an unchanged file under an unchanged extractor
 * is never queued. `recognises`: whether this machine can recognise text now.
 */
export async function queueStale(db: Db, recognises: boolean): Promise<number> {
  const current = extractors.map(({ name, version }) => `${name}@${version}`);
  const known = extractors.flatMap(({ extensions }) => extensions);
  let queued = 0;
  for (let after = firstItem; ; ) {
    const { rows } = await sql<{ id: string; library_id: string }>`select i.id, i.library_id
      from items i
      left join categories c on c.key = i.file_category
      cross join lateral (select split_part(i.extracted_key, ':', 2) as reader,
        coalesce(i.extension, i.metadata #>> '{sniffed,extension}') as extension) as last
      where i.id > ${after} and i.status = 'active' and i.symlink_target is null
        and case
          when i.extracted_key is null then ${isForgotten}
          when last.reader = 'none' then last.extension = any(${known}) or (last.extension is not null and c.extractor is not null)
          when last.reader like 'unmatched-%' then i.extension = any(${known}) or last.reader is distinct from 'unmatched-' || c.extractor
          else last.reader <> all(${current}) or ${lacksOcr(recognises)}
        end
      order by i.id limit 1000`.execute(db);
    const last = rows.at(-1);
    if (!last) return queued;
    for (const [library, group] of Map.groupBy(rows, (row) => row.library_id))
      queued += await queueExtraction(
        db,
        library,
        group.map(({ id }) => id),
      );
    after = last.id;
  }
}
