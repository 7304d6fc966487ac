export type { ReadSidecar } from './associate.ts';
export { associateSidecars, isSidecarKey, mergeSidecar } from './associate.ts';
export { linkSidecars, mayBeLinked, parseSidecarName } from './links.ts';
