import { embeddingMaintenance } from '../src/content/embeddings/tasks.ts';
import type { IndexedApp } from './indexed-app.ts';
import { performTask } from './perform.ts';
import { until } from './service.ts';

/** Runs the backfill like a worker. */
export async function runBackfill(t: Pick<IndexedApp, 'deps'>): Promise<void> {
  const definition = embeddingMaintenance(t.deps).find(({ key }) => key === 'embed_missing');
  if (definition) await performTask(t.deps, definition.task, {});
}

/** Resolves when every item has a vector and the index has them all. */
export async function embedItems(t: IndexedApp): Promise<void> {
  const applied = async () => (await t.request('GET', '/search?q=anything&semantic=1&status=any&include_sidecars=true')).json();
  const state = async () => (await t.request('GET', '/system/embeddings')).json();
  await runBackfill(t);
  await until(async () => (await applied()).semantic?.applied === true, 'the index to have vectors');
  await runBackfill(t);
  await t.waitForIndex();
  const { embedded } = await state();
  await until(async () => (await applied()).total === Math.min(100, embedded), 'every vector to be in the index');
}
