export { limitsFor } from './limits.ts';
export type { PipelineParts } from './process-item.ts';
export { reachablePath } from './reachable-path.ts';
export { retryExtracts } from './retry.ts';
export { queueExtraction, reviveExtraction } from './queue.ts';
export { countPending, noteThumbDue, takeThumbsDue } from './store.ts';
export { createSidecarReader } from './sidecar-reader.ts';
