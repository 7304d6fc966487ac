import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { diskPath } from '@catalog/scanner';

/**
 * A path the readers can be told as text. A name whose bytes are not UTF-8 has none, so it is reached through a link with a plain name in a
 * folder of its own, which `release` removes.
 */
export function reachablePath(root: string, relPath: string): { path: string; release(): void } {
  const onDisk = diskPath(path.join(root, relPath));
  if (typeof onDisk === 'string') return { path: onDisk, release: () => {} };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-name-'));
  const link = path.join(folder, `file${path.extname(relPath).replace(/[^.a-zA-Z0-9]/g, '')}`);
  symlinkSync(onDisk, link);
  return { path: link, release: () => rmSync(folder, { recursive: true, force: true }) };
}
