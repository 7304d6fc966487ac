import { lstat } from 'node:fs/promises';
import { createHasher, diskPath } from '@catalog/scanner';
import type { Perform } from './commands.ts';
import { requireRoots } from './roots.ts';
import type { Store } from './store.ts';

interface VerifyOptions {
  store: Store;
  roots: readonly string[];
  bytesPerSecond: number;
}

/** Looks at one file that this agent reports, and reads all its bytes for `rehash_check`. Nothing else can be asked for. */
export function createVerify({ store, roots, bytesPerSecond }: VerifyOptions): Perform {
  return async ({ kind, payload }) => {
    const [root = ''] = requireRoots(roots, payload['library_ref'] ?? '');
    const relPath = String(payload['rel_path']);
    const at = relPath.lastIndexOf('/');
    const [dir, name] = [relPath.slice(0, Math.max(0, at)), relPath.slice(at + 1)];
    if (!store.get('select 1 from files where root = ? and dir = ? and name = ?', root, dir, name))
      throw new Error('This agent does not report that file.');
    const file = `${root}/${relPath}`;
    const facts = await lstat(diskPath(file), { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
      throw error;
    });
    if (!facts?.isFile()) return { exists: false };
    const found = { exists: true, size: Number(facts.size), mtime_ns: String(facts.mtimeNs) };
    if (kind !== 'rehash_check') return found;
    const hasher = createHasher({ threads: 1, bytesPerSecond });
    try {
      const [result] = await hasher.hash([{ path: file, size: found.size, mtimeNs: found.mtime_ns, content: true }]);
      if (!result || result.error !== undefined) throw new Error(`The file could not be read: ${result?.error ?? 'EIO'}.`);
      return { ...found, quick_hash: result.quick, content_hash: result.content };
    } finally {
      await hasher.close();
    }
  };
}
