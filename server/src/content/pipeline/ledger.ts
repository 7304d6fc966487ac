import type { Db } from '../../platform/database/index.ts';
import type { ItemOutcome, ThumbState } from './process-item.ts';
import { addStageCounts, type StageCounts } from '../../catalog/stages/index.ts';

const everyMs = 2000;

/** Adds up what a batch did for each run and writes it every two seconds: whoever watches sees it move, and the database hardly notices. */
export function createStageCounter() {
  const sums = new Map<string, StageCounts>();
  let written = performance.now();

  async function flush(db: Db): Promise<void> {
    const due = [...sums];
    sums.clear();
    written = performance.now();
    for (const [runId, each] of due) await addStageCounts(db, runId, each);
  }

  return {
    flush,
    async add(db: Db, runId: string | null, outcome: ItemOutcome, thumb: ThumbState | undefined): Promise<void> {
      // What was stopped comes again.
      if (runId === null || outcome === 'stopped') return;
      const sum = sums.get(runId) ?? { extracted: 0, failed: 0, thumbs_wanted: 0, thumbs_done: 0, thumbs_failed: 0 };
      sums.set(runId, sum);
      sum.extracted += 1;
      if (outcome === 'failed') sum.failed += 1;
      if (thumb !== undefined) sum.thumbs_wanted += 1;
      if (thumb === 'settled') sum.thumbs_done += 1;
      if (thumb === 'failed') sum.thumbs_failed += 1;
      if (performance.now() - written > everyMs) await flush(db);
    },
  };
}
