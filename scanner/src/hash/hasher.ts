import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import { createFileHasher, type HashFileSystem, type HashRequest, type HashResult, packRequests, unpackResults } from './hash-file.ts';

/** Hashes batches of files. Results are in the order of the requests; a file's failure is a result with `error`, not an exception. */
export interface Hasher {
  hash(requests: readonly HashRequest[]): Promise<HashResult[]>;
  /** Terminates the threads at once, even in the middle of a file; batches in progress are rejected. */
  close(): Promise<void>;
}

interface HashThread {
  worker: Worker;
  pending: Map<number, { resolve(results: HashResult[]): void; reject(error: Error): void }>;
}

/** Starts threads on demand, up to `threads`, and gives each batch to the least busy one. A thread that dies is replaced. */
export function createHasher(options: { threads?: number; bytesPerSecond?: number } = {}): Hasher {
  const maxThreads = options.threads ?? Math.min(4, Math.max(1, os.availableParallelism()));
  const threads: HashThread[] = [];
  let nextId = 0;
  const startThread = (): HashThread => {
    const thread: HashThread = {
      worker: new Worker(threadFile('hash-thread'), {
        workerData: { bytesPerSecond: options.bytesPerSecond ?? 0 },
        // Nothing is kept between batches, so a small young generation is enough.
        resourceLimits: { maxYoungGenerationSizeMb: 6 },
      }),
      pending: new Map(),
    };
    thread.worker.unref();
    thread.worker.on('message', ({ id, results }: { id: number; results: string }) => {
      thread.pending.get(id)?.resolve(unpackResults(results));
      thread.pending.delete(id);
    });
    thread.worker.on('error', (error) => failThread(thread, error as Error));
    thread.worker.on('exit', () => failThread(thread, new Error('A hashing thread ended.')));
    threads.push(thread);
    return thread;
  };
  const failThread = (thread: HashThread, error: Error): void => {
    const index = threads.indexOf(thread);
    if (index !== -1) threads.splice(index, 1);
    for (const { reject } of thread.pending.values()) reject(error);
    thread.pending.clear();
  };
  return {
    hash(requests) {
      if (requests.length === 0) return Promise.resolve([]);
      const idle = threads.find(({ pending }) => pending.size === 0);
      const thread =
        idle ?? (threads.length < maxThreads ? startThread() : threads.reduce((a, b) => (b.pending.size < a.pending.size ? b : a)));
      const id = nextId++;
      return new Promise((resolve, reject) => {
        thread.pending.set(id, { resolve, reject });
        thread.worker.postMessage(packRequests(id, requests));
      });
    },
    async close() {
      await Promise.all(threads.slice().map(({ worker }) => worker.terminate()));
    },
  };
}

/** Hashes in the calling thread over any file system, for tests. */
export function createInlineHasher(files: HashFileSystem): Hasher {
  const hashFile = createFileHasher(files);
  return { hash: async (requests) => requests.map(hashFile), close: async () => {} };
}
