import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { diskPath, pathText } from './walk/index.ts';

/** What happened since the last batch. `paths` are relative to the root; null when the system lost count. */
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
  /** Too many folders, or the root cannot be watched: nothing is watched any more. */
  onDegraded(reason: string): void;
  quietMs?: number;
  /** The system's watch; a test hands in one that fails. */
  watchFolder?: typeof watch;
}

/** A batch is told at the latest after this many quiet periods, even if events never cease. */
const patience = 10;
const foldersPerBreath = 200;
const keptPaths = 10_000;

/**
 * One watch a folder, none recursive: the recursive one of the platform adds a watch a file, and others miss folders made inside new
 * folders. A new folder is watched first and listed then, so nothing falls between; what was put into it before is found by the scan that
 * follows the batch.
 */
export function watchFolders(options: FolderWatchOptions): FolderWatch {
  const { root, isPruned, onBatch, onDegraded, quietMs = 3000, watchFolder = watch } = options;
  const watches = new Map<string, FSWatcher>();
  let closed = false;
  let events = 0;
  let paths: Set<string> | null = new Set();
  let firstAt = 0;
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
    firstAt = 0;
    if (batch.events > 0 && !closed) onBatch(batch);
  };
  const note = (path: string | null): void => {
    events += 1;
    if (path === null || (paths && paths.size >= keptPaths)) paths = null;
    else paths?.add(path);
    const now = Date.now();
    firstAt ||= now;
    clearTimeout(timer);
    timer = setTimeout(flush, Math.max(0, Math.min(quietMs, firstAt + quietMs * patience - now)));
    timer.unref();
  };

  const forget = (folder: string): void => {
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
      return false;
    }
  };

  const open = (folder: string): boolean => {
    if (watches.has(folder)) return true;
    try {
      const handle = watchFolder(
        diskPath(folder === '' ? root : `${root}/${folder}`),
        { persistent: false, encoding: 'buffer' },
        (kind, name) => {
          if (name === null) return note(null);
          const path = folder === '' ? pathText(name) : `${folder}/${pathText(name)}`;
          note(path);
          // A name that came or went: a folder that came is watched, one that went is let go.
          if (kind !== 'rename' || isPruned(path)) return;
          if (isFolder(path)) void add(path);
          else forget(path);
        },
      );
      handle.on('error', (error) => failed(folder, error as NodeJS.ErrnoException));
      watches.set(folder, handle);
      return true;
    } catch (error) {
      failed(folder, error as NodeJS.ErrnoException);
      return false;
    }
  };
  const failed = (folder: string, { code }: NodeJS.ErrnoException): void => {
    if (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENFILE') {
      degrade(
        `There are more folders than this system can watch (it stopped at ${watches.size}). Scheduled scans still run; raise fs.inotify.max_user_watches to watch them all.`,
      );
    } else if (folder === '') degrade(`The library's folder cannot be watched (${code ?? 'unknown error'}). Scheduled scans still run.`);
    else forget(folder);
  };

  /** Watches a folder and all below it. */
  const add = async (top: string): Promise<void> => {
    const waiting = [top];
    for (let count = 1; waiting.length > 0 && !closed; count += 1) {
      const folder = waiting.pop()!;
      if (!open(folder)) continue;
      try {
        for (const entry of readdirSync(diskPath(folder === '' ? root : `${root}/${folder}`), {
          withFileTypes: true,
          encoding: 'buffer',
        })) {
          if (!entry.isDirectory()) continue;
          const path = folder === '' ? pathText(entry.name) : `${folder}/${pathText(entry.name)}`;
          if (!isPruned(path)) waiting.push(path);
        }
      } catch {
        // It went again, or may not be read: the scan says so where people look.
      }
      if (count % foldersPerBreath === 0) await breathe();
    }
  };

  return {
    ready: add(''),
    get folders() {
      return watches.size;
    },
    close,
  };
}
