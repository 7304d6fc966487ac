import type { WalkFileSystem, StartWalk, Hasher, HashRule } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import type { ScanRules } from './rules.ts';

/** Where a walk keeps its sums. Names are those of the accounting table; they are stored on the run as they are. */
export interface ScanCounters {
  seen: number;
  new: number;
  changed: number;
  missing: number;
  returned: number;
  moved: number;
  cross_moved: number;
  move_ambiguous: number;
  excluded_gate: number;
  excluded_filtered: number;
  pruned_dirs: number;
  pruned_paths: string[];
  /** Present when the library counts them. */
  pruned_files?: number;
  permission_denied: number;
  /** Folders and entries that could not be read, by error code; permission errors included. */
  unreadable: Record<string, number>;
  bytes_seen: number;
  folders: number;
  folders_unchanged: number;
  hash_errors: number;
  content_hashed: number;
}

export const maxPrunedPaths = 25;

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
    excluded_gate: 0,
    excluded_filtered: 0,
    pruned_dirs: 0,
    pruned_paths: [],
    ...(countPruned ? { pruned_files: 0 } : {}),
    permission_denied: 0,
    unreadable: {},
    bytes_seen: 0,
    folders: 0,
    folders_unchanged: 0,
    hash_errors: 0,
    content_hashed: 0,
  };
}

export function countUnreadable(counters: ScanCounters, code: string): void {
  counters.unreadable[code] = (counters.unreadable[code] ?? 0) + 1;
  if (code === 'EACCES' || code === 'EPERM') counters.permission_denied += 1;
}

/** Settings a scan obeys. */
export interface ScanOptions {
  batchSize: number;
  emptyGuard: boolean;
  /** Percent of a library that may vanish in one full scan; 0 disables the guard. */
  vanishGuardPct: number;
  crossLibraryMoves: boolean;
  hashFullMaxBytes: number;
  stagedPipeline: boolean;
}

export const defaultScanOptions: ScanOptions = {
  batchSize: 500,
  emptyGuard: true,
  vanishGuardPct: 50,
  crossLibraryMoves: true,
  hashFullMaxBytes: 1_073_741_824,
  stagedPipeline: true,
};

/**
 * Called after commit with items whose content is new: at the end of a staged scan, else batch by batch. May be called twice for one item,
 * and for symlinks or rows that went meanwhile: whoever extracts looks.
 */
export type QueueExtraction = (db: Db, libraryId: string, itemIds: readonly string[]) => Promise<void>;

/** Called after moves, with the folders whose items changed; links sidecars with what they accompany. */
export type AssociateSidecars = (db: Db, libraryId: string, folderIds: readonly number[]) => Promise<Record<string, number>>;

/** The parts of the world a scan touches; a test hands in failing ones. */
export interface ScanDependencies {
  db: Db;
  options: ScanOptions;
  startWalk: StartWalk;
  files: (options: { network: boolean }) => WalkFileSystem;
  createHasher: () => Hasher;
  isOnNetwork: (path: string) => boolean;
  queueExtraction: QueueExtraction;
  associateSidecars: AssociateSidecars;
}

/** One run while it is under way. */
export interface ScanContext {
  parts: ScanDependencies;
  db: Db;
  runId: string;
  libraryId: string;
  root: string;
  /** '' for the whole library; else the folder scanned, and the one file in it when the scope is a file. */
  scopeFolder: string;
  scopeFile: string | null;
  /** False: the folders in the scope are left alone. */
  recursive: boolean;
  isFull: boolean;
  /** The library's first run: its additions are not logged. */
  initial: boolean;
  forceEmpty: boolean;
  rules: ScanRules;
  hashRule: HashRule;
  files: WalkFileSystem;
  hasher: Hasher;
  counters: ScanCounters;
  /** Tells the world how far it is, about once a second; throws when the run was asked to stop or taken away. */
  breathe(now: { folder?: string; phase?: string }): Promise<void>;
}

export const fullPath = (scan: Pick<ScanContext, 'root'>, relPath: string): string =>
  relPath === '' ? scan.root : scan.root === '/' ? `/${relPath}` : `${scan.root}/${relPath}`;
export const childPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** What a scan remembers of its walk: a bit per folder it met, and the paths it did not enter. */
export interface WalkState {
  seenFolders: { add(id: number): void; has(id: number): boolean };
  pruned: Set<string>;
  unreadable: Set<string>;
  /** Changed folders that hold sidecars. */
  sidecarFolders: Set<number>;
}
