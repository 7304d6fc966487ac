export { limitsFor, reachablePath } from './file-job.ts';
export { queueExtraction, requeuePending } from './queue.ts';
export { createSidecarReader } from './sidecar-reader.ts';
export { listThumbsDue } from './store.ts';
