import { Worker } from 'node:worker_threads';
import { xxh3 } from '@node-rs/xxhash';
import { compileIgnore, type PatternList } from '../ignore/index.ts';
import { threadFile } from '../thread-file.ts';
import { cacheTagName, isTaggedCache, type WalkFileSystem } from './file-system.ts';
import { createEntryList, entryFieldCount, entryKindAt, entryKinds } from './entries.ts';
import { pathBytes } from './path-text.ts';

export interface WalkOptions {
  /** Absolute path of the library, as path text. */
  root: string;
  /** Where to begin, relative to the root; '' is the root itself. */
  start: string;
  recursive: boolean;
  patterns: readonly PatternList[];
  countPruned: boolean;
  network: boolean;
  /** Everything beside the disk that decides how a folder is catalogued; mixed into each fingerprint. */
  stamp: string;
}

export interface WalkedFolder {
  path: string;
  /** Its entries are this many of the batch's names and rows, after those of the folders before it. */
  entries: number;
  device: number;
  /** Same fingerprint, same names, kinds, sizes, times, inodes and links, under the same rules. */
  fingerprint: string;
}

export interface PrunedFolder {
  path: string;
  reason: 'pattern' | 'cache';
  /** Files below, when they are counted. */
  files: number;
}

/** A few hundred folders at once. Holds plain data only, so that it crosses threads. */
export interface WalkBatch {
  folders: WalkedFolder[];
  /** All names, separated by NUL. */
  names: string;
  rows: Uint32Array;
  pruned: PrunedFolder[];
  unreadable: { path: string; code: string }[];
}

const batchEntries = 8192;
const batchFolders = 256;

/**
 * Walks a tree top down, folders in byte order, and yields what it finds in batches. Excluded folders are skipped unread; symlinks are
 * entries, never doors; a folder that cannot be listed is reported and left.
 */
export function* walk(options: WalkOptions, files: WalkFileSystem): Generator<WalkBatch> {
  const ignore = compileIgnore(options.patterns, pathBytes);
  const entries = createEntryList();
  const open = [options.start];
  let batch = startBatch();
  while (open.length > 0) {
    const path = open.pop()!;
    const absolute = path === '' ? options.root : `${options.root}/${path}`;
    try {
      files.readFolder(absolute, entries);
    } catch (error) {
      batch.unreadable.push({ path, code: (error as NodeJS.ErrnoException).code ?? 'EIO' });
      continue;
    }
    if (path !== '' && entries.names.includes(cacheTagName) && isTaggedCache(absolute, files)) {
      batch.pruned.push({ path, reason: 'cache', files: options.countPruned ? countFiles(absolute, files) : 0 });
      continue;
    }
    if (options.recursive) {
      // Last in, first out: pushed backwards, folders come up in order.
      for (let index = entries.names.length - 1; index >= 0; index -= 1) {
        if (entryKindAt(entries.rows, index) !== entryKinds.folder) continue;
        const child = path === '' ? entries.names[index]! : `${path}/${entries.names[index]!}`;
        if (ignore.decide(child, true)?.excluded) {
          batch.pruned.push({
            path: child,
            reason: 'pattern',
            files: options.countPruned ? countFiles(`${options.root}/${child}`, files) : 0,
          });
        } else open.push(child);
      }
    }
    const names = entries.names.join('\0');
    const rows = entries.rows.slice(0, entries.names.length * entryFieldCount);
    batch.folders.push({
      path,
      entries: entries.names.length,
      device: entries.device,
      fingerprint: folderFingerprint(options.stamp, names, rows),
    });
    batch.names.push(names);
    batch.rows.push(rows);
    batch.size += entries.names.length;
    if (batch.size >= batchEntries || batch.folders.length >= batchFolders) {
      yield pack(batch);
      batch = startBatch();
    }
  }
  if (batch.folders.length + batch.pruned.length + batch.unreadable.length > 0) yield pack(batch);
}

interface OpenBatch extends Pick<WalkBatch, 'folders' | 'pruned' | 'unreadable'> {
  names: string[];
  rows: Uint32Array[];
  size: number;
}

const startBatch = (): OpenBatch => ({ folders: [], pruned: [], unreadable: [], names: [], rows: [], size: 0 });

function pack({ folders, pruned, unreadable, names, rows, size }: OpenBatch): WalkBatch {
  const all = new Uint32Array(size * entryFieldCount);
  let at = 0;
  for (const part of rows) {
    all.set(part, at);
    at += part.length;
  }
  return { folders, pruned, unreadable, names: names.filter((_, index) => folders[index]!.entries > 0).join('\0'), rows: all };
}

export function folderFingerprint(stamp: string, names: string, rows: Uint32Array): string {
  const hash = xxh3.Xxh3.withSeed().update(stamp).update('\0').update(names).update('\0');
  hash.update(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
  return hash.digest().toString(16).padStart(16, '0');
}

/** Counts files and symlinks below a skipped folder by listing only. Folders that cannot be listed hold nothing countable. */
export function countFiles(folder: string, files: WalkFileSystem): number {
  let count = 0;
  const open = [folder];
  while (open.length > 0) {
    const at = open.pop()!;
    try {
      for (const entry of files.listOnly(at)) {
        if (entry.isFolder) open.push(`${at}/${entry.name}`);
        else if (entry.counts) count += 1;
      }
    } catch {
      // Unreadable: nobody can say how many files are in there.
    }
  }
  return count;
}

/** Starts a walk and yields its batches; leaving the loop early ends the walk. */
export type StartWalk = (options: WalkOptions) => AsyncIterable<WalkBatch>;

const inFlight = 4;

export const walkInThread: StartWalk = async function* (options) {
  const credits = new Int32Array(new SharedArrayBuffer(4));
  credits[0] = inFlight;
  const thread = new Worker(threadFile('walk-thread'), {
    workerData: { options, credits },
    // What it finds leaves it at once: little room for what is new is enough.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  const arrived: (WalkBatch | null | { failed: string })[] = [];
  let wake: (() => void) | undefined;
  thread.on('message', (message) => {
    arrived.push(message);
    wake?.();
  });
  thread.on('error', (error) => {
    arrived.push({ failed: error.message });
    wake?.();
  });
  try {
    for (;;) {
      while (arrived.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const next = arrived.shift();
      if (!next) return;
      if ('failed' in next) throw new Error(`The walk stopped: ${next.failed}`);
      yield next;
      Atomics.add(credits, 0, 1);
      Atomics.notify(credits, 0);
    }
  } finally {
    Atomics.store(credits, 0, -1_000_000);
    Atomics.notify(credits, 0);
    await thread.terminate();
  }
};

/** The same walk without a thread, over any file layer. */
export function createInlineWalk(files: WalkFileSystem): StartWalk {
  return async function* (options) {
    yield* walk(options, files);
  };
}
