import type { Db } from '../../platform/database/index.ts';
import { removeExport } from './files.ts';
import { abandonedExports, markEnded } from './store.ts';

/** Ends the exports that no job will finish, so that none stays waiting or running. Returns how many there were. */
export async function endAbandoned(db: Db, folder: string): Promise<number> {
  const abandoned = await abandonedExports(db);
  for (const { id, reason } of abandoned) {
    await markEnded(db, id, 'failed', reason ?? 'The worker was lost and the export was given up. Start it again.');
    await removeExport(folder, id);
  }
  return abandoned.length;
}
