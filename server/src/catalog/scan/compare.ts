import { type EntryFacts, entryKinds } from '@catalog/scanner';
import type { FileDecision } from './rules.ts';
import type { FileFacts, KnownItem } from './store.ts';

/** How a file on disk differs from its stored item. */
export type FileChange =
  | { kind: 'new'; facts: FileFacts }
  | { kind: 'changed' | 'returned'; item: KnownItem; facts: FileFacts; rehash: boolean }
  | { kind: 'silent'; item: KnownItem; facts: FileFacts; rehash: boolean }
  /** The bytes may have changed. Reading them decides whether the change is silent or not. `whole`: the quick hash alone is not enough. */
  | { kind: 'doubtful'; item: KnownItem; facts: FileFacts; whole: boolean }
  | { kind: 'same' };

/**
 * Detects changes. A different size, modification time or symlink state is a change and triggers extraction. Another inode, or a later inode
 * change time, under the same size and time is doubtful where the file system keeps both stable: files may have swapped names, or a program
 * may have restored the time after writing. A different link count, device, size on disk or classification alone is stored silently, including values of
 * rows written before they were recorded. A row without a hash is hashed silently. A trashed item stays trashed.
 */
export function compareFile(facts: FileFacts, item: KnownItem | undefined, options: { hashable: boolean; stableIds: boolean }): FileChange {
  const { hashable, stableIds } = options;
  if (!item) return { kind: 'new', facts };
  if (item.status === 'trashed') return { kind: 'same' };
  const changed =
    item.size !== facts.size || item.mtime_ns !== facts.mtimeNs || (item.symlink_target !== null) !== (facts.symlinkTarget !== null);
  const rehash = hashable && (changed || item.quick_hash === null);
  const doubt = stableIds && hashable && !rehash ? doubtAbout(facts, item) : null;
  if (item.status === 'missing') return { kind: 'returned', item, facts, rehash: rehash || doubt !== null };
  if (changed) return { kind: 'changed', item, facts, rehash };
  if (doubt) return { kind: 'doubtful', item, facts, whole: doubt === 'inode' };
  const differs =
    item.nlink !== facts.links ||
    item.inode !== facts.inode ||
    item.ctime_ns !== facts.ctimeNs ||
    item.dev !== facts.device ||
    item.access_class !== facts.accessClass ||
    item.allocated !== facts.allocated ||
    (!mayBeClassifiedByContent(facts) && (item.file_category !== facts.category || item.file_group !== facts.group)) ||
    item.symlink_target !== facts.symlinkTarget;
  return differs || rehash ? { kind: 'silent', item, facts, rehash } : { kind: 'same' };
}

/** On another device every inode differs, so a library that was copied to a new disk is not doubtful. A new hard link explains a new change time. */
function doubtAbout(facts: FileFacts, item: KnownItem): 'inode' | 'change time' | null {
  if (item.dev !== facts.device || item.inode === null) return null;
  if (item.inode !== facts.inode) return 'inode';
  if (item.ctime_ns === null || facts.ctimeNs === null || item.nlink !== facts.links) return null;
  return item.ctime_ns === facts.ctimeNs ? null : 'change time';
}

/** A file without an extension may have been classified by its content; that classification holds until its bytes change. */
const mayBeClassifiedByContent = ({ extension, category }: FileFacts): boolean => extension === null && category === 'other';

/** Combines what the walk read of a file with its classification. */
export function toFileFacts(
  entry: EntryFacts,
  device: number,
  decision: FileDecision & { admitted: true },
  symlinkTarget: string | null,
  accessClass: number | null,
  allocated: number | null,
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
    ctimeNs: entry.ctimeNs,
    symlinkTarget: entry.kind === entryKinds.symlink ? symlinkTarget : null,
    accessClass,
    allocated,
  };
}
