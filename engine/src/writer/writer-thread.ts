import { Worker, workerData } from 'node:worker_threads';
import { deserializeError, EngineError, serializeError } from '../errors.ts';
import type { DocumentBatch } from '../segment/document-batch.ts';
import { serveCalls, threadFile, threadPort } from '../threads/calls.ts';
import type { Schema } from '../types.ts';
import { chooseCompaction, chooseMerge } from './merge-policy.ts';
import type { MergeMessage, MergeRequest, MergeResult } from './merge-thread.ts';
import { openWriterCore } from './writer-core.ts';
import type { WriterSegment } from './writer-segment.ts';

/** Runs merges in a thread that is started by the first merge and kept. It is ended after a large merge to return its memory. */
interface Merger {
  merge(request: MergeRequest): Promise<MergeResult>;
  close(): Promise<void>;
}

const largeMerge = 100_000;
const heapMegabytes = 16_384;

function createMerger(): Merger {
  let worker: Worker | null = null;
  const end = async () => {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  };
  return {
    async merge(request) {
      worker ??= new Worker(threadFile('merge-thread'), { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
      const own = worker;
      own.ref();
      const stop = new AbortController();
      const { signal } = stop;
      try {
        return await new Promise<MergeResult>((resolve, reject) => {
          const onMessage = (message: MergeMessage) =>
            'result' in message ? resolve(message.result) : reject(deserializeError(message.error));
          const ended = () => reject(new Error('The merge ended early.'));
          own.on('message', onMessage).on('error', reject).on('exit', ended);
          signal.addEventListener('abort', () => own.off('message', onMessage).off('error', reject).off('exit', ended));
          own.postMessage(request);
        });
      } catch (error) {
        await end();
        throw error;
      } finally {
        stop.abort();
        own.unref();
        if (request.sources.reduce((sum, { entry }) => sum + entry.documents, 0) > largeMerge) await end();
      }
    },
    close: end,
  };
}

/**
 * The writer thread. Calls run one after the other, and at most one merge runs in a thread of its own.
 *
 *  idle → merging     after a commit, when the merge policy selects segments
 *  merging → idle     the merged segment is installed between two calls; then the policy is asked again
 *  merging → idle     the merge failed: its segments stay as they are, and the next commit may retry
 *  merging → damaged  the merge found a damaged segment: every further commit fails, so that the index is rebuilt
 */
const port = threadPort();
const { directory, schema } = workerData as { directory: string; schema: Schema };
const core = await openWriterCore(directory, schema).catch((error: unknown) => {
  port.postMessage({ call: 0, error: serializeError(error) });
  return process.exit();
});

let queue: Promise<unknown> = Promise.resolve();
function enqueue<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  const next = queue.then(work);
  // The caller receives the error; later calls must still run.
  queue = next.catch(() => undefined);
  return next;
}

const merger = createMerger();
let merging: Promise<void> | null = null;
let damage: EngineError | null = null;
let closed = false;
/** Batches of an upsert that is still being sent: an upsert is applied completely or not at all. */
let pendingBatches: DocumentBatch[] = [];

function startMerge(sources: readonly WriterSegment[]): Promise<void> {
  const request = core.planMerge(sources);
  const done = merger
    .merge(request)
    .then((merged) => enqueue(() => (closed ? undefined : core.installMerge(sources, request, merged))))
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
  startMerge(sources).then(mergeInBackground, (error: unknown) => {
    // After a failure of the disk the next commit retries. A segment that a commit has dropped meanwhile is missing, not damaged.
    const isDamaged = error instanceof EngineError && error.code !== 'disk';
    if (isDamaged && sources.every((source) => core.segments().includes(source))) damage = error;
  });
}

async function compact() {
  await enqueue(() => core.commit());
  for (;;) {
    // A failed background merge has changed nothing, so the compaction can go on.
    while (merging) await merging.catch(() => undefined);
    const before = core.segments().length;
    const sources = chooseCompaction(core.segments());
    if (sources.length === 0) break;
    await startMerge(sources);
    if (core.segments().length >= before && sources.length > 1) break;
  }
  return core.stats();
}

function appendBatch({ batch, first }: { batch: DocumentBatch; first: boolean }): void {
  if (first) pendingBatches = [];
  pendingBatches.push(batch);
}

serveCalls(port, {
  appendBatch,
  upsert: (piece: { batch: DocumentBatch; first: boolean }) => {
    appendBatch(piece);
    const batch = pendingBatches;
    pendingBatches = [];
    return enqueue(async () => {
      for (const each of batch) await core.upsert(each);
    });
  },
  delete: (ids: string[]) => enqueue(() => core.delete(ids)),
  commit: () =>
    enqueue(async () => {
      if (damage !== null) throw damage;
      const stats = await core.commit();
      mergeInBackground();
      return stats;
    }),
  compact,
  stats: () => enqueue(() => core.stats()),
  close: () =>
    enqueue(async () => {
      closed = true;
      await merger.close();
      core.close();
    }),
});
port.postMessage({ call: 0 });
