export { associateSidecars, type SidecarCounts } from './associate.ts';
export { isSidecarKey, mergeSidecar, type SidecarFacts, type SidecarPriority } from './facts.ts';
export { type FolderItem, linkSidecars } from './links.ts';
export { primaryCategories, type SidecarKind, type SidecarName, sidecarName } from './names.ts';
export { readNfo } from './nfo.ts';
export { readPlayerSidecar } from './player.ts';
export { type ReadSidecar, readSidecarFile, readSidecarHere, type SpeakingKind } from './read-sidecar.ts';
