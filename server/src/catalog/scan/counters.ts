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
