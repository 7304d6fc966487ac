import type { Library } from '../../api/types.ts';
import { hasUnfinishedStages } from './stages.ts';

/*
 * The status of a library:
 *   waiting   a guard stopped the last scan and a person must decide
 *   failed    the last scan failed for another reason
 *   revoked   its agent may no longer report files
 *   scanning  a scan is running or stopping
 *   working   the walk is done; contents, thumbnails or the index are still processed
 *   offline   disabled; its files stay searchable and are not marked missing
 *   new       never scanned
 *   stopped   somebody stopped the last scan, so that files may not be known yet
 *   healthy   the last scan succeeded
 */
export type Health = 'waiting' | 'failed' | 'revoked' | 'scanning' | 'working' | 'offline' | 'new' | 'stopped' | 'healthy';

/** Error codes of guards, which stop a scan before it marks files as missing. */
const GUARDS = new Set(['empty_scan', 'vanish_guard']);

export function healthOf(library: Library): Health {
  const last = library.last_scan;
  if (last && ['running', 'stopping'].includes(last.status)) return 'scanning';
  if (!library.enabled) return 'offline';
  if (library.agent_status === 'revoked') return 'revoked';
  if (library.agent_error) return 'failed';
  if (!last) return 'new';
  if (last.status === 'failed') return GUARDS.has(last.error_code ?? '') ? 'waiting' : 'failed';
  if (hasUnfinishedStages(last.stages)) return 'working';
  return last.status === 'stopped' ? 'stopped' : 'healthy';
}

export function needsAttention(library: Library): boolean {
  const health = healthOf(library);
  return health === 'waiting' || health === 'failed';
}

/** Why the last scan failed, as far as it is known. */
export const scanErrorOf = ({ agent_error, last_scan }: Library): string | null => agent_error ?? last_scan?.error ?? null;

export interface FileAccounting {
  /** Whether files in excluded folders were counted; otherwise the total is only a lower bound. */
  counted: boolean;
  onDisk: number;
  seen: number;
  excluded: number;
  pruned: number;
}

/** Files on disk = seen + excluded + pruned, from the last finished scan of the whole library. */
export function accountingOf(library: Library): FileAccounting | null {
  const last = library.last_scan;
  if (last?.status !== 'finished' || last.counts_hidden || last.scope !== '' || !last.recursive) return null;
  const excluded = last.excluded_gate + last.excluded_filtered;
  const pruned = last.pruned_files ?? 0;
  return { counted: last.pruned_files !== null, onDisk: last.seen + excluded + pruned, seen: last.seen, excluded, pruned };
}
