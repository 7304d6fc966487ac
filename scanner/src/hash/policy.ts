import { quickHashWholeFileBytes } from './scheme.ts';

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
