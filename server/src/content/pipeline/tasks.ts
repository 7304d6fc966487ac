import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueueMany, reschedule, type Task } from '../../platform/queue/index.ts';
import type { Gate } from './gate.ts';
import { createLedger } from './ledger.ts';
import { type ItemOutcome, type PipelineParts, processItem, type ThumbState } from './process-item.ts';
import { addPending, claimPending, countPending, releaseClaims } from './store.ts';

const payload = Type.Object({ library_id: Type.String() });
/** Items one job takes: large enough that the queue costs nothing, small enough to stop and share. */
const batchSize = 40;

/** What the queue needs to know of it; the worker's own has the means to perform it. */
const extractTaskShape = { name: 'extract_batch', queue: 'extract', payload, attempts: 5 } as const;

export function extractTask(partsFor: (db: Db) => PipelineParts, gate: Gate): Task<typeof payload> {
  return defineTask({
    ...extractTaskShape,
    async perform({ library_id }, { db, jobId, signal, progress }) {
      const leave = await gate.enter();
      // Above the ceiling, or the disk is critically full: later, and that is no failure.
      if (leave === null) throw reschedule(15 + Math.random() * 30);
      const counts: Partial<Record<ItemOutcome, number>> = {};
      const ledger = createLedger();
      try {
        const items = await claimPending(db, jobId, library_id, batchSize);
        for (const item of items) {
          signal.throwIfAborted();
          let thumb: ThumbState | undefined;
          const noteThumb = (state: ThumbState): void => {
            thumb = state;
          };
          const outcome = await processItem({ ...partsFor(db), noteThumb }, item, signal);
          counts[outcome] = (counts[outcome] ?? 0) + 1;
          await ledger.add(db, item.run_id, outcome, thumb);
          progress({ done: Object.values(counts).reduce((sum, n) => sum + n, 0), of: items.length, ...counts });
        }
      } finally {
        leave();
        await ledger.flush(db).catch(() => {});
        await releaseClaims(db, jobId).catch(() => {});
      }
    },
  });
}

/** Puts items on the list and enough jobs into the queue to work it off. Called by the scan, after its own writes are committed. */
export async function queueExtraction(db: Db, libraryId: string, ids: readonly string[], forced = false): Promise<number> {
  const added = await addPending(db, libraryId, ids, forced);
  if (added > 0) await wakeExtraction(db, libraryId, added);
  return added;
}

async function wakeExtraction(db: Db, libraryId: string, items: number): Promise<void> {
  const jobs = Math.ceil(items / batchSize);
  const shape = defineTask({ ...extractTaskShape, perform: async () => {} });
  await enqueueMany(
    db,
    shape,
    Array.from({ length: jobs }, () => ({ library_id: libraryId })),
  );
}

/** For items left on the list without a job (a crash between the two writes): the five-minute upkeep calls this. */
export async function reviveExtraction(db: Db, libraryIds: readonly string[]): Promise<void> {
  for (const id of libraryIds) {
    const waiting = await countPending(db, id);
    if (waiting > 0) await wakeExtraction(db, id, waiting);
  }
}
