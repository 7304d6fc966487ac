import type { Db } from '../../platform/database/index.ts';
import { isEnabled, type Settings } from '../../settings/index.ts';
import { countPassageVectors } from './passage-store.ts';
import { maxAttempts } from './service.ts';
import { countEmbedded, readBackfill, readCurrentModel } from './store.ts';

export { createEmbedder } from './create.ts';
export { itemText, textHash } from './item-text.ts';
export { describeModelFiles } from './model-folder.ts';
export { readPassageVectors } from './passage-store.ts';
export { type Embedder, EmbedderUnavailable } from './port.ts';
export { requestEmbedding } from './queue.ts';
export { vectorsOfTexts } from './service.ts';
export { addPending, decodeVector, readCurrentModel } from './store.ts';

/** The state of embeddings for the console, the dashboard and the metrics. */
export async function describeEmbeddings(db: Db, settings: Settings) {
  const enabled = isEnabled(settings, 'SVC_SEMANTIC_ENABLED');
  const [model, { paused, rate, error, download }] = await Promise.all([readCurrentModel(db), readBackfill(db)]);
  const { embedded, mismatched, pending, failed } = await countEmbedded(db, model?.id ?? null, maxAttempts);
  const passages = await countPassageVectors(db, model?.id ?? null);
  const waiting = pending + passages.pending;
  return {
    enabled,
    model: model?.name ?? (enabled ? settings.embedModel : null),
    dimension: model?.dimension ?? null,
    embedded,
    pending,
    failed,
    mismatched,
    passages,
    paused,
    items_per_second: rate === null ? null : Math.round(rate * 100) / 100,
    remaining_seconds: rate && waiting > 0 && !paused ? Math.ceil(waiting / rate) : null,
    download,
    error,
  };
}
