export { type DigestAlgorithm, type DigestResult, digestAlgorithms, digestFile } from './hash/digest.ts';
export {
  createFileHasher,
  type HashFileSystem,
  type HashRequest,
  type HashResult,
  systemHashFileSystem,
} from './hash/hash-file.ts';
export { createHasher, createInlineHasher, type Hasher } from './hash/hasher.ts';
export { type HashPolicy, type HashRule, hashRule, needsContentHash } from './hash/policy.ts';
export {
  isStaleHash,
  hashPolicyVersion,
  quickHashWholeFileBytes,
  quickHashWindowBytes,
  hashScheme,
} from './hash/policy.ts';
export * from './ignore/index.ts';
export {
  isNetworkFileSystem,
  isOnNetwork,
  findMount,
  networkMountPoints,
  createNetworkCheck,
  parseMounts,
} from './mounts.ts';
export * from './walk/index.ts';
export { threadFile } from './thread-file.ts';
export { type FolderWatch, type FolderWatchOptions, type WatchBatch, watchFolders } from './watch.ts';
