import type { Hasher, HashRule, PermissionReader, RootIdentity, StartWalk, WalkFileSystem } from '@catalog/scanner';
import type { RawBuilder } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { PermissionCollector } from '../permissions/index.ts';
import type { ScanRules } from './rules.ts';
import type { ScanScope } from './scopes.ts';

/** Counters of a run, stored in its stats under these names. */
export interface ScanCounters {
  seen: number;
  new: number;
  changed: number;
  missing: number;
  returned: number;
  moved: number;
  cross_moved: number;
  move_ambiguous: number;
  /** Missing items with tags or notes that were paired with the file that holds their bytes. */
  reattached: number;
  excluded_gate: number;
  excluded_filtered: number;
  pruned_dirs: number;
  pruned_paths: string[];
  /** Present when the library counts files in skipped folders. */
  pruned_files?: number;
  permission_denied: number;
  /** Folders and entries that could not be read, by error code; permission errors included. */
  unreadable: Record<string, number>;
  /** The first of them with their codes, for the report of unreadable folders. */
  unreadable_paths: { path: string; code: string }[];
  bytes_seen: number;
  folders: number;
  folders_unchanged: number;
  hash_errors: number;
  content_hashed: number;
  /** Files dated outside the years 1677 to 2262, stored with the nearest date; the first of them by path. */
  dates_limited: number;
  dates_limited_paths: string[];
}

/** How many paths a counter lists. */
export const maxListedPaths = 25;
const maxUnreadablePaths = 1000;

export function createCounters(countPruned: boolean): ScanCounters {
  return {
    seen: 0,
    new: 0,
    changed: 0,
    missing: 0,
    returned: 0,
    moved: 0,
    cross_moved: 0,
    move_ambiguous: 0,
    reattached: 0,
    excluded_gate: 0,
    excluded_filtered: 0,
    pruned_dirs: 0,
    pruned_paths: [],
    ...(countPruned ? { pruned_files: 0 } : {}),
    permission_denied: 0,
    unreadable: {},
    unreadable_paths: [],
    bytes_seen: 0,
    folders: 0,
    folders_unchanged: 0,
    hash_errors: 0,
    content_hashed: 0,
    dates_limited: 0,
    dates_limited_paths: [],
  };
}

const isPermissionError = (code: string): boolean => code === 'EACCES' || code === 'EPERM';

/** `failed`: a folder that could not be listed, or an entry of one that could not be examined. */
export function countUnreadable(
  { counters, reads }: Pick<ScanContext, 'counters' | 'reads'>,
  { path, code }: { path: string; code: string },
  failed: 'failedFolders' | 'failedEntries',
): void {
  if (counters.unreadable_paths.length < maxUnreadablePaths) counters.unreadable_paths.push({ path, code });
  counters.unreadable[code] = (counters.unreadable[code] ?? 0) + 1;
  if (isPermissionError(code)) counters.permission_denied += 1;
  else reads[failed] += 1;
}

export function countHashError({ counters, reads }: Pick<ScanContext, 'counters' | 'reads'>, code: string): void {
  if (code === 'changed') return;
  counters.hash_errors += 1;
  if (!isPermissionError(code)) reads.failedFiles += 1;
}

export interface ScanOptions {
  batchSize: number;
  emptyGuard: boolean;
  /** Percent of a library that may vanish in one full scan, unless the library has its own limit; 0 disables the guard. */
  vanishGuardPct: number;
  crossLibraryMoves: boolean;
  hashFullMaxBytes: number;
  stagedPipeline: boolean;
}

export const defaultScanOptions: ScanOptions = {
  batchSize: 500,
  emptyGuard: true,
  vanishGuardPct: 0,
  crossLibraryMoves: true,
  hashFullMaxBytes: 1_073_741_824,
  stagedPipeline: true,
};

/**
 * Called after commit with items whose content is new or whose name says another type: at the end of a staged scan, otherwise after each
 * batch. It may be called twice for one item, and for symlinks or deleted rows, so the receiver must check.
 */
export type QueueExtraction = (db: Db, libraryId: string, itemIds: readonly string[]) => Promise<void>;

/** Links sidecars to the items they describe. Called after moves, with the folders whose items changed. */
export type AssociateSidecars = (db: Db, libraryId: string, folderIds: readonly number[]) => Promise<Record<string, number>>;

/** What a scan needs from outside; tests pass failing ones. */
export interface ScanDependencies {
  db: Db;
  log: Log;
  options: ScanOptions;
  startWalk: StartWalk;
  files: (options: { network: boolean; stableIds: boolean }) => WalkFileSystem;
  createHasher: () => Hasher;
  createPermissionReader: (root: string) => PermissionReader;
  isOnNetwork: (path: string) => boolean;
  hasStableIds: (path: string) => boolean;
  queueExtraction: QueueExtraction;
  /** Called at the end of a scan: files that could not be opened before may be where the catalog has them now. `isCovered`: a condition on items `i`. */
  queueUnopened: (db: Db, libraryId: string, isCovered: RawBuilder<boolean>) => Promise<void>;
  associateSidecars: AssociateSidecars;
}

/** The state of one run. */
export interface ScanContext {
  deps: ScanDependencies;
  db: Db;
  runId: string;
  libraryId: string;
  root: string;
  /** The root at the start of the run, once it is known to exist. */
  rootIdentity: RootIdentity | null;
  scopes: readonly DiskScope[];
  /** Whether the run covers the whole library. */
  isFull: boolean;
  /** True for the library's first run, whose additions are not written to the change log. */
  initial: boolean;
  forceEmpty: boolean;
  vanishGuardPct: number;
  rules: ScanRules;
  hashRule: HashRule;
  files: WalkFileSystem;
  /** Whether inodes and inode change times identify files on this file system. */
  stableIds: boolean;
  collectsPermissions: boolean;
  hasher: Hasher;
  counters: ScanCounters;
  /** Changed folders that hold sidecars, and folders with moved items whose sidecar may be elsewhere. */
  sidecarFolders: Set<number>;
  /** Failures to read that are not permission errors, and the number of files hashed. */
  reads: { failedFolders: number; failedEntries: number; failedFiles: number; files: number };
  /** Stores progress about once a second; throws StopRequested when the run must end. */
  heartbeat(now: { folder?: string; phase?: string }): Promise<void>;
}

export const fullPath = (scan: Pick<ScanContext, 'root'>, relPath: string): string =>
  relPath === '' ? scan.root : scan.root === '/' ? `/${relPath}` : `${scan.root}/${relPath}`;
export const childPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** A scope as it is on disk: a folder, or one file in it. */
export interface DiskScope {
  folder: string;
  file: string | null;
  depth: ScanScope['depth'];
}

/** What the walk found: one bit per visited folder, and the paths it did not enter. */
export interface WalkState {
  seenFolders: { add(id: number): void; has(id: number): boolean };
  pruned: Set<string>;
  unreadable: Set<string>;
  /** The subfolders on disk of each folder whose scope is `changes`. */
  subfolders: Map<string, Set<string>>;
  /** Of the current walk; null where the library does not collect permissions. */
  permissions: PermissionCollector | null;
}
