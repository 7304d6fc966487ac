import { type EntryFacts, entryKinds } from '@catalog/scanner';
import type { FileDecision } from './rules.ts';
import type { FileFacts, KnownItem } from './store.ts';

/** What a file on disk means for the catalog, beside what is stored about it. */
export type FileChange =
  | { kind: 'new'; facts: FileFacts }
  | { kind: 'changed' | 'returned'; item: KnownItem; facts: FileFacts; rehash: boolean }
  | { kind: 'silent'; item: KnownItem; facts: FileFacts; rehash: boolean }
  | { kind: 'same' };

/**
 * Change detection. Size, modification time or being a symlink: changed, and extracted again. Link count, inode, device or class alone:
 * recorded silently. A row from before link counts were kept holds null there and is not thereby modified. A row without a hash is hashed
 * again, silently. A trashed item is left as it is: the next scan must not bring it back.
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

/** A name that tells nothing: what the content told, if somebody had it looked at, stands as long as the bytes do. */
const mayBeClassifiedByContent = ({ extension, category }: FileFacts): boolean => extension === null && category === 'other';

/** Joins what the walk saw of a file with how it was judged. */
export function toFileFacts(
  entry: EntryFacts,
  device: number,
  verdict: FileDecision & { admitted: true },
  symlinkTarget: string | null,
): FileFacts {
  const { extension, category, group } = verdict.classification;
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
