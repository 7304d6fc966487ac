/**
 * The hashing scheme. Quick hash: XXH3-64 over the size (eight bytes, little end first), then the first, middle and last 64 KiB; a file of
 * at most 192 KiB is covered whole. Content hash: SHA-256 of all bytes. A change to either is a new scheme: raise the number, and every
 * row stamped with an older one counts as stale.
 */
export const scheme = 'h1';
export const quickWindow = 65_536;
export const quickWhole = 3 * quickWindow;

/** What is stamped on a stored hash set: the scheme, and whether the policy asked for a content hash. */
export function policyVersion(hasContent: boolean): string {
  return `${scheme}:${hasContent ? 'full' : 'quick'}`;
}

export function isStale(stamp: string | null): boolean {
  return stamp !== null && !stamp.startsWith(`${scheme}:`);
}
