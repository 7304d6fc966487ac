import type { Library, Scan, ScanGuard } from '../../api/types.ts';

/*
 * How a library is, in one word:
 *   waiting   a scan held itself back (a guard) and asks what to do
 *   failed    the last scan broke for another reason
 *   scanning  a scan runs or is stopping
 *   offline   switched off by choice; its files stay searchable and none counts as missing
 *   new       never scanned
 *   healthy   the last scan ended well
 */
export type Health = 'waiting' | 'failed' | 'scanning' | 'offline' | 'new' | 'healthy';

const GUARD_WORDS = /would (mark|vanish|tombstone)|found no files|empty|missing root|guard/i;

export function healthOf(library: Library): Health {
  const last = library.last_scan;
  if (last && ['queued', 'running', 'stopping'].includes(last.status)) return 'scanning';
  if (!library.enabled) return 'offline';
  if (!last) return 'new';
  if (last.status === 'failed') return last.error && GUARD_WORDS.test(last.error) ? 'waiting' : 'failed';
  return 'healthy';
}

export function needsAttention(library: Library): boolean {
  const health = healthOf(library);
  return health === 'waiting' || health === 'failed';
}

/** What a held-back scan would have done: from its own record, or read from its sentence. */
export function guardOf(scan: Pick<Scan, 'guard' | 'error'> | undefined): ScanGuard | null {
  if (scan?.guard) return scan.guard;
  const numbers = [...(scan?.error ?? '').matchAll(/\d[\d.,  ]*/g)].map((m) => Number(m[0].replace(/\D/g, '')));
  if (numbers.length >= 2) return { kind: 'vanish', would_vanish: numbers[0]!, total: numbers[1]! };
  return null;
}

export type Accounting =
  | { kind: 'adds-up' | 'off'; onDisk: number; seen: number; excluded: number; pruned: number; by: number }
  | { kind: 'not-counted'; seen: number; excluded: number }
  | null;

/** On disk = seen + excluded + pruned. The tick shows only when the sum is true. */
export function accountingOf(library: Library): Accounting {
  const last = library.last_scan;
  if (!last || last.seen === null || last.status === 'running') return null;
  const excluded = last.excluded ?? 0;
  if (!last.pruned_counted || last.pruned_files === null) return { kind: 'not-counted', seen: last.seen, excluded };
  const onDisk = (last as { on_disk?: number }).on_disk ?? last.seen + excluded + last.pruned_files;
  const by = onDisk - last.seen - excluded - last.pruned_files;
  return { kind: by === 0 ? 'adds-up' : 'off', onDisk, seen: last.seen, excluded, pruned: last.pruned_files, by };
}
