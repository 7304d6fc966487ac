import { Worker } from 'node:worker_threads';
import { threadFile, startThread } from '../threads/calls.ts';
import type { Schema } from '../types.ts';
import type { StoreTask } from './store-thread.ts';

async function inThread(task: StoreTask): Promise<void> {
  const worker = new Worker(threadFile('store-thread'), { workerData: task });
  await startThread(worker);
  await worker.terminate();
}

/** Makes an empty index. The directory is created; one that holds anything else is refused. */
export async function createIndex(directory: string, schema: Schema): Promise<void> {
  await inThread({ create: { directory, schema } });
}

/** Puts a finished shadow in the place of an index. Nobody may be writing to either; readers of the directory follow by themselves. */
export async function swapIndex(directory: string, shadow: string): Promise<void> {
  await inThread({ swap: { directory, shadow } });
}
