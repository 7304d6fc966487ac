import type { MaintenanceTask } from '../../api/types.ts';
import { formatBytes } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';

/** What maintenance tasks count, by the name in the API. */
const COUNTS: Record<string, (n: number) => string> = {
  aborted: (n) => t('{n} stopped', { n }),
  advanced: (n) => t('{n} advanced', { n }),
  agents: (n) => t('{n|# agent|# agents}', { n }),
  changed: (n) => t('{n} changed', { n }),
  changes: (n) => t('{n|# change|# changes}', { n }),
  cleared: (n) => t('{n} cleared', { n }),
  closed: (n) => t('{n} closed', { n }),
  compared: (n) => t('{n} compared', { n }),
  copied: (n) => t('{n} copied', { n }),
  days: (n) => t('{n|# day|# days}', { n }),
  deleted: (n) => t('{n} deleted', { n }),
  expired: (n) => t('{n} expired', { n }),
  extra: (n) => t('{n} too many', { n }),
  failed: (n) => t('{n} failed', { n }),
  folders: (n) => t('{n|# folder|# folders}', { n }),
  hashed: (n) => t('{n} hashed', { n }),
  linked: (n) => t('{n} linked', { n }),
  looked: (n) => t('{n} checked', { n }),
  mended: (n) => t('{n} repaired', { n }),
  mismatches: (n) => t('{n|# difference|# differences}', { n }),
  missing: (n) => t('{n} missing', { n }),
  noted: (n) => t('{n} queued', { n }),
  offline: (n) => t('{n} offline', { n }),
  orphans: (n) => t('{n|# leftover file|# leftover files}', { n }),
  over_cap: (n) => t('{n} above the limit', { n }),
  purged: (n) => t('{n} removed', { n }),
  queued: (n) => t('{n} queued', { n }),
  recognised: (n) => t('{n} recognised', { n }),
  remaining: (n) => t('{n} remaining', { n }),
  removed: (n) => t('{n} removed', { n }),
  removed_bytes: (n) => t('{size} freed', { size: formatBytes(n) }),
  removed_files: (n) => t('{n|# file|# files} removed', { n }),
  requeued: (n) => t('{n} queued again', { n }),
  scan_runs_reconciled: (n) => t('{n|# scan|# scans} ended', { n }),
  skipped: (n) => t('{n} skipped', { n }),
  sniffed: (n) => t('{n} examined', { n }),
  stale: (n) => t('{n} outdated', { n }),
  stalled: (n) => t('{n} stalled', { n }),
  stopped: (n) => t('{n} stopped', { n }),
  succeeded: (n) => t('{n} succeeded', { n }),
  tokens: (n) => t('{n|# token|# tokens}', { n }),
  verified: (n) => t('{n} verified', { n }),
  workers_removed: (n) => t('{n|# worker|# workers} removed', { n }),
};

/** What the last run of a task did. Counts without a name here stay in the words of the server. */
export function outcomeText({ outcome, counts }: Pick<NonNullable<MaintenanceTask['last_run']>, 'outcome' | 'counts'>): string {
  const parts = Object.entries(counts).map(([key, n]) => COUNTS[key]?.(n));
  if (parts.length > 0 && parts.every((part) => part !== undefined)) return parts.join(', ');
  return outcome === null ? '' : serverText(outcome);
}
