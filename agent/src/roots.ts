/** What the service may name: only roots of this machine, and only files that it has been told about. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { diskPath } from '@catalog/scanner';
import type { FileRow, Store } from './store.ts';

/** The roots that a command concerns. A command can only name what this machine was told to report when it was enrolled. */
export function requireRoots(roots: readonly string[], named: unknown): string[] {
  if (named === undefined || named === null) return [...roots];
  const found = roots.filter((root) => root === named);
  if (found.length === 0) throw new Error(`${String(named)} is not a folder that this agent reports.`);
  return found;
}

export function requireReported(store: Store, root: string, relPath: string): FileRow {
  const at = relPath.lastIndexOf('/');
  const known = store.get<FileRow>(
    `select ${store.columns} from files where root = ? and dir = ? and name = ?`,
    root,
    relPath.slice(0, Math.max(0, at)),
    relPath.slice(at + 1),
  );
  if (!known) throw new Error('This agent does not report that file.');
  return known;
}

const onDisk = (root: string, relPath: string): string | Buffer => diskPath(`${root === '/' ? '' : root}/${relPath}`);

/** The path of a file on disk. Fails when it, or a folder above it, has become a link that leads out of the root. */
export async function requireInside(root: string, relPath: string): Promise<string | Buffer> {
  await requireBelow(root, onDisk(root, relPath));
  return onDisk(root, relPath);
}

/** The same for an entry of a folder that is not followed, which may be a link to anywhere. */
export async function requireEntryInside(root: string, relPath: string): Promise<string | Buffer> {
  const parts = relPath.split('/');
  if (['', '.', '..'].includes(parts.at(-1) ?? '')) throw new Error(outside);
  const folder = parts.slice(0, -1).join('/');
  if (folder !== '') await requireBelow(root, onDisk(root, folder), { orSame: true });
  return onDisk(root, relPath);
}

const outside = 'The file is outside the folder that this agent reports.';

async function requireBelow(root: string, file: string | Buffer, { orSame = false } = {}): Promise<void> {
  const [real, base] = [await realpath(file), await realpath(diskPath(root))];
  if (!(real.startsWith(base.endsWith(path.sep) ? base : base + path.sep) || (orSame && real === base))) throw new Error(outside);
}
