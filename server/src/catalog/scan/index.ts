export { addContentHashes } from './rehash.ts';
export { performScan, scanDependencies } from './run.ts';
export { createScanRun } from './run-store.ts';
export { nextScans, reconcileRuns, resetScanSchedule, scanSchedules } from './service.ts';
export { createWatchSupervisor } from './watch.ts';
