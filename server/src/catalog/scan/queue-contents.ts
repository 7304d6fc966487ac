import { findExtractor } from '@catalog/readers';
import { extensionOf } from '../taxonomy/index.ts';
import { isInScope } from './content-hashes.ts';
import type { ScanContext } from './context.ts';
import { firstItem, type OpenRun, pageContentChanges, pageRenamed, settleRuns } from './run-store.ts';

const queuePageSize = 2000;

/** Queues the contents that these runs found new or of another type, and those in their folders that could not be opened before, and settles the runs. */
export async function queueAndSettle(scan: ScanContext, runs: readonly OpenRun[]): Promise<void> {
  await scan.heartbeat({ phase: 'queueing' });
  const unqueued = scan.deps.options.stagedPipeline ? runs : runs.filter(({ id }) => id !== scan.runId);
  for (const run of unqueued) {
    for (let after = firstItem; ; ) {
      const ids = await pageContentChanges(scan.db, scan.libraryId, run, after, queuePageSize);
      const last = ids.at(-1);
      if (last === undefined) break;
      await scan.deps.queueExtraction(scan.db, scan.libraryId, ids);
      after = last;
      await scan.heartbeat({});
    }
  }
  for (const { id } of runs) await queueRetyped(scan, id);
  for (const scope of scan.scopes) await scan.deps.queueUnopened(scan.db, scan.libraryId, isInScope(scan.libraryId, scope));
  await settleRuns(scan.db, runs);
}

/** Whether facts of the file come from its name, and it has another one now. */
export function isReadByOtherName({ rel_path, from_rel_path }: { rel_path: string; from_rel_path: string }): boolean {
  const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
  const name = nameOf(rel_path);
  return name !== nameOf(from_rel_path) && findExtractor(extensionOf(name) ?? '')?.usesName === true;
}

/** Queues moved files whose name says another type now, or other facts: they were read, or not read, as what they were before. */
async function queueRetyped(scan: ScanContext, runId: string): Promise<void> {
  const typeOf = (path: string): string => {
    const { extension, category } = scan.rules.classify(path.slice(path.lastIndexOf('/') + 1));
    return `${extension} ${category}`;
  };
  for (let after = firstItem; ; ) {
    const page = await pageRenamed(scan.db, runId, after, queuePageSize);
    const last = page.at(-1);
    if (!last) return;
    const retyped = page.filter((move) => typeOf(move.rel_path) !== typeOf(move.from_rel_path) || isReadByOtherName(move));
    if (retyped.length > 0)
      await scan.deps.queueExtraction(
        scan.db,
        scan.libraryId,
        retyped.map(({ id }) => id),
      );
    after = last.id;
    await scan.heartbeat({});
  }
}
