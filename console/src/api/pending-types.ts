/** Shapes of routes the document does not describe yet. Each moves to types.ts when its route is declared. */

export interface Page<T> {
  items: T[];
  total?: number | null;
  limit: number;
  next_cursor: string | null;
}

export type ScanStatus = 'running' | 'stopping' | 'stopped' | 'failed' | 'finished';

/** What a scan that held itself back would have done. */
export interface ScanGuard {
  kind: 'empty' | 'vanish';
  would_vanish: number;
  of: number;
  sample?: string[];
}

export interface Scan {
  id: string;
  library_id: string;
  job_id: string | null;
  status: ScanStatus;
  trigger: string;
  scope: string;
  phase: string;
  started_at: string;
  finished_at: string | null;
  error: string | null;
  error_code: string | null;
  stalled: boolean;
  seen: number;
  new: number;
  changed: number;
  missing: number;
  returned: number;
  moved: number;
  excluded: number;
  pruned_dirs: number;
  pruned_files: number | null;
  permission_denied: number;
  bytes_seen: number;
  files_per_s: number;
  bytes_per_s: number;
  elapsed: number;
  current_folder: string | null;
  estimate: { seen: number; seconds: number; share: number | null } | null;
  stats: Record<string, unknown>;
}

export interface ScanChange {
  kind: 'added' | 'changed' | 'gone' | 'returned' | 'moved';
  item_id: string;
  rel_path: string;
  from_rel_path: string | null;
}

export interface Explanation {
  path: string;
  verdict: string;
  reason: string;
  at?: string;
  preset?: string;
  list?: string;
  pattern?: string;
  line?: number;
  item?: { id: string; status: string; symlink_target: string | null };
  moved_to?: { id: string; library_id: string; rel_path: string };
}

export interface LibraryStats {
  library_id: string;
  name: string;
  file_count: number;
  total_bytes: number;
  missing_count: number;
  trashed_count: number;
  by_category?: Record<string, { count: number; bytes: number }>;
}

export interface FsBrowse {
  path: string;
  parent: string | null;
  roots: string[];
  dirs: { name: string; path: string; readable?: boolean; note?: string | null }[];
}

export interface SavedSearch {
  id: string;
  name: string;
  params: Record<string, unknown>;
  shared?: boolean;
  created_at: string;
  updated_at: string;
}

export interface Stats {
  extract_errors?: Record<string, number>;
  semantic?: { enabled: boolean };
  backpressure?: { active: boolean; reason?: string | null } | null;
}

export interface TimelineBucket {
  start: string;
  start_epoch: number;
  end_epoch: number;
  count: number;
}

export interface Timeline {
  bucket: 'month' | 'year';
  buckets: TimelineBucket[];
  invalid_count: number;
}
