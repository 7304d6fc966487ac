export { cacheTagName, isTaggedCache } from './cache-tag.ts';
export type { FolderCount as Count, FolderCountOptions as CountOptions } from './count-below.ts';
export { createFolderCounter, type FolderCounter } from './counter.ts';
export {
  type EntryFacts,
  createEntryList as emptyEntries,
  entryFactsAt as factsAt,
  entryFieldCount as fields,
  type EntryKind as Kind,
  entryKindAt as kindAt,
  entryKinds as kinds,
  entrySizeAt as sizeAt,
} from './entries.ts';
export { type WalkFileSystem as FileLayer, createWalkFileSystem as systemFiles } from './file-layer.ts';
export { compareBytes, diskPath, pathBytes, pathText, displayPath as shownPath } from './path-text.ts';
export { folderFingerprint as fingerprint, type PrunedFolder, type WalkBatch, type WalkedFolder, type WalkOptions } from './walk.ts';
export { type StartWalk, walkInThread, createInlineWalk as walkOver } from './walker.ts';
