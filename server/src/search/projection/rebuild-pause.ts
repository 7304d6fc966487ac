import type { Dependencies } from '../../platform/dependencies.ts';
import type { LoopControls } from './locked-loop.ts';
import { type RebuildKey, readPause, readRebuild } from './store.ts';

const longestPauseMs = 5 * 60_000;

/** At least as long as the failed rebuild took, and longer each time: one that fills the disk must not keep it full. */
export function pauseAfter(elapsedMs: number, previousMs: number): number {
  return Math.round(Math.min(longestPauseMs, Math.max(elapsedMs, previousMs * 2)));
}

/**
 * Waits before the projector rebuilds an unusable index that it could not build the last time. A request of a person ends the wait. Returns
 * false if there was no reason to wait; after a wait the index may be usable again.
 */
export async function waitAfterFailure(
  loop: LoopControls,
  { db, log }: Pick<Dependencies, 'db' | 'log'>,
  key: RebuildKey,
): Promise<boolean> {
  let waited = false;
  while (!loop.stopping()) {
    loop.expectChanges();
    await loop.confirmLock();
    const pause = await readPause(db, key);
    if (pause === 0) break;
    if (!waited) {
      const seconds = Math.ceil(pause / 1000);
      log.warning(`The index could not be built. The next attempt starts in ${seconds} s, or when somebody requests it.`, {
        error: (await readRebuild(db, key))?.error,
      });
    }
    waited = true;
    await loop.sleep(pause);
  }
  return waited;
}
