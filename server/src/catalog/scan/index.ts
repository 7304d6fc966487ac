export { addContentHashes } from './rehash.ts';
export { applyReported } from './reported.ts';
export type { ReportedFolder } from './reported-access.ts';
export { foldChanges, type ReportedChange, type ReportedFacts, type ReportedFile } from './reported-fold.ts';
export { performScan, scanDependencies } from './run.ts';
export { createScanRun } from './run-store.ts';
export {
  endAbortedScan,
  nextScans,
  noteScanSchedules,
  reconcileRuns,
  resetScanSchedule,
  resetScanSchedules,
  scanSchedules,
} from './service.ts';
export { settleFolderMoves, settleSome as settleSomeFolderMoves } from './settle-folder-moves.ts';
export { createWatchSupervisor } from './watch.ts';
