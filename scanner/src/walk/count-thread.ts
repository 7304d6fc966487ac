import { parentPort, workerData } from 'node:worker_threads';
import { type FolderCountOptions, countBelow } from './count.ts';
import { listedFiles } from './file-system.ts';

/**
 * Counts in a thread of its own: the disk is asked synchronously, and a share may never answer. Nothing here loads native code: a process
 * that ends while a thread does so is killed by it.
 */
parentPort!.postMessage(countBelow(workerData as FolderCountOptions, listedFiles));
