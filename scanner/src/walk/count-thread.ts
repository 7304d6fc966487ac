import { parentPort, workerData } from 'node:worker_threads';
import { countBelow, type FolderCountOptions } from './count.ts';
import { namesOnlyFileSystem } from './file-system.ts';

// Must not load native code: a process that exits while a thread loads it crashes.
parentPort?.postMessage(countBelow(workerData as FolderCountOptions, namesOnlyFileSystem));
