export type { ReadSidecar } from './associate.ts';
export { associateSidecars, isSidecarKey, mergeSidecar } from './associate.ts';
export { linkSidecars, parseSidecarName } from './links.ts';
