import { workerData } from 'node:worker_threads';
import { serializeError } from '../errors.ts';
import { threadPort } from '../threads/calls.ts';
import type { Schema } from '../types.ts';
import { createIndexDirectory, swapDirectories } from './directory.ts';

/** One operation on an index directory, run in a thread because it blocks on disk access. */
export type StoreTask = { create: { directory: string; schema: Schema } } | { swap: { directory: string; shadow: string } };

const port = threadPort();
const task = workerData as StoreTask;
try {
  if ('create' in task) createIndexDirectory(task.create.directory, task.create.schema);
  else swapDirectories(task.swap.directory, task.swap.shadow);
  port.postMessage({ call: 0 });
} catch (error) {
  port.postMessage({ call: 0, error: serializeError(error) });
}
