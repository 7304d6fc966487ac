export { cacheTagName, isTaggedCache } from './cache-tag.ts';
export type { FolderCount, FolderCountOptions } from './count-below.ts';
export { createFolderCounter, type FolderCounter } from './counter.ts';
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
export { type WalkFileSystem, createWalkFileSystem } from './file-layer.ts';
export { compareBytes, diskPath, pathBytes, pathText, displayPath } from './path-text.ts';
export { folderFingerprint, type PrunedFolder, type WalkBatch, type WalkedFolder, type WalkOptions } from './walk.ts';
export { type StartWalk, walkInThread, createInlineWalk } from './walker.ts';
