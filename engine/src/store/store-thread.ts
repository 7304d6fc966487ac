import { parentPort, workerData } from 'node:worker_threads';
import { toPlainError } from '../errors.ts';
import type { Schema } from '../types.ts';
import { createDirectory, swapDirectories } from './directory.ts';

/** One piece of work on a directory, done where waiting for the disk holds up nobody. */
export type StoreTask = { create: { directory: string; schema: Schema } } | { swap: { directory: string; shadow: string } };

const task = workerData as StoreTask;
try {
  if ('create' in task) createDirectory(task.create.directory, task.create.schema);
  else swapDirectories(task.swap.directory, task.swap.shadow);
  parentPort!.postMessage({ call: 0 });
} catch (error) {
  parentPort!.postMessage({ call: 0, error: toPlainError(error) });
}
