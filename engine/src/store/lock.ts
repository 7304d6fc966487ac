import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../errors.ts';

/**
 * One writer for an index. The lock is an open exclusive transaction on an empty SQLite database beside the segments: the kernel holds it
 * for the process and lets go when the process ends, however it ends, so a crash leaves nothing to clean up and no file to judge stale.
 */
export interface Lock {
  release(): void;
}

export const lockFiles = ['lock', 'lock-journal'];

export function takeLock(directory: string): Lock {
  const database = new DatabaseSync(join(directory, 'lock'), { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new EngineError('locked', 'Another writer has this index open. Close it first.');
  }
  return { release: () => database.close() };
}
