export { type IncrementalRule, scopeOf } from './scope.ts';
export { createWatchSupervisor, type WatchOptions, type WatchSupervisor } from './supervisor.ts';
