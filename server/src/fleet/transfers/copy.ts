/** A verified copy of the file of an item on another machine, for pages and pictures that are drawn here. */
import path from 'node:path';
import type { RemoteCopy } from '../../content/views/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { problem } from '../../platform/problem.ts';
import { createRemoteFiles } from './read.ts';
import { stagedFile } from './staging.ts';
import { findActive } from './store.ts';

/** A larger file takes too long for somebody who waits for a picture of it. */
const maxBytes = 256 * 1024 * 1024;

/** Fetches the file unless a copy is kept, and waits until all of it has arrived. */
export function createRemoteCopies(deps: Dependencies): RemoteCopy {
  const open = createRemoteFiles(deps);
  return async (item, actor) => {
    if (item.size > maxBytes) throw problem('library_agent_owned');
    const file = await open(item, actor);
    try {
      // The last byte is held back until the copy is verified.
      for await (const _ of file.read(Math.max(0, file.size - 1), file.size - 1));
    } finally {
      await file.close();
    }
    const transfer = await findActive(deps.db, item.id);
    if (transfer?.state !== 'staged') throw problem('file_gone');
    const copy = stagedFile(deps.settings, transfer.id);
    return { path: copy, folder: path.dirname(copy), size: file.size };
  };
}
