export { readMarker } from './extract-errors.ts';
export { removeLibraryTask, reprojectTask } from './tasks.ts';
export { accountingLine } from './present.ts';
export { isInside } from './root.ts';
export { libraryRoutes } from './http.ts';
export { libraryContentRoutes } from './http-browse.ts';
export { libraryDiagnosisRoutes } from './http-diagnose.ts';
export { overrideKeys } from './rules.ts';
export { readRelPath } from './scan-paths.ts';
export { createShareMap, joinAddress, type Share, type ShareMapEntry, shareOf } from './share-map.ts';
export {
  BackpressureOut,
  type LaterStages,
  noLaterStages,
  type Stage,
  type StagedRun,
  StagesOut,
  type StageSource,
  stagesOf,
} from './stages.ts';
export { allLibraries, type LibraryRow, libraryById, readableLibrary } from './store.ts';
export { isoTime } from './tree.ts';
