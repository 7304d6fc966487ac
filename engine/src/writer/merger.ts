import { Worker } from 'node:worker_threads';
import { fromPlainError } from '../errors.ts';
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
      worker ??= new Worker(new URL('./merge-thread.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: heapMegabytes } });
      const own = worker;
      own.ref();
      try {
        return await new Promise<MergeResult>((resolve, reject) => {
          own.once('message', (message: MergeMessage) =>
            'result' in message ? resolve(message.result) : reject(fromPlainError(message.error)),
          );
          own.once('error', reject);
          own.once('exit', () => reject(new Error('The merge ended early.')));
          own.postMessage(order);
        });
      } catch (error) {
        await end();
        throw error;
      } finally {
        own.removeAllListeners();
        own.unref();
        if (order.sources.reduce((sum, { entry }) => sum + entry.documents, 0) > largeMerge) await end();
      }
    },
    close: end,
  };
}
