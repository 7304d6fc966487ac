export { passagesJob, queuePassages } from './passages-job.ts';
export { accountingLine } from './present.ts';
export { isInside } from './root.ts';
export { parseRelPath } from './scan-paths.ts';
export { deleteLibrary } from './service.ts';
export { createShareMap, findShare, joinToPrefix, type ShareLocation, type ShareMapEntry, toSmb, toUnc } from './share-map.ts';
export { sniffLibraryJob } from './sniff-job.ts';
export { allLibraries, readableLibrary, wholeLibrary } from './store.ts';
