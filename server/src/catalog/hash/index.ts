export { createHashTasks, type HashTaskSettings, startRehash } from './tasks.ts';
export { backfillContentHashes, type HashWorkDone, type HashWorkOptions, rehashLibrary } from './rehash.ts';
export { type HashStatusRow, hashStatus } from './store.ts';
