/**
 * The hashing scheme. Quick hash: XXH3-64 over the size (eight bytes, little end first), then the first, middle and last 64 KiB; a file of
 * at most 192 KiB is covered whole. Content hash: SHA-256 of all bytes. A change to either is a new scheme: raise the number, and every
 * row stamped with an older one counts as stale.
 */
export const hashScheme = 'h1';
export const quickHashWindowBytes = 65_536;
export const quickHashWholeFileBytes = 3 * quickHashWindowBytes;

/** What is stamped on a stored hash set: the scheme, and whether the policy asked for a content hash. */
export function hashPolicyVersion(hasContent: boolean): string {
  return `${hashScheme}:${hasContent ? 'full' : 'quick'}`;
}

export function isStaleHash(stamp: string | null): boolean {
  return stamp !== null && !stamp.startsWith(`${hashScheme}:`);
}

export type HashPolicy = 'auto' | 'full' | 'quick_only';

/** How a library's files are hashed. */
export interface HashRule {
  full: boolean;
  /** No content hash above this many bytes. */
  ceiling: number;
}

export function hashRule(policy: HashPolicy, options: { network: boolean; ceiling: number }): HashRule {
  return { full: policy === 'full' || (policy === 'auto' && !options.network), ceiling: options.ceiling };
}

/** A file small enough to be read whole for its quick hash gets its content hash on any policy: the bytes are in hand. */
export function needsContentHash(size: number, rule: HashRule): boolean {
  return size <= quickHashWholeFileBytes || (rule.full && size <= rule.ceiling);
}
