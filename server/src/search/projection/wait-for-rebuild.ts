import type { TaskContext } from '../../platform/queue/index.ts';
import { type RebuildKey, readRebuild, requestNewRebuild } from './store.ts';

/** Requests a rebuild from the projector and waits until it is done. After the given time it goes on in the background. */
export async function waitForRebuild({ db, signal, progress, log }: TaskContext, waitSeconds: number, key?: RebuildKey): Promise<void> {
  const id = await requestNewRebuild(db, key);
  const deadline = Date.now() + waitSeconds * 1000;
  for (;;) {
    signal.throwIfAborted();
    const state = await readRebuild(db, key);
    // Done, or replaced by a newer request, which rebuilds everything as well.
    if (!state || state.id !== id || state.status === 'done') return;
    if (state.status === 'failed') throw new Error(state.error ?? 'The rebuild failed.');
    progress({ documents: state.documents, total: state.total });
    if (Date.now() > deadline) {
      log.warning('The rebuild takes longer than SVC_SEARCH_REBUILD_WAIT_S; it continues in the background.');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
