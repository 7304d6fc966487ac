import { xxh3 } from '@node-rs/xxhash';
import { compileIgnore, type PatternList } from '../ignore/index.ts';
import { cacheTagName, isTaggedCache } from './cache-tag.ts';
import { countFiles } from './count-files.ts';
import { createEntryList, entryFieldCount, entryKindAt, entryKinds } from './entries.ts';
import type { WalkFileSystem } from './file-layer.ts';
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
