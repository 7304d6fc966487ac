import { passagesJob } from '../../catalog/libraries/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask, type Task } from '../../platform/queue/index.ts';
import { currentShape } from './service.ts';
import { passageOutboxDepth, queueOutdated } from './store.ts';

/**
 * Queues items whose passages are missing, were divided under other settings, or are no longer wanted, SVC_CHUNK_BACKFILL_BATCH at a time. It
 * waits for each batch to be indexed, so that new files are never behind a long queue.
 */
function chunkMissingTask({ settings }: Pick<Dependencies, 'settings'>): Task {
  return defineTask({
    ...passagesJob,
    async perform(_payload, { db, signal, progress }) {
      let items = 0;
      for (let after: string | null = '00000000-0000-0000-0000-000000000000'; ; ) {
        const waiting = await passageOutboxDepth(db);
        progress({ items, waiting });
        signal.throwIfAborted();
        if (waiting > settings.chunkBackfillBatch / 2) {
          await new Promise((resolve) => setTimeout(resolve, 500));
          continue;
        }
        if (after === null) return;
        const batch: { last: string | null; queued: number } = await queueOutdated(
          db,
          currentShape(settings),
          after,
          settings.chunkBackfillBatch,
        );
        items += batch.queued;
        after = batch.last;
      }
    },
  });
}

export const passageMaintenance = (deps: Pick<Dependencies, 'settings'>): MaintenanceTask[] => [
  {
    key: 'chunk_missing',
    title: 'Passages',
    description: 'Divides documents into passages where they are missing or outdated, in libraries with passage search.',
    category: 'integrity',
    defaultCron: '37 4 * * *',
    task: chunkMissingTask(deps),
  },
];
