import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../thread-file.ts';
import { packRequests, unpackResults, createFileHasher, type HashFileSystem, type HashRequest, type HashResult } from './hash-file.ts';

/** Hashes batches of files. Answers come in the order of the requests; a file's failure is an answer, not an exception. */
export interface Hasher {
  hash(requests: readonly HashRequest[]): Promise<HashResult[]>;
  /** Ends at once, also in the middle of a file; batches under way are rejected. */
  close(): Promise<void>;
}

interface Lane {
  thread: Worker;
  waiting: Map<number, { resolve(results: HashResult[]): void; reject(error: Error): void }>;
}

export function createHasher(options: { threads?: number; bytesPerSecond?: number } = {}): Hasher {
  const count = options.threads ?? Math.min(4, Math.max(1, os.availableParallelism()));
  const lanes: Lane[] = [];
  let next = 0;
  const open = (): Lane => {
    const lane: Lane = {
      thread: new Worker(threadFile('hash-thread'), {
        workerData: { bytesPerSecond: options.bytesPerSecond ?? 0 },
        // It keeps nothing from batch to batch: little room for what is new is enough.
        resourceLimits: { maxYoungGenerationSizeMb: 6 },
      }),
      waiting: new Map(),
    };
    lane.thread.unref();
    lane.thread.on('message', ({ id, results }: { id: number; results: string }) => {
      lane.waiting.get(id)?.resolve(unpackResults(results));
      lane.waiting.delete(id);
    });
    lane.thread.on('error', (error) => fail(lane, error as Error));
    lane.thread.on('exit', () => fail(lane, new Error('A hashing thread ended.')));
    lanes.push(lane);
    return lane;
  };
  const fail = (lane: Lane, error: Error): void => {
    const at = lanes.indexOf(lane);
    if (at !== -1) lanes.splice(at, 1);
    for (const { reject } of lane.waiting.values()) reject(error);
    lane.waiting.clear();
  };
  return {
    hash(requests) {
      if (requests.length === 0) return Promise.resolve([]);
      const idle = lanes.find(({ waiting }) => waiting.size === 0);
      const lane = idle ?? (lanes.length < count ? open() : lanes.reduce((a, b) => (b.waiting.size < a.waiting.size ? b : a)));
      const id = next++;
      return new Promise((resolve, reject) => {
        lane.waiting.set(id, { resolve, reject });
        lane.thread.postMessage(packRequests(id, requests));
      });
    },
    async close() {
      await Promise.all(lanes.slice().map(({ thread }) => thread.terminate()));
    },
  };
}

/** The same without threads, over any files. */
export function createInlineHasher(files: HashFileSystem): Hasher {
  const hashFile = createFileHasher(files);
  return { hash: async (requests) => requests.map(hashFile), close: async () => {} };
}
