export { associateSidecars } from './associate.ts';
export { isSidecarKey, mergeSidecar } from './associate.ts';
export { primaryCategories, parseSidecarName } from './links.ts';
export type { ReadSidecar } from './associate.ts';
