import { Worker } from 'node:worker_threads';
import { fromPlainError } from '../errors.ts';
import { threadFile } from '../threads/file.ts';
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
