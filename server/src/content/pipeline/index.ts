export { limitsFor, reachablePath } from './file-job.ts';
export { queueExtraction, queueUnopened, requeuePending } from './queue.ts';
export { writeReported } from './reported.ts';
export { createSidecarReader } from './sidecar-reader.ts';
export { countThumbsDue, listThumbsDue, writeThumbKey } from './store.ts';
