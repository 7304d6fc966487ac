export { type Backpressure, createBackpressure } from './backpressure.ts';
export { createGate, type Gate } from './gate.ts';
export { extractTask, queueExtraction, reviveExtraction } from './jobs.ts';
export { limitsFor } from './limits.ts';
export type { PipelineParts } from './process-item.ts';
export { reachablePath } from './reachable-path.ts';
export { retryExtracts } from './retry.ts';
export { contentRoutes } from './routes.ts';
export { countPending } from './store.ts';
