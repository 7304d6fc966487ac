import { xxh3 } from '@node-rs/xxhash';
import { compileIgnore, type PatternList } from '../ignore/ignore.ts';
import { type AclAttributes, noAclAttributes } from '../permissions/attributes.ts';
import type { FileOwnership } from '../permissions/file-acl.ts';
import { attributesKey } from '../permissions/folder-reader.ts';
import { createEntryList, type EntryList, entryFieldCount, entryKindAt, entryKinds } from './entries.ts';
import { cacheTagName, isTaggedCache, type WalkFileSystem } from './file-system.ts';
import { pathBytes } from './path-text.ts';

export interface WalkOptions {
  /** Absolute path of the library, as path text. */
  root: string;
  /** The folder to start in, relative to the root; '' is the root itself. */
  start: string;
  recursive: boolean;
  patterns: readonly PatternList[];
  countPruned: boolean;
  network: boolean;
  /** Whether inode numbers and inode change times are stable on this file system (see hasStableIds). */
  stableIds: boolean;
  /** Whether owners, modes and access control lists are read and part of each fingerprint. */
  permissions?: boolean;
  /** See unlistedAclAttribute. */
  unlistedAcl?: string | null;
  /**
   * Up to this many threads share a large walk; 1 if absent. With more than one, batches of several parts alternate. Every folder still comes
   * after the folder above it.
   */
  threads?: number;
  /** Identifies the cataloguing rules; part of each fingerprint, so that changed rules make every folder look changed. */
  stamp: string;
}

export interface WalkedFolder {
  path: string;
  /** The number of its names and rows in the batch; they follow those of the folder before it. */
  entries: number;
  device: number;
  /** Inode of the folder itself; '0' when it is not known. */
  inode: string;
  /** Of the folder itself; null unless permissions are read. */
  ownership: FileOwnership | null;
  lists: AclAttributes;
  /** Bytes on disk of files that take up less space than their size, by name; null when there are none. */
  allocated: ReadonlyMap<string, number> | null;
  /** Equal fingerprints mean equal names, kinds, sizes, sizes on disk, times, inodes and link counts under the same rules. */
  fingerprint: string;
}

interface PrunedFolder {
  path: string;
  reason: 'pattern' | 'cache';
  /** The number of files below, or 0 when they are not counted. */
  files: number;
}

/** The entries of up to a few hundred folders, as plain data that can be sent between threads. */
export interface WalkBatch {
  folders: WalkedFolder[];
  /** All names, separated by NUL. */
  names: string;
  rows: Uint32Array;
  pruned: PrunedFolder[];
  unreadable: { path: string; code: string }[];
  /** The part of the walk it belongs to: 0, or one that an earlier batch handed over. */
  part: number;
  /** What this part leaves to another one: folders whose parents are the last folder of this batch and the folders above it. */
  handedOver: { part: number; starts: string[] } | null;
}

const batchEntries = 8192;
const batchFolders = 256;

/** A part of a walk that several threads share. */
export interface WalkPart {
  number: number;
  /** Folders to start in, in byte order. */
  starts: readonly string[];
  /** The number of a new part, if a thread is free to take over half of the remaining folders. */
  handOver(): number | null;
}

/** Fewer remaining folders are not worth the exchange. */
const minHandedOver = 4;

/**
 * Walks a tree top down, folders in byte order, and yields its entries in batches. Excluded folders are not read. Symlinks are reported
 * but never followed. A folder that cannot be listed is reported as unreadable and skipped.
 */
export function* walk(
  options: WalkOptions,
  files: WalkFileSystem,
  part: WalkPart = { number: 0, starts: [options.start], handOver: () => null },
): Generator<WalkBatch> {
  const ignore = compileIgnore(options.patterns, pathBytes);
  const entries = createEntryList();
  const pending = part.starts.toReversed();
  let batch = startBatch(part.number);
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
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
      // `pending` is a stack, so children are pushed in reverse order.
      for (let index = entries.names.length - 1; index >= 0; index -= 1) {
        if (entryKindAt(entries.rows, index) !== entryKinds.folder) continue;
        const name = entries.names[index] as string;
        const child = path === '' ? name : `${path}/${name}`;
        if (ignore.decide(child, true)?.excluded) {
          batch.pruned.push({
            path: child,
            reason: 'pattern',
            files: options.countPruned ? countFiles(`${options.root}/${child}`, files) : 0,
          });
        } else pending.push(child);
      }
    }
    const names = entries.names.join('\0');
    const rows = entries.rows.slice(0, entries.names.length * entryFieldCount);
    batch.folders.push({
      path,
      entries: entries.names.length,
      device: entries.device,
      inode: entries.folderInode,
      ownership: entries.folderOwnership,
      lists: entries.folderLists,
      allocated: entries.allocated.size > 0 ? new Map(entries.allocated) : null,
      fingerprint: folderFingerprint(options.stamp + permissionStamp(entries) + allocatedStamp(entries), names, rows),
    });
    // A folder without entries adds no name, or the joined list would gain an empty one.
    if (entries.names.length > 0) batch.names.push(names);
    batch.rows.push(rows);
    batch.size += entries.names.length;
    const next = pending.length >= minHandedOver ? part.handOver() : null;
    // The bottom of the stack is nearest to the root, so half of it is about half of the work.
    if (next !== null) batch.handedOver = { part: next, starts: pending.splice(0, Math.ceil(pending.length / 2)).reverse() };
    if (batch.size >= batchEntries || batch.folders.length >= batchFolders || next !== null) {
      yield pack(batch);
      batch = startBatch(part.number);
    }
  }
  if (batch.folders.length + batch.pruned.length + batch.unreadable.length > 0) yield pack(batch);
}

interface OpenBatch extends Omit<WalkBatch, 'names' | 'rows'> {
  names: string[];
  rows: Uint32Array[];
  size: number;
}

const startBatch = (part: number): OpenBatch => ({
  folders: [],
  pruned: [],
  unreadable: [],
  part,
  handedOver: null,
  names: [],
  rows: [],
  size: 0,
});

function pack({ names, rows, size, ...batch }: OpenBatch): WalkBatch {
  const allRows = new Uint32Array(size * entryFieldCount);
  let at = 0;
  for (const folderRows of rows) {
    allRows.set(folderRows, at);
    at += folderRows.length;
  }
  return { ...batch, names: names.join('\0'), rows: allRows };
}

/** Permissions of the folder itself are compared like its entries. */
function permissionStamp({ folderOwnership, folderLists, entryLists }: EntryList): string {
  if (!folderOwnership) return '';
  const { uid, gid, mode } = folderOwnership;
  return `\0${uid}:${gid}:${mode & 0o7777}:${folderLists === noAclAttributes ? '' : attributesKey(folderLists)}\0${entryLists}`;
}

/** Empty for most folders, whose fingerprints are therefore those of versions that did not compare sizes on disk. */
function allocatedStamp({ allocated }: EntryList): string {
  return allocated.size === 0 ? '' : `\0${[...allocated].map(([name, bytes]) => `${name}\0${bytes}`).join('\0')}`;
}

function folderFingerprint(stamp: string, names: string, rows: Uint32Array): string {
  const hash = xxh3.Xxh3.withSeed().update(stamp).update('\0').update(names).update('\0');
  hash.update(Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength));
  return hash.digest().toString(16).padStart(16, '0');
}

/** Counts files and symlinks below an excluded folder without a stat per file. */
function countFiles(folder: string, files: WalkFileSystem): number {
  let count = 0;
  const pending = [folder];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    try {
      for (const entry of files.listNames(path)) {
        if (entry.isFolder) pending.push(`${path}/${entry.name}`);
        else if (entry.isCountable) count += 1;
      }
    } catch {
      // Files in an unreadable folder cannot be counted; the count is an estimate for display.
    }
  }
  return count;
}

/** Starts a walk and yields its batches. Leaving the loop early stops the walk. */
export type StartWalk = (options: WalkOptions) => AsyncIterable<WalkBatch>;

/** Walks in the calling thread over any file system, for tests. */
export function createInlineWalk(files: WalkFileSystem): StartWalk {
  return async function* (options) {
    yield* walk(options, files);
  };
}
