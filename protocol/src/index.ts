export { addToDigest, bucketOf, type Digest, digestText, emptyDigest, mergeDigest, reconcileLimits } from './digests.ts';
export { isOlderTool, toolMinimum, toolVersionFlag, versionIn } from './host-tools.ts';
export { defaultInventoryCollectors, type InventoryCollector, inventoryCollectors } from './inventory.ts';
export {
  artifactPattern,
  checksumText,
  compareVersions,
  type ReleaseArtifact,
  type ReleaseManifest,
  releaseArchitectures,
  releasePlatforms,
  signRelease,
  verifyRelease,
  versionPattern,
} from './release.ts';
export {
  maxReplicatedAccounts,
  type ReplicatedAccounts,
  type ReplicatedAcl,
  type ReplicatedExtraction,
  type ReplicationEntry,
  replicationEvents,
  replicationLimits,
} from './replication.ts';
export {
  agentPlaneName,
  bindingText,
  contentDigest,
  readSignature,
  rebindText,
  registrationText,
  type SignedParts,
  type SignedRequest,
  signatureMaxSkewSeconds,
  signRequest,
  verifySignature,
} from './signature.ts';
