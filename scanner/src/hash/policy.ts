/**
 * The hashing scheme. Quick hash: XXH3-64 over the size (eight bytes, little-endian), then the first, middle and last 64 KiB; a file of
 * at most 192 KiB is covered whole. Content hash: SHA-256 of all bytes. Changing either requires a new scheme name, which marks every
 * stored hash of an older scheme as stale.
 */
export const hashScheme = 'h1';
export const quickHashWindowBytes = 65_536;
export const quickHashWholeFileBytes = 3 * quickHashWindowBytes;

/** The version stored beside an item's hashes: the scheme, and whether the policy required a content hash. */
export function hashPolicyVersion(hasContent: boolean): string {
  return `${hashScheme}:${hasContent ? 'full' : 'quick'}`;
}

export type HashPolicy = 'auto' | 'full' | 'quick_only';

/** A hash policy resolved for one library. */
export interface HashRule {
  full: boolean;
  /** Files above this many bytes get no content hash. */
  ceiling: number;
}

export function hashRule(policy: HashPolicy, options: { network: boolean; ceiling: number }): HashRule {
  return { full: policy === 'full' || (policy === 'auto' && !options.network), ceiling: options.ceiling };
}

/** A file that the quick hash reads whole gets a content hash under every policy, because its bytes are already in memory. */
export function needsContentHash(size: number, rule: HashRule): boolean {
  return size <= quickHashWholeFileBytes || (rule.full && size <= rule.ceiling);
}
