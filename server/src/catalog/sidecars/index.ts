export { associateSidecars, type SidecarCounts } from './associate.ts';
export { isSidecarKey, mergeSidecar, type SidecarPriority } from './facts.ts';
export { type FolderItem, linkSidecars } from './links.ts';
export { primaryCategories, type SidecarKind, type SidecarName, parseSidecarName } from './names.ts';
export type { ReadSidecar } from './read-sidecar.ts';
