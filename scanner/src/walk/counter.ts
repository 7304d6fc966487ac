import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import type { FolderCount, FolderCountOptions } from './count-below.ts';

const mostAtOnce = 3;
/** Listing one very large folder cannot be interrupted; a share that does not answer by then will not soon. */
const graceMs = 3000;

const nothingKnown = (): FolderCount => ({ files: 0, unreadable: 0, complete: false, left_out: [], dirs: [] });
const startThread = (options: FolderCountOptions): Worker => new Worker(threadFile('count-thread'), { workerData: options });

export interface FolderCounter {
  count(options: Omit<FolderCountOptions, 'stop'>, gone: AbortSignal): Promise<FolderCount>;
  /** Ends what is under way, as soon as the disk lets go of it. */
  close(): Promise<void>;
}

/**
 * Counts for at most so long, and never longer: what is known by then is the answer. A thread is asked to stop and ends by itself. One
 * that hangs in a share that went away ends when the share answers; until then it takes one of the places, and when all are taken nothing
 * is counted, at once.
 */
export function createFolderCounter(start: (options: FolderCountOptions) => Worker = startThread): FolderCounter {
  const running = new Map<Worker, Int32Array>();
  const stop = (thread: Worker): void => {
    const flag = running.get(thread);
    if (flag) Atomics.store(flag, 0, 1);
  };
  return {
    async count(options, gone) {
      if (running.size >= mostAtOnce || gone.aborted) return nothingKnown();
      const flag = new Int32Array(new SharedArrayBuffer(4));
      const thread = start({ ...options, stop: flag });
      running.set(thread, flag);
      thread.once('exit', () => running.delete(thread));
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<FolderCount>((resolve, reject) => {
          timer = setTimeout(() => resolve(nothingKnown()), options.milliseconds + graceMs);
          gone.addEventListener('abort', () => resolve(nothingKnown()), { once: true });
          thread.once('message', resolve);
          thread.once('error', reject);
        });
      } finally {
        clearTimeout(timer);
        stop(thread);
        thread.unref();
      }
    },
    async close() {
      const ended = [...running.keys()].map((thread) => new Promise<void>((resolve) => void thread.once('exit', () => resolve())));
      for (const thread of running.keys()) stop(thread);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(ended), late]);
      clearTimeout(timer);
    },
  };
}
