/** What the index holds of one file, from the facts of the walk. */
import { readlinkSync } from 'node:fs';
import {
  diskPath,
  type entryFactsAt,
  type Hasher,
  type HashRule,
  hashPolicyVersion,
  needsContentHash,
  pathText,
  type WalkedFolder,
} from '@catalog/scanner';
import type { FileRow } from './store.ts';

export function readRow(
  root: string,
  folder: WalkedFolder,
  name: string,
  facts: ReturnType<typeof entryFactsAt>,
  isLink: boolean,
  acl: number | null,
): FileRow {
  return {
    dir: folder.path,
    name,
    size: facts.size,
    mtime_ns: facts.mtimeNs,
    inode: facts.inode,
    device: folder.device,
    links: facts.links,
    ctime_ns: facts.ctimeNs,
    symlink_target: isLink ? readTarget(root, folder.path, name) : null,
    quick_hash: null,
    content_hash: null,
    policy_version: null,
    hash_error: null,
    acl: isLink ? null : acl,
    allocated: folder.allocated?.get(name) ?? null,
  };
}

function readTarget(root: string, dir: string, name: string): string {
  try {
    return pathText(readlinkSync(diskPath(absolute(root, dir, name)), { encoding: 'buffer' }) as unknown as Buffer);
  } catch {
    // Deleted since the walk, or not readable: it is still a link.
    return '?';
  }
}

const absolute = (root: string, dir: string, name: string): string => `${root === '/' ? '' : root}/${dir === '' ? '' : `${dir}/`}${name}`;

export function isSame(before: FileRow, now: FileRow, stableIds: boolean): boolean {
  return (
    before.size === now.size &&
    before.mtime_ns === now.mtime_ns &&
    before.symlink_target === now.symlink_target &&
    (now.symlink_target !== null || before.quick_hash !== null) &&
    (!stableIds || (before.inode === now.inode && before.links === now.links && before.ctime_ns === now.ctime_ns))
  );
}

/** Fills in the hashes. Returns false when a file could not be read, so that its folder is compared again. */
export async function hashRows(
  { hasher, root, rule }: { hasher: Hasher; root: string; rule: HashRule },
  rows: readonly FileRow[],
): Promise<boolean> {
  const files = rows.filter(({ symlink_target }) => symlink_target === null);
  const results = await hasher.hash(
    files.map(({ dir, name, size, mtime_ns }) => ({
      path: absolute(root, dir, name),
      size,
      mtimeNs: mtime_ns,
      content: needsContentHash(size, rule),
    })),
  );
  let complete = true;
  for (const [at, row] of files.entries()) {
    const result = results[at];
    if (!result || result.error !== undefined) {
      row.hash_error = result?.error ?? 'EIO';
      complete = false;
    } else {
      row.quick_hash = result.quick;
      row.content_hash = result.content;
      row.policy_version = hashPolicyVersion(result.content !== null);
    }
  }
  return complete;
}
