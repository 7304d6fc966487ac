import { parentPort, workerData } from 'node:worker_threads';
import { toPlainError } from '../errors.ts';
import { answerCalls } from '../threads/calls.ts';
import type { Parcel } from '../segment/parcel.ts';
import type { Schema } from '../types.ts';
import type { HeldSegment } from './held-segment.ts';
import { chooseCompaction, chooseMerge } from './merge-policy.ts';
import { createMerger } from './merger.ts';
import { openWriterCore } from './writer-core.ts';

/**
 * The writer's thread. Calls are worked off one after the other. At most one merge runs beside them in a thread of its own:
 *
 *   idle → merging     after a commit, when the policy finds segments to merge
 *   merging → idle     the merged segment is installed between two calls; then the policy is asked again
 *   merging → idle     the merge fails: its segments stay as they are and the next commit may try again
 */
const { directory, schema } = workerData as { directory: string; schema: Schema };
const core = await openWriterCore(directory, schema).catch((error: unknown) => {
  parentPort!.postMessage({ call: 0, error: toPlainError(error) });
  return process.exit();
});

let turn: Promise<unknown> = Promise.resolve();
function inTurn<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  const next = turn.then(work);
  turn = next.catch(() => undefined);
  return next;
}

const merger = createMerger();
let merging: Promise<void> | null = null;
let closed = false;
/** Parcels of a batch of which more are to come: a batch is taken whole or not at all. */
let staged: Parcel[] = [];

function startMerge(sources: readonly HeldSegment[]): Promise<void> {
  const order = core.orderMerge(sources);
  const done = merger
    .merge(order)
    .then((merged) => inTurn(() => (closed ? undefined : core.finishMerge(sources, order, merged))))
    .finally(() => {
      merging = null;
    });
  merging = done;
  return done;
}

function mergeInBackground(): void {
  if (merging || closed) return;
  const sources = chooseMerge(core.segments());
  if (sources.length === 0) return;
  startMerge(sources).then(mergeInBackground, () => undefined);
}

async function compact() {
  await inTurn(() => core.commit());
  for (;;) {
    while (merging) await merging.catch(() => undefined);
    const before = core.segments().length;
    const sources = chooseCompaction(core.segments());
    if (sources.length === 0) break;
    await startMerge(sources);
    if (core.segments().length >= before && sources.length > 1) break;
  }
  return core.stats();
}

function stage({ parcel, first }: { parcel: Parcel; first: boolean }): void {
  if (first) staged = [];
  staged.push(parcel);
}

answerCalls(parentPort!, {
  stage,
  upsert: (piece: { parcel: Parcel; first: boolean }) => {
    stage(piece);
    const batch = staged;
    staged = [];
    return inTurn(async () => {
      for (const each of batch) await core.upsert(each);
    });
  },
  delete: (ids: string[]) => inTurn(() => core.delete(ids)),
  commit: () =>
    inTurn(async () => {
      const stats = await core.commit();
      mergeInBackground();
      return stats;
    }),
  compact,
  stats: () => inTurn(() => core.stats()),
  close: () =>
    inTurn(async () => {
      closed = true;
      await merger.close();
      core.close();
    }),
});
parentPort!.postMessage({ call: 0 });
