import { mkdirSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { filesIn, writePrivate } from './config.ts';

const busy = 5;

/**
 * Allows one running agent per data folder: two would scan the same files, and the service would take them for two machines with one identity.
 * The lock is one of the system on an empty SQLite file, so it ends with its process, however that ends, on every platform.
 * It also ends when nothing refers to `release` any more, because the file is then closed.
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
  writePrivate(runPid, `${process.pid}\n`);
  return { release: () => lock.close() };
}

/** The owner writes its id right after it has taken the lock. */
function ownerIn(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
