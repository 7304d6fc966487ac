import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueueMany } from '../../platform/queue/index.ts';
import { addPending, countPending } from './store.ts';

/** Items per job: enough that the queue costs nothing, few enough to stop quickly and share between workers. */
export const batchSize = 40;

/** The queue's view of the job; only a worker can perform it. */
export const extractJob = {
  name: 'extract_batch',
  queue: 'extract',
  payload: Type.Object({ library_id: Type.String() }),
  attempts: 5,
} as const;

/** Adds items to extract_pending and enough jobs to process them. The scan calls this after its own writes are committed. */
export async function queueExtraction(db: Db, libraryId: string, ids: readonly string[], forced = false): Promise<number> {
  const added = await addPending(db, libraryId, ids, forced);
  if (added > 0) await enqueueBatches(db, libraryId, added);
  return added;
}

async function enqueueBatches(db: Db, libraryId: string, items: number): Promise<void> {
  const jobs = Math.ceil(items / batchSize);
  const shape = defineTask({ ...extractJob, perform: async () => {} });
  await enqueueMany(
    db,
    shape,
    Array.from({ length: jobs }, () => ({ library_id: libraryId })),
  );
}

/** Queues jobs for items that have none, after a crash between the two writes above. Called every five minutes. */
export async function requeuePending(db: Db, libraryIds: readonly string[]): Promise<void> {
  for (const id of libraryIds) {
    const waiting = await countPending(db, id);
    if (waiting > 0) await enqueueBatches(db, id, waiting);
  }
}
