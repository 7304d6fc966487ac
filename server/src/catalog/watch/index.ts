export { type FolderWatch, type FolderWatchOptions, type WatchBatch, watchFolders } from './folder-watch.ts';
export { type IncrementalRule, scopeOf } from './scope.ts';
export { createWatchSupervisor, type WatchOptions, type WatchSupervisor } from './supervisor.ts';
