import { type EntryFacts, entryKinds } from '@catalog/scanner';
import type { FileDecision } from './rules.ts';
import type { FileFacts, KnownItem } from './store.ts';

/** How a file on disk differs from its stored item. */
export type FileChange =
  | { kind: 'new'; facts: FileFacts }
  | { kind: 'changed' | 'returned'; item: KnownItem; facts: FileFacts; rehash: boolean }
  | { kind: 'silent'; item: KnownItem; facts: FileFacts; rehash: boolean }
  | { kind: 'same' };

/**
 * Detects changes. A different size, modification time or symlink state is a change and triggers extraction. A different link count, inode,
 * device or classification alone is stored silently, including link counts of rows written before they were recorded. A row without a hash
 * is hashed silently. A trashed item stays trashed.
 */
export function compareFile(facts: FileFacts, item: KnownItem | undefined, hashable: boolean): FileChange {
  if (!item) return { kind: 'new', facts };
  if (item.status === 'trashed') return { kind: 'same' };
  const changed =
    item.size !== facts.size || item.mtime_ns !== facts.mtimeNs || (item.symlink_target !== null) !== (facts.symlinkTarget !== null);
  const rehash = hashable && (changed || !item.hashed);
  if (item.status === 'missing') return { kind: 'returned', item, facts, rehash };
  if (changed) return { kind: 'changed', item, facts, rehash };
  const differs =
    item.nlink !== facts.links ||
    item.inode !== facts.inode ||
    item.dev !== facts.device ||
    (!mayBeClassifiedByContent(facts) && (item.file_category !== facts.category || item.file_group !== facts.group)) ||
    item.symlink_target !== facts.symlinkTarget;
  return differs || rehash ? { kind: 'silent', item, facts, rehash } : { kind: 'same' };
}

/** A file without an extension may have been classified by its content; that classification holds until its bytes change. */
const mayBeClassifiedByContent = ({ extension, category }: FileFacts): boolean => extension === null && category === 'other';

/** Combines what the walk read of a file with its classification. */
export function toFileFacts(
  entry: EntryFacts,
  device: number,
  decision: FileDecision & { admitted: true },
  symlinkTarget: string | null,
): FileFacts {
  const { extension, category, group } = decision.classification;
  return {
    extension,
    category,
    group,
    size: entry.size,
    mtimeNs: entry.mtimeNs,
    inode: entry.inode,
    device,
    links: entry.links,
    symlinkTarget: entry.kind === entryKinds.symlink ? symlinkTarget : null,
  };
}
