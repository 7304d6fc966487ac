import { mkdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { filesIn, writePrivate } from './config.ts';

const busy = 5;
/** Locks of this process. A file that nothing refers to is closed by the garbage collector, which would end its lock. */
const held = new Set<DatabaseSync>();

/**
 * Allows one running agent per data folder: two would scan the same files, and the service would take them for two machines with one identity.
 * The lock is one of the system on an empty SQLite file, so it ends with its process, however that ends, on every platform.
 */
export function lockRun(dataDir: string): { release(): void } {
  const { runLock, runPid } = filesIn(dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(runLock);
  try {
    lock.exec('begin immediate');
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== busy) throw error;
    throw new Error(`An agent already runs with this folder (process ${ownerIn(runPid)}, ${dataDir}). Stop it first, or use that one.`);
  }
  held.add(lock);
  writePrivate(runPid, `${process.pid}\n`);
  return {
    release() {
      held.delete(lock);
      lock.close();
    },
  };
}

/** The owner writes its id right after it has taken the lock. */
function ownerIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
