export { type AssociateSidecars, defaultScanOptions, type QueueExtraction, type ScanOptions, type ScanParts } from './context.ts';
export { type DiffEntry, type DiffPage, diffScans, eachDifference, purgeScanChanges } from './diff.ts';
export { type ScanEvent, type Subscribe, scanEvents } from './events.ts';
export { type Explanation, explainPath } from './explain.ts';
export { presentScan, type ScanView } from './present.ts';
export { compileRules, loadRules, type RuleSource, type ScanRules } from './rules.ts';
export { performScan, scanParts } from './run.ts';
export { createRun, progressChannel } from './run-store.ts';
export { forgetScanSchedule, scanSchedules } from './schedule.ts';
export {
  cleanScope,
  commonFolder,
  forceClear,
  getScan,
  listScans,
  reconcileRuns,
  type ScanPage,
  type ScanTrigger,
  type StartedScan,
  startScan,
  stopScan,
} from './service.ts';
export { treeLabel, treePath } from './tree-path.ts';
export { createWatchSupervisor } from './watch.ts';
