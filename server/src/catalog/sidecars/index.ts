export type { ReadSidecar } from './associate.ts';
export { associateSidecars, hasSidecarFacts, isSidecarKey, mergeSidecar } from './associate.ts';
export { linkSidecars, mayBeLinked, parseSidecarName } from './links.ts';
