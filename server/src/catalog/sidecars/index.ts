export type { ReadSidecar } from './associate.ts';
export { associateSidecars, hasSidecarFacts, isSidecarKey, keepOwn, mergeSidecar, ownOf } from './associate.ts';
export { linkSidecars, mayBeLinked, parseSidecarName } from './links.ts';
