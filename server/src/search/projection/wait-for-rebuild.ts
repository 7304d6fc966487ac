import type { TaskContext } from '../../platform/queue/index.ts';
import { type RebuildKey, readRebuild, requestNewRebuild } from './store.ts';

/** Requests a rebuild from the projector and waits until it is done. After the given time it goes on in the background. */
export async function waitForRebuild(context: TaskContext, waitSeconds: number, key?: RebuildKey): Promise<void> {
  const isDone = await waitForProjector(context, waitSeconds, { key, counts: true });
  if (!isDone) context.log.warning('The rebuild takes longer than SVC_SEARCH_REBUILD_WAIT_S; it continues in the background.');
}

/** The same for a compaction with the writer of the projector, which is the only one that the embedded engine allows. */
export async function waitForCompaction(context: TaskContext, waitSeconds: number): Promise<void> {
  const isDone = await waitForProjector(context, waitSeconds, { key: 'index_compaction', counts: false });
  if (!isDone) context.log.warning('The compaction takes longer than SVC_SEARCH_COMPACTION_WAIT_S; it continues in the background.');
}

/** Returns false if the work takes longer. With `counts`, the number of documents done is shown as the progress of the job. */
async function waitForProjector(
  { db, signal, progress }: TaskContext,
  waitSeconds: number,
  { key, counts }: { key: RebuildKey | undefined; counts: boolean },
): Promise<boolean> {
  const id = await requestNewRebuild(db, key);
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    signal.throwIfAborted();
    const state = await readRebuild(db, key);
    // Done, or replaced by a newer request, which does the same work.
    if (!state || state.id !== id || state.status === 'done') return true;
    if (state.status === 'failed') throw new Error(state.error ?? 'The projector could not do this.');
    if (counts) progress({ documents: state.documents, total: state.total });
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
