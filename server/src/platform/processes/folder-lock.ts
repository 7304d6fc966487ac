import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

/**
 * One supervisor a config directory. The lock is a file with the holder's process id and start time; a lock whose holder is gone (or whose
 * id now belongs to another process) is taken over.
 */
export function acquireFolderLock(folder: string): { release(): void } {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const file = path.join(folder, 'catalog.lock');
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      const handle = openSync(file, 'wx', 0o644);
      writeSync(handle, `${process.pid} ${startTime(process.pid)}\n`);
      closeSync(handle);
      return { release: () => rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const [pid = '', started = ''] = readFileSync(file, 'utf8').trim().split(' ');
      if (pid !== '' && startTime(Number(pid)) === started) {
        throw new Error(
          `Catalog is running already with this data (process ${pid}, ${folder}). Stop it first, or set SVC_CONFIG_DIR to another folder.`,
        );
      }
      rmSync(file, { force: true });
    }
  }
  throw new Error(`The lock file ${file} cannot be taken.`);
}

/** Ticks since boot at which a process started: with the id it names one process for good. */
function startTime(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[19]!;
  } catch {
    return 'gone';
  }
}
