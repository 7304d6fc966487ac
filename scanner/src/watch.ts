import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { diskPath, pathText } from './walk/path-text.ts';

/** The changes since the last batch. `paths` are relative to the root, or null when the system dropped events. */
export interface WatchBatch {
  events: number;
  paths: string[] | null;
}

export interface FolderWatch {
  /** Resolves when every folder is watched. */
  ready: Promise<void>;
  readonly folders: number;
  close(): void;
}

export interface FolderWatchOptions {
  root: string;
  /** Folders that no scan enters are not watched either. */
  isPruned(relPath: string): boolean;
  onBatch(batch: WatchBatch): void;
  /** Called once when there are too many folders or the root cannot be watched. All watches are closed by then. */
  onDegraded(reason: string): void;
  quietMs?: number;
  /** The system's watch function; tests pass in a failing one. */
  watchFolder?: typeof watch;
}

/** A batch is reported after this many quiet periods at the latest, even if events keep arriving. */
const maxQuietPeriods = 10;
const foldersPerTurn = 200;
const maxBatchPaths = 10_000;

/**
 * Watches every folder with a watch of its own. The platform's recursive watch adds a watch per file, and other implementations miss
 * folders created inside new folders. A new folder is watched before it is listed, so no change is missed in between; files created in it
 * earlier are found by the scan that follows the batch.
 */
export function watchFolders(options: FolderWatchOptions): FolderWatch {
  const { root, isPruned, onBatch, onDegraded, quietMs = 3000, watchFolder = watch } = options;
  const watches = new Map<string, FSWatcher>();
  let closed = false;
  let events = 0;
  let paths: Set<string> | null = new Set();
  let firstEventAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const close = (): void => {
    closed = true;
    clearTimeout(timer);
    for (const handle of watches.values()) handle.close();
    watches.clear();
  };
  const degrade = (reason: string): void => {
    if (closed) return;
    close();
    onDegraded(reason);
  };
  const flush = (): void => {
    const batch: WatchBatch = { events, paths: paths && [...paths] };
    events = 0;
    paths = new Set();
    firstEventAt = 0;
    if (batch.events > 0 && !closed) onBatch(batch);
  };
  const recordEvent = (path: string | null): void => {
    events += 1;
    if (path === null || (paths && paths.size >= maxBatchPaths)) paths = null;
    else paths?.add(path);
    const now = Date.now();
    firstEventAt ||= now;
    clearTimeout(timer);
    timer = setTimeout(flush, Math.max(0, Math.min(quietMs, firstEventAt + quietMs * maxQuietPeriods - now)));
    timer.unref();
  };

  const unwatch = (folder: string): void => {
    for (const [path, handle] of watches) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      handle.close();
      watches.delete(path);
    }
  };
  const isFolder = (relPath: string): boolean => {
    try {
      return lstatSync(diskPath(`${root}/${relPath}`)).isDirectory();
    } catch {
      // A path that is gone or unreadable is not a folder to watch.
      return false;
    }
  };

  const openWatch = (folder: string): boolean => {
    if (watches.has(folder)) return true;
    try {
      const handle = watchFolder(
        diskPath(folder === '' ? root : `${root}/${folder}`),
        { persistent: false, encoding: 'buffer' },
        (kind, name) => {
          if (name === null) return recordEvent(null);
          const path = folder === '' ? pathText(name) : `${folder}/${pathText(name)}`;
          recordEvent(path);
          // `rename` means that a name appeared or disappeared.
          if (kind !== 'rename' || isPruned(path)) return;
          if (isFolder(path)) void watchTree(path);
          else unwatch(path);
        },
      );
      handle.on('error', (error) => handleError(folder, error as NodeJS.ErrnoException));
      watches.set(folder, handle);
      return true;
    } catch (error) {
      handleError(folder, error as NodeJS.ErrnoException);
      return false;
    }
  };
  const handleError = (folder: string, { code }: NodeJS.ErrnoException): void => {
    if (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE') {
      degrade(
        `There are more folders than this system can watch (it stopped at ${watches.size}). Scheduled scans still run; raise fs.inotify.max_user_watches to watch them all.`,
      );
    } else if (folder === '') degrade(`The library's folder cannot be watched (${code ?? 'unknown error'}). Scheduled scans still run.`);
    else unwatch(folder);
  };

  /** Watches a folder and all folders below it. Never rejects. */
  const watchTree = async (top: string): Promise<void> => {
    const pending = [top];
    for (let count = 1; !closed; count += 1) {
      const folder = pending.pop();
      if (folder === undefined) return;
      if (!openWatch(folder)) continue;
      try {
        for (const entry of readdirSync(diskPath(folder === '' ? root : `${root}/${folder}`), {
          withFileTypes: true,
          encoding: 'buffer',
        })) {
          if (!entry.isDirectory()) continue;
          const path = folder === '' ? pathText(entry.name) : `${folder}/${pathText(entry.name)}`;
          if (!isPruned(path)) pending.push(path);
        }
      } catch {
        // The folder is gone or unreadable; the next scan reports it.
      }
      if (count % foldersPerTurn === 0) await yieldToEventLoop();
    }
  };

  return {
    ready: watchTree(''),
    get folders() {
      return watches.size;
    },
    close,
  };
}
