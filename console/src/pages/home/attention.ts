import type { Alert, Library, Stats } from '../../api/types.ts';
import { formatBytes } from '../../format/numbers.ts';
import { serverText, t } from '../../language/text.ts';
import { healthOf, scanErrorOf } from '../libraries/health.ts';
import { searchHref } from '../search/search-state.ts';

/** Something a person should look at. */
export interface AttentionRow {
  key: string;
  icon: 'guard' | 'failed' | 'alert' | 'disk' | 'unreadable' | 'missing' | 'unknown';
  title: string;
  detail: string;
  action: string;
  href: string;
}

const LIMIT = 5;

/** The worst first, at most five. Numbers that could not be determined are listed as such. */
export function attentionRows(
  libraries: readonly Library[],
  stats: Stats,
  missing: number,
  alerts: readonly Pick<Alert, 'title'>[] = [],
): AttentionRow[] {
  const rows: AttentionRow[] = [];
  for (const library of libraries) {
    const health = healthOf(library);
    const last = library.last_scan;
    const failure = scanErrorOf(library);
    if (health === 'waiting')
      rows.push({
        key: `guard ${library.id}`,
        icon: 'guard',
        title: t('{name}: scan stopped', { name: library.name }),
        detail: last?.error ? serverText(last.error) : t('Nothing was changed.'),
        action: t('Review'),
        href: '#/libraries',
      });
    if (health === 'failed')
      rows.push({
        key: `failed ${library.id}`,
        icon: 'failed',
        title: t('{name}: scan failed', { name: library.name }),
        detail: failure ? serverText(failure) : t('The reason is in the log.'),
        action: t('Open library'),
        href: '#/libraries',
      });
  }
  if (alerts.length > 0)
    rows.push({
      key: 'alerts',
      icon: 'alert',
      title: t('{n|# alert is|# alerts are} firing', { n: alerts.length }),
      detail: alerts
        .slice(0, 2)
        .map(({ title }) => title)
        .join(' '),
      action: t('Open alerts'),
      href: '#/alerts',
    });
  for (const { label, free, status } of stats.disk?.paths ?? [])
    if (status !== 'ok')
      rows.push({
        key: `disk ${label}`,
        icon: 'disk',
        title: status === 'critical' ? t('Disk space is almost used up') : t('Disk space is low'),
        detail: t('{free} free for {label}.', { free: formatBytes(free), label }),
        action: t('Open jobs'),
        href: '#/jobs',
      });
  const unreadable = Object.values(stats.extract_errors ?? {}).reduce((sum, n) => sum + n, 0);
  if (unreadable > 0)
    rows.push({
      key: 'unreadable',
      icon: 'unreadable',
      title: t('{unreadable|# file|# files} could not be read', { unreadable }),
      detail: t('Search finds names, but not the contents of such files.'),
      action: t('Show files'),
      href: `#${searchHref({ q: 'has:error' })}`,
    });
  if (missing > 0)
    rows.push({
      key: 'missing',
      icon: 'missing',
      title: t('{n|# file is missing|# files are missing}', { n: missing }),
      detail: t('They were deleted, moved out of their library, or are on a disk that is not connected.'),
      action: t('Show files'),
      href: `#${searchHref({ status: 'missing' })}`,
    });
  for (const [section, reason] of Object.entries(stats.degraded))
    rows.push({
      key: `degraded ${section}`,
      icon: 'unknown',
      title: t('{sections}: not available at the moment', { sections: SECTIONS[section] ?? section }),
      detail: reason,
      action: t('Open jobs'),
      href: '#/jobs',
    });
  return rows.slice(0, LIMIT);
}

const SECTIONS: Record<string, string> = {
  by_type: t('Storage by file type'),
  queues: t('Jobs'),
  extract: t('Reading progress'),
  extract_errors: t('Unreadable files'),
  meili: t('State of the search index'),
  thumbs: t('Thumbnails'),
  disk: t('Disk space'),
};
