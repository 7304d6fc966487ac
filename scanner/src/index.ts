export { type DigestAlgorithm, type DigestResult as DigestAnswer, digestAlgorithms, digestFile } from './hash/digest.ts';
export {
  createFileHasher,
  type HashFileSystem as HashFiles,
  type HashRequest,
  type HashResult,
  systemHashFileSystem as systemHashFiles,
} from './hash/hash-file.ts';
export { createHasher, createInlineHasher, type Hasher } from './hash/hasher.ts';
export { type HashPolicy, type HashRule, hashRule, needsContentHash as wantsContent } from './hash/policy.ts';
export {
  isStaleHash as isStale,
  hashPolicyVersion as policyVersion,
  quickHashWholeFileBytes as quickWhole,
  quickHashWindowBytes as quickWindow,
  hashScheme as scheme,
} from './hash/scheme.ts';
export * from './ignore/index.ts';
export {
  isNetworkFileSystem as isNetworkType,
  isOnNetwork,
  findMount as mountOf,
  networkMountPoints as networkShares,
  createNetworkCheck as networkTest,
  parseMounts,
} from './mounts.ts';
export * from './walk/index.ts';
export { threadFile } from './thread-file.ts';
export { type FolderWatch, type FolderWatchOptions, type WatchBatch, watchFolders } from './watch.ts';
