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
export { setKoffiFolder } from './koffi.ts';
export {
  createNetworkCheck,
  fileSystemType,
  hasStableIds,
  isOnNetwork,
  networkMountPoints,
  type RootIdentity,
  readRootIdentity,
  rootChange,
  watchedDisks,
} from './mounts.ts';
export { type LocalAccounts, readAccounts } from './permissions/accounts.ts';
export { type AclAttributes, type AclReader, createAclReader, noAclAttributes, unlistedAclAttribute } from './permissions/attributes.ts';
export {
  entriesOf,
  type FilePrincipal,
  groupPrincipal,
  ownersOf,
  type PermissionEntry,
  postureOf,
  sidPrincipal,
  userPrincipal,
  type Verb,
  verbs,
} from './permissions/entries.ts';
export { type Decision, evaluate, everybodyMayEnter, everyone, type Identity, mayEnter, type Right } from './permissions/evaluate.ts';
export { aclDigest, type Fidelity, type FileAcl, type FileOwnership, inventsOwners, toFileAcl } from './permissions/file-acl.ts';
export { attributesKey, createInlinePermissionReader, createPermissionReader, type PermissionReader } from './permissions/folder-reader.ts';
export { closedFoldersAbove } from './permissions/read-path.ts';
export { threadFile } from './thread-file.ts';
export { createFolderCounter, type FolderCount, type FolderCounter, type FolderCountOptions } from './walk/count.ts';
export {
  type EntryFacts,
  entryErrorAt,
  entryFactsAt,
  entryFieldCount,
  entryKindAt,
  entryKinds,
  limitNs,
  ownershipAt,
} from './walk/entries.ts';
export { cacheTagName, createWalkFileSystem, isTaggedCache, type WalkFileSystem } from './walk/file-system.ts';
export { compareBytes, diskPath, pathBytes, pathText } from './walk/path-text.ts';
export { createInlineWalk, type StartWalk, type WalkBatch, type WalkedFolder, type WalkOptions } from './walk/walk.ts';
export { walkInThreads } from './walk/walk-in-threads.ts';
export { type FolderWatch, type FolderWatchOptions, type WatchBatch, watchFolders } from './watch.ts';
