import type { Library, Stats } from '../../api/types.ts';
import { formatBytes, pluralize } from '../../format/numbers.ts';
import { healthOf } from '../libraries/health.ts';
import { searchHref } from '../search/search-state.ts';

/** Something a person should look at. */
export interface AttentionRow {
  key: string;
  icon: 'guard' | 'failed' | 'disk' | 'unreadable' | 'missing' | 'unknown';
  title: string;
  detail: string;
  action: string;
  href: string;
}

const LIMIT = 5;

/** The worst first, at most five. Numbers that could not be determined are listed as such. */
export function attentionRows(libraries: readonly Library[], stats: Stats, missing: number): AttentionRow[] {
  const rows: AttentionRow[] = [];
  for (const library of libraries) {
    const health = healthOf(library);
    const last = library.last_scan;
    if (health === 'waiting')
      rows.push({
        key: `guard ${library.id}`,
        icon: 'guard',
        title: `${library.name}: scan stopped`,
        detail: last?.error ?? 'Nothing was changed.',
        action: 'Review',
        href: '#/libraries',
      });
    if (health === 'failed')
      rows.push({
        key: `failed ${library.id}`,
        icon: 'failed',
        title: `${library.name}: scan failed`,
        detail: last?.error ?? 'The reason is in the log.',
        action: 'Open library',
        href: '#/libraries',
      });
  }
  for (const { label, free, status } of stats.disk?.paths ?? [])
    if (status !== 'ok')
      rows.push({
        key: `disk ${label}`,
        icon: 'disk',
        title: `Disk space is ${status === 'critical' ? 'almost used up' : 'low'}`,
        detail: `${formatBytes(free)} free for ${label}.`,
        action: 'Open jobs',
        href: '#/jobs',
      });
  const unreadable = Object.values(stats.extract_errors ?? {}).reduce((sum, n) => sum + n, 0);
  if (unreadable > 0)
    rows.push({
      key: 'unreadable',
      icon: 'unreadable',
      title: `${pluralize(unreadable, 'file')} could not be read`,
      detail: 'Search finds names, but not the contents of such files.',
      action: 'Show files',
      href: `#${searchHref({ q: 'has:error' })}`,
    });
  if (missing > 0)
    rows.push({
      key: 'missing',
      icon: 'missing',
      title: `${pluralize(missing, 'file')} ${missing === 1 ? 'is' : 'are'} missing`,
      detail: 'They were deleted, moved out of their library, or are on a disk that is not connected.',
      action: 'Show files',
      href: `#${searchHref({ status: 'missing' })}`,
    });
  for (const [section, reason] of Object.entries(stats.degraded))
    rows.push({
      key: `degraded ${section}`,
      icon: 'unknown',
      title: `${SECTIONS[section] ?? section}: not available at the moment`,
      detail: reason,
      action: 'Open jobs',
      href: '#/jobs',
    });
  return rows.slice(0, LIMIT);
}

const SECTIONS: Record<string, string> = {
  by_type: 'Storage by file type',
  queues: 'Jobs',
  extract: 'Reading progress',
  extract_errors: 'Unreadable files',
  meili: 'State of the search index',
  thumbs: 'Thumbnails',
  disk: 'Disk space',
};
