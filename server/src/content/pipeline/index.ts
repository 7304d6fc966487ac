export { limitsFor } from './file-job.ts';
export type { ExtractionDependencies } from './process-item.ts';
export { reachablePath } from './file-job.ts';
export { retryExtracts } from './queue.ts';
export { queueExtraction, requeuePending } from './queue.ts';
export { countPending, recordThumbDue, listThumbsDue } from './store.ts';
export { createSidecarReader } from './sidecar-reader.ts';
