export {
  type AssociateSidecars,
  defaultScanOptions,
  type QueueExtraction,
  type ScanOptions,
  type ScanDependencies,
} from './context.ts';
export { type DiffEntry, type DiffPage, diffScans, iterateDiff, purgeScanChanges } from './diff.ts';
export { type ScanEvent, type SubscribeToProgress, scanEvents } from './events.ts';
export { type Explanation, explainPath } from './explain.ts';
export { presentScan, type PresentedScan } from './present.ts';
export { compileRules, loadRules, type RuleSource, type ScanRules } from './rules.ts';
export { performScan, scanDependencies } from './run.ts';
export { createScanRun, progressChannel } from './run-store.ts';
export { resetScanSchedule, scanSchedules } from './service.ts';
export {
  normalizeScope,
  commonFolder,
  forceClearScan,
  getScan,
  listScans,
  reconcileRuns,
  type ScanPage,
  type ScanTrigger,
  type StartedScan,
  startScan,
  stopScan,
} from './service.ts';
export { ltreeLabel, ltreePath } from './ltree-path.ts';
export { createWatchSupervisor } from './watch.ts';
