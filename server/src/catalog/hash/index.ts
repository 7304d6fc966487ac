export { createFileHasher, type HashFiles, type HashRequest, type HashResult, systemHashFiles } from './hash-file.ts';
export { createHasher, createInlineHasher, type Hasher } from './hasher.ts';
export { isNetworkType, isOnNetwork, mountOf, parseMounts } from './mounts.ts';
export { type HashPolicy, type HashRule, hashRule, wantsContent } from './policy.ts';
export { isStale, policyVersion, quickWhole, quickWindow, scheme } from './scheme.ts';
