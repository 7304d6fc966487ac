export { associateSidecars, type SidecarCounts } from './associate.ts';
export { isSidecarKey, mergeSidecar, type SidecarPriority } from './associate.ts';
export { type FolderItem, linkSidecars } from './links.ts';
export { primaryCategories, type SidecarKind, type SidecarName, parseSidecarName } from './links.ts';
export type { ReadSidecar } from './associate.ts';
