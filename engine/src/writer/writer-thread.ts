import { parentPort, workerData, Worker } from 'node:worker_threads';
import { toPlainError, fromPlainError } from '../errors.ts';
import { answerCalls, threadFile } from '../threads/calls.ts';
import type { Parcel } from '../segment/document-batch.ts';
import type { Schema } from '../types.ts';
import type { HeldSegment } from './writer-segment.ts';
import { chooseCompaction, chooseMerge } from './merge-policy.ts';
import { openWriterCore } from './writer-core.ts';
import type { MergeMessage, MergeOrder, MergeResult } from './merge-thread.ts';

/** The thread that merges. It is started by the first merge and kept; after a large one it is ended, to give its memory back. */
export interface Merger {
  merge(order: MergeOrder): Promise<MergeResult>;
  close(): Promise<void>;
}

const largeMerge = 100_000;
const heapMegabytes = 16_384;

export function createMerger(): Merger {
  let worker: Worker | null = null;
  const end = async () => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };
  return {
    async merge(order) {
      worker ??= new Worker(threadFile('merge-thread'), { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
      const own = worker;
      own.ref();
      const stop = new AbortController();
      const { signal } = stop;
      try {
        return await new Promise<MergeResult>((resolve, reject) => {
          const answered = (message: MergeMessage) =>
            'result' in message ? resolve(message.result) : reject(fromPlainError(message.error));
          const ended = () => reject(new Error('The merge ended early.'));
          own.on('message', answered).on('error', reject).on('exit', ended);
          signal.addEventListener('abort', () => own.off('message', answered).off('error', reject).off('exit', ended));
          own.postMessage(order);
        });
      } catch (error) {
        await end();
        throw error;
      } finally {
        stop.abort();
        own.unref();
        if (order.sources.reduce((sum, { entry }) => sum + entry.documents, 0) > largeMerge) await end();
      }
    },
    close: end,
  };
}

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
