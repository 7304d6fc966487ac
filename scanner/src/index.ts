export { type DigestAlgorithm, type DigestResult, digestAlgorithms, digestFile } from './hash/digest.ts';
export { createFileHasher, type HashFileSystem, type HashRequest, type HashResult, systemHashFileSystem } from './hash/hash-file.ts';
export { createHasher, createInlineHasher, type Hasher } from './hash/hasher.ts';
export {
  type HashPolicy,
  type HashRule,
  hashPolicyVersion,
  hashRule,
  hashScheme,
  needsContentHash,
  quickHashWholeFileBytes,
} from './hash/policy.ts';
export { compileIgnore, type Ignore, type IgnoreDecision, libraryPatterns, type PatternList, type PatternOrigin } from './ignore/ignore.ts';
export { parseIgnorePattern } from './ignore/pattern.ts';
export {
  createNetworkCheck,
  hasStableIds,
  isOnNetwork,
  networkMountPoints,
  type RootIdentity,
  readRootIdentity,
  rootChange,
} from './mounts.ts';
export { threadFile } from './thread-file.ts';
export { createFolderCounter, type FolderCount, type FolderCounter, type FolderCountOptions } from './walk/count.ts';
export { type EntryFacts, entryFactsAt, entryFieldCount, entryKindAt, entryKinds } from './walk/entries.ts';
export { cacheTagName, createWalkFileSystem, isTaggedCache, type WalkFileSystem } from './walk/file-system.ts';
export { compareBytes, diskPath, pathBytes, pathText } from './walk/path-text.ts';
export { createInlineWalk, type StartWalk, type WalkBatch, type WalkedFolder, type WalkOptions, walkInThread } from './walk/walk.ts';
export { type FolderWatch, type FolderWatchOptions, type WatchBatch, watchFolders } from './watch.ts';
