export { type DigestAlgorithm, type DigestAnswer, digestAlgorithms, digestFile } from './digest.ts';
export { createFileHasher, type HashFiles, type HashRequest, type HashResult, systemHashFiles } from './hash-file.ts';
export { createHasher, createInlineHasher, type Hasher } from './hasher.ts';
export { createHashTasks, type HashTaskSettings, startRehash } from './jobs.ts';
export { isNetworkType, isOnNetwork, mountOf, networkShares, networkTest, parseMounts } from './mounts.ts';
export { type HashPolicy, type HashRule, hashRule, wantsContent } from './policy.ts';
export { backfillContentHashes, type HashWorkDone, type HashWorkOptions, rehashLibrary } from './rehash.ts';
export { isStale, policyVersion, quickWhole, quickWindow, scheme } from './scheme.ts';
export { type HashStatusRow, hashStatus } from './store.ts';
