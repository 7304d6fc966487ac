export type { ReadSidecar } from './associate.ts';
export { associateSidecars, isSidecarKey, mergeSidecar } from './associate.ts';
export { parseSidecarName, primaryCategories } from './links.ts';
