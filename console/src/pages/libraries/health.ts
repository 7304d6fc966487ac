import type { Library } from '../../api/types.ts';
import { hasUnfinishedStages } from './stages.ts';

/*
 * How a library is, in one word:
 *   waiting   a scan held itself back (a guard) and asks what to do
 *   failed    the last scan broke for another reason
 *   scanning  a scan runs or is stopping
 *   working   the walk is over; contents, pictures or the index of its files are still on their way
 *   offline   switched off by choice; its files stay searchable and none counts as missing
 *   new       never scanned
 *   healthy   the last scan ended well
 */
export type Health = 'waiting' | 'failed' | 'scanning' | 'working' | 'offline' | 'new' | 'healthy';

/** Codes of scans that stopped before they changed anything and ask what to do. */
const GUARDS = new Set(['empty_scan', 'vanish_guard', 'root_missing', 'root_not_folder', 'root_unreadable']);

export function healthOf(library: Library): Health {
  const last = library.last_scan;
  if (last && ['running', 'stopping'].includes(last.status)) return 'scanning';
  if (!library.enabled) return 'offline';
  if (!last) return 'new';
  if (last.status === 'failed') return GUARDS.has(last.error_code ?? '') ? 'waiting' : 'failed';
  return hasUnfinishedStages(last.stages) ? 'working' : 'healthy';
}

export function needsAttention(library: Library): boolean {
  const health = healthOf(library);
  return health === 'waiting' || health === 'failed';
}

export interface FileAccounting {
  /** Whether files in skipped folders were counted; without that the sum is a lower bound and gets no tick. */
  counted: boolean;
  onDisk: number;
  seen: number;
  excluded: number;
  pruned: number;
}

/** On disk = seen + excluded + pruned, from the last finished scan. */
export function accountingOf(library: Library): FileAccounting | null {
  const last = library.last_scan;
  if (last?.status !== 'finished' || last.scope !== '') return null;
  const excluded = last.excluded_gate + last.excluded_filtered;
  const pruned = last.pruned_files ?? 0;
  return { counted: last.pruned_files !== null, onDisk: last.seen + excluded + pruned, seen: last.seen, excluded, pruned };
}
