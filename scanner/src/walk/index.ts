export { cacheTagName, isTaggedCache } from './file-system.ts';
export type { FolderCount, FolderCountOptions } from './count.ts';
export { createFolderCounter, type FolderCounter } from './count.ts';
export {
  type EntryFacts,
  createEntryList,
  entryFactsAt,
  entryFieldCount,
  type EntryKind,
  entryKindAt,
  entryKinds,
  entrySizeAt,
} from './entries.ts';
export { type WalkFileSystem, createWalkFileSystem } from './file-system.ts';
export { compareBytes, diskPath, pathBytes, pathText, displayPath } from './path-text.ts';
export { folderFingerprint, type PrunedFolder, type WalkBatch, type WalkedFolder, type WalkOptions } from './walk.ts';
export { type StartWalk, walkInThread, createInlineWalk } from './walk.ts';
