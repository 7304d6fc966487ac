import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { enqueue, type TaskContext } from '../../platform/queue/index.ts';
import { isEnabled } from '../../settings/index.ts';
import { createEmbedder } from './create.ts';
import { downloadModel } from './download.ts';
import { countPassageVectors } from './passage-store.ts';
import { embedPassages } from './passages.ts';
import { type Embedder, EmbedderUnavailable } from './port.ts';
import { embedMissing } from './queue.ts';
import { adoptModel, embedPending, maxAttempts } from './service.ts';
import { countEmbedded, deleteUnusedVectors, readBackfill, writeBackfill } from './store.ts';

/** Items in one run. The next run is queued behind whatever else waits. */
const itemsPerRun = 5000;
const reportEveryMs = 2000;
/** The rate is an average over about this many reports, so that the remaining time does not jump. */
const smoothing = 10;
const vectorsPerSweep = 50_000;

/**
 * Embeds what waits: adopts the model (downloading it first if necessary), then batch after batch until nothing is left, the run has done its
 * share, or a person pauses. The model stays loaded for as long as work is left.
 */
function embedTask({ settings }: Pick<Dependencies, 'settings'>): typeof embedMissing {
  return {
    ...embedMissing,
    async perform(_payload, context) {
      const { db, log } = context;
      if (!isEnabled(settings, 'SVC_SEMANTIC_ENABLED') || (await readBackfill(db)).paused) return;
      const embedder = createEmbedder(settings, { background: true });
      try {
        await downloadModel({ db, settings, log }, context.signal);
        const more = await embedUntilDone(context, embedder);
        await writeBackfill(db, { error: null });
        if (more) await enqueue(db, embedMissing, {});
      } catch (error) {
        if (!(error instanceof EmbedderUnavailable)) throw error;
        await writeBackfill(db, { error: error.message });
        throw error;
      } finally {
        await embedder.close();
      }
    },
  };
}

/** Returns whether items are left that should be embedded. */
async function embedUntilDone({ db, signal, progress }: TaskContext, embedder: Embedder): Promise<boolean> {
  const modelId = await adoptModel(db, embedder);
  let done = 0;
  let counted = 0;
  let reportedAt = performance.now();
  let { rate } = await readBackfill(db);
  const waiting = await Promise.all([countEmbedded(db, modelId, maxAttempts), countPassageVectors(db, modelId)]);
  const total = waiting.reduce((sum, { pending }) => sum + pending, 0);
  for (;;) {
    signal.throwIfAborted();
    // Items first: they are fewer, and everybody searches them.
    const settled = (await embedPending(db, { embedder, modelId, signal })) || (await embedPassages(db, { embedder, modelId, signal }));
    if (settled === 0) return false;
    done += settled;
    counted += settled;
    progress({ done, total: Math.max(total, done) });
    const elapsed = performance.now() - reportedAt;
    if (elapsed >= reportEveryMs || rate === null) {
      const measured = counted / Math.max(0.001, elapsed / 1000);
      rate = rate === null ? measured : rate + (measured - rate) / smoothing;
      await writeBackfill(db, { rate, error: null });
      [counted, reportedAt] = [0, performance.now()];
      if ((await readBackfill(db)).paused) return false;
    }
    if (done >= itemsPerRun) return true;
  }
}

export function embeddingMaintenance({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] {
  const unavailable = isEnabled(settings, 'SVC_SEMANTIC_ENABLED')
    ? undefined
    : 'Search by meaning is off. Set SVC_SEMANTIC_ENABLED to true for app and worker, and restart.';
  return [
    {
      key: 'embed_missing',
      title: 'Missing embeddings',
      description: 'Computes the vectors of items and passages that have none or whose text changed.',
      category: 'integrity',
      defaultCron: '*/5 * * * *',
      unavailable,
      task: embedTask({ settings }),
    },
    {
      key: 'unused_vectors',
      title: 'Unused vectors',
      description: 'Deletes vectors of texts that no item has any more.',
      category: 'cleanup',
      defaultCron: '35 4 * * *',
      unavailable,
      task: defineMaintenanceTask('unused_vectors', async ({ db, progress }) =>
        progress({ deleted: await deleteUnusedVectors(db, vectorsPerSweep) }),
      ),
    },
  ];
}
