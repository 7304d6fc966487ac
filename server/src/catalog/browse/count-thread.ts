import { parentPort, workerData } from 'node:worker_threads';
import { listedFiles } from '../walk/index.ts';
import { type CountOptions, countBelow } from './count.ts';

/** Counts in a thread of its own: the disk is asked synchronously, and a share may never answer. */
parentPort!.postMessage(countBelow(workerData as CountOptions, listedFiles));
