export { limitsFor } from './limits.ts';
export type { ExtractionDependencies as PipelineParts } from './process-item.ts';
export { reachablePath } from './reachable-path.ts';
export { retryExtracts } from './retry.ts';
export { queueExtraction, requeuePending as reviveExtraction } from './queue.ts';
export { countPending, recordThumbDue as noteThumbDue, listThumbsDue as takeThumbsDue } from './store.ts';
export { createSidecarReader } from './sidecar-reader.ts';
