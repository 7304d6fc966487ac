import { Worker } from 'node:worker_threads';
import { threadFile, waitUntilReady } from '../threads/calls.ts';
import type { Schema } from '../types.ts';
import type { StoreTask } from './store-thread.ts';

async function runInThread(task: StoreTask): Promise<void> {
  const worker = new Worker(threadFile('store-thread'), { workerData: task });
  await waitUntilReady(worker);
  await worker.terminate();
}

/** Creates an empty index and its directory. A directory that contains other files is refused. */
export async function createIndex(directory: string, schema: Schema): Promise<void> {
  await runInThread({ create: { directory, schema } });
}

/** Replaces an index by a finished shadow. Both must have no open writer; readers of the directory follow automatically. */
export async function swapIndex(directory: string, shadow: string): Promise<void> {
  await runInThread({ swap: { directory, shadow } });
}
