import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { createHasher } from '@catalog/scanner';
import type { Perform } from './commands.ts';
import { requireEntryInside, requireReported, requireRoots } from './roots.ts';
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
    const { symlink_target: reported } = requireReported(store, root, relPath);
    const facts = await factsOf(root, relPath);
    if (!(facts?.isFile() || (facts?.isSymbolicLink() && reported !== null))) return { exists: false };
    const found = { exists: true, size: Number(facts.size), mtime_ns: String(facts.mtimeNs) };
    // A link is compared itself. It has no bytes of its own to read.
    if (kind !== 'rehash_check' || facts.isSymbolicLink()) return found;
    const hasher = createHasher({ threads: 1, bytesPerSecond });
    try {
      const [result] = await hasher.hash([
        { path: `${root === '/' ? '' : root}/${relPath}`, size: found.size, mtimeNs: found.mtime_ns, content: true },
      ]);
      if (!result || result.error !== undefined) throw new Error(`The file could not be read: ${result?.error ?? 'EIO'}.`);
      return { ...found, quick_hash: result.quick, content_hash: result.content };
    } finally {
      await hasher.close();
    }
  };
}

/** Null when the file is gone. Fails when it is outside the root now. */
async function factsOf(root: string, relPath: string): Promise<BigIntStats | null> {
  try {
    return await lstat(await requireEntryInside(root, relPath), { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
