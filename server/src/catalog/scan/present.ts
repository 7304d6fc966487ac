import type { RunRow } from './run-store.ts';
import { scopesOf } from './scopes.ts';

/** A run as the API returns it, with its counters at the top level. */
export interface PresentedScan {
  id: string;
  library_id: string;
  job_id: string | null;
  status: RunRow['status'];
  trigger: string;
  scope: string;
  /** The folders of a run that covers several. */
  scopes: string[];
  recursive: boolean;
  phase: string;
  started_at: string;
  finished_at: string | null;
  error: string | null;
  error_code: string | null;
  /** Open, but without a heartbeat for 30 s. */
  stalled: boolean;
  /** The last heartbeat of a stalled run. */
  stalled_since: string | null;
  seen: number;
  new: number;
  changed: number;
  missing: number;
  returned: number;
  moved: number;
  excluded: number;
  excluded_gate: number;
  excluded_filtered: number;
  pruned_dirs: number;
  pruned_paths: string[];
  /** Null when the library does not count files in skipped folders. */
  pruned_files: number | null;
  permission_denied: number;
  bytes_seen: number;
  files_per_s: number;
  bytes_per_s: number;
  elapsed: number;
  current_folder: string | null;
  estimate: { seen: number; seconds: number; share: number | null } | null;
  /** Set when a guard ended the run: what would have been tombstoned. */
  guard: ScanGuard | null;
  stats: Record<string, unknown>;
}

export interface ScanGuard {
  kind: 'empty' | 'vanish';
  would_vanish: number;
  of: number;
  folders: { rel_path: string; count: number }[];
  sample: string[];
  /** How many of these items have tags, notes or custom fields. */
  annotated?: number;
}

const stalledAfterMs = 30_000;

export function presentScan(run: RunRow, now = new Date()): PresentedScan {
  const { stats } = run;
  const number = (key: string): number => (typeof stats[key] === 'number' ? (stats[key] as number) : 0);
  const open = run.status === 'running' || run.status === 'stopping';
  const stalled = open && run.phase !== 'queued' && Math.abs(now.getTime() - run.heartbeat_at.getTime()) > stalledAfterMs;
  // The clock may have been set back during the run.
  const elapsed = Math.max(0, ((run.finished_at ?? now).getTime() - run.started_at.getTime()) / 1000);
  return {
    id: run.id,
    library_id: run.library_id,
    job_id: run.job_id,
    status: run.status,
    trigger: run.trigger,
    scope: run.scope,
    scopes: scopesOf(run).map(({ path }) => path),
    recursive: run.recursive,
    phase: run.phase,
    started_at: run.started_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
    error: run.error,
    error_code: run.error_code,
    stalled,
    stalled_since: stalled ? run.heartbeat_at.toISOString() : null,
    seen: number('seen'),
    new: number('new'),
    changed: number('changed'),
    missing: number('missing'),
    returned: number('returned'),
    moved: number('moved'),
    excluded: number('excluded'),
    excluded_gate: number('excluded_gate'),
    excluded_filtered: number('excluded_filtered'),
    pruned_dirs: number('pruned_dirs'),
    pruned_paths: (stats['pruned_paths'] as string[] | undefined) ?? [],
    pruned_files: typeof stats['pruned_files'] === 'number' ? stats['pruned_files'] : null,
    permission_denied: number('permission_denied'),
    bytes_seen: number('bytes_seen'),
    files_per_s: number('files_per_s'),
    bytes_per_s: number('bytes_per_s'),
    elapsed,
    current_folder: open ? ((stats['current_folder'] as string | undefined) ?? null) : null,
    estimate: (stats['estimate'] as PresentedScan['estimate'] | undefined) ?? null,
    guard: run.status === 'failed' ? ((stats['guard'] as ScanGuard | undefined) ?? null) : null,
    stats,
  };
}
