import type { Dependencies } from '../../platform/dependencies.ts';
import type { LoopControls } from './locked-loop.ts';
import { type RebuildKey, readPause, readRebuild } from './store.ts';

const longestPauseMs = 5 * 60_000;

/** The wait after a failed rebuild: at least as long as it took and twice the last wait, so that rebuilds do not keep a disk full. */
export function pauseAfter(elapsedMs: number, previousMs: number): number {
  return Math.round(Math.min(longestPauseMs, Math.max(elapsedMs, previousMs * 2)));
}

/**
 * Waits out the pause after a failed rebuild. It ends early when somebody requests a rebuild. Returns whether it waited; if so, check again
 * whether the index is usable.
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
