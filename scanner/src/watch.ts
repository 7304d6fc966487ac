import { type FSWatcher, lstatSync, readFileSync, statSync, watch } from 'node:fs';
import { posix } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { disksBelow } from './mounts.ts';
import { cacheTagName, isTaggedCache, namesOnlyFileSystem } from './walk/file-system.ts';
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
  /** Folders that no scan enters are not watched either. Caches that are marked with a tag need not be named. */
  isPruned(relPath: string): boolean;
  onBatch(batch: WatchBatch): void;
  /** Called once when there are too many folders or the root cannot be watched. All watches are closed by then. */
  onDegraded(reason: string): void;
  /**
   * Called when the root is gone from its path, or a disk below it was unmounted. The watch is to be replaced even if what was there is back:
   * a disk that is mounted again may look the same.
   */
  onLost(): void;
  quietMs?: number;
  /** The system's watch function; tests pass in a failing one. */
  watchFolder?: typeof watch;
}

/** A batch is reported after this many quiet periods at the latest, even if events keep arriving. */
const maxQuietPeriods = 10;
const foldersPerTurn = 200;
const maxBatchPaths = 10_000;

/** The default of Linux, where the limit cannot be read. */
const usualQueueLength = 16_384;
/** Half of what the system queues, because events of folders that are no longer watched are counted by nobody. */
const maxEventsPerTurn = readQueueLength() / 2;

function readQueueLength(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || usualQueueLength;
  } catch {
    // Other platforms have no such file.
    return usualQueueLength;
  }
}

/**
 * All watches of a process share one queue of the system, which drops events without a sign when it is full. So when one turn of the event
 * loop delivers about as many events as fit, any watch may have missed some.
 */
const recoveries = new Set<() => void>();
let eventsThisTurn = 0;
function countEvent(): void {
  if (eventsThisTurn === 0)
    setImmediate(() => {
      const mayHaveDropped = eventsThisTurn >= maxEventsPerTurn;
      eventsThisTurn = 0;
      if (mayHaveDropped) for (const recover of [...recoveries]) recover();
    });
  eventsThisTurn += 1;
}

/**
 * Watches every folder with a watch of its own. The platform's recursive watch adds a watch per file, and other implementations miss
 * folders created inside new folders. A new folder is watched before it is listed, so no change is missed in between; files created in it
 * earlier are found by the scan that follows the batch. A watch belongs to a folder and not to its path, so it is renewed when the path may
 * belong to another folder.
 */
export function watchFolders(options: FolderWatchOptions): FolderWatch {
  const { root, isPruned, onBatch, onDegraded, onLost, quietMs = 3000, watchFolder = watch } = options;
  const watches = new Map<string, FSWatcher>();
  let closed = false;
  let events = 0;
  let paths: Set<string> | null = new Set();
  let firstEventAt = 0;
  let timer: NodeJS.Timeout | undefined;

  const closeWatches = (): void => {
    for (const handle of watches.values()) handle.close();
    watches.clear();
  };
  const close = (): void => {
    closed = true;
    clearTimeout(timer);
    recoveries.delete(recover);
    closeWatches();
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
    if (!watches.has(folder)) return;
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

  /** Watches the folder that is at this path now, and what is below it. */
  const renew = (folder: string): void => {
    unwatch(folder);
    if (isFolder(folder)) void watchTree(folder);
  };

  const openWatch = (folder: string): boolean => {
    if (watches.has(folder)) return true;
    try {
      const handle = watchFolder(
        diskPath(folder === '' ? root : `${root}/${folder}`),
        { persistent: false, encoding: 'buffer' },
        (kind, name) => {
          countEvent();
          if (name === null) return recordEvent(null);
          const text = pathText(name);
          const changed = folder === '' ? text : `${folder}/${text}`;
          recordEvent(changed);
          if (text === cacheTagName && folder !== '') return renew(folder);
          // `rename` means that a name appeared or disappeared; under the name of the watched folder, that this folder itself may have.
          if (kind !== 'rename') return;
          if (folder === '' && text === posix.basename(root)) checkRoot();
          else if (text === posix.basename(folder) && disks.has(folder)) onLost();
          if (!closed && !isPruned(changed)) renew(changed);
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

  const disks = disksBelow(root);
  const rootId = rootIdentity(root);
  /** A root that was moved, deleted or unmounted is no longer watched, even when there is a folder at its path again. */
  const checkRoot = (): void => {
    if (rootId !== null && rootIdentity(root) === rootId) recover();
    else {
      onLost();
      degrade("The library's folder was moved, deleted or unmounted. Scheduled scans still run.");
    }
  };

  let recovering = false;
  /** Watches everything anew, and reports only then that events were dropped: what comes after that is noticed again. */
  const recover = (): void => {
    if (closed || recovering) return;
    recovering = true;
    closeWatches();
    void watchTree('').then(() => {
      recovering = false;
      if (!closed) recordEvent(null);
    });
  };
  recoveries.add(recover);

  /** The folders in a folder that are to be watched. One that is marked as a cache is watched only for its mark. */
  const foldersIn = (folder: string): string[] => {
    const absolute = folder === '' ? root : `${root}/${folder}`;
    const entries = namesOnlyFileSystem.listNames(absolute);
    if (folder !== '' && entries.some(({ name }) => name === cacheTagName) && isTaggedCache(absolute, namesOnlyFileSystem)) return [];
    const folders = entries.filter(({ isFolder }) => isFolder).map(({ name }) => (folder === '' ? name : `${folder}/${name}`));
    return folders.filter((path) => !isPruned(path));
  };

  /** Watches a folder and all folders below it. Never rejects. */
  const watchTree = async (top: string): Promise<void> => {
    const pending = [top];
    for (let count = 1; !closed; count += 1) {
      const folder = pending.pop();
      if (folder === undefined) return;
      if (!openWatch(folder)) continue;
      try {
        for (const path of foldersIn(folder)) pending.push(path);
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

function rootIdentity(root: string): string | null {
  try {
    const { dev, ino } = statSync(diskPath(root), { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}
