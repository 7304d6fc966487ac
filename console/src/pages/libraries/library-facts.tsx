import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, FileX } from 'lucide-react';
import { search } from '../../api/search.ts';
import type { Library, LibraryStats } from '../../api/types.ts';
import { TextLink } from '../../components/button.tsx';
import { StatusText } from '../../components/status.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes, formatCount, formatDuration } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { accountingOf, type FileAccounting } from './health.ts';
import s from './library-card.module.css';

export function LibraryFacts({ library, stats }: { library: Library; stats: LibraryStats | undefined }) {
  const last = library.last_scan;
  const categories = useQuery({
    queryKey: ['library-categories', library.id, last?.id, last?.finished_at],
    queryFn: () => search({ library: [library.id], limit: 1 }),
    staleTime: 60_000,
    retry: false,
  });
  const missing = useQuery({
    queryKey: ['library-missing', library.id, last?.id, last?.finished_at],
    queryFn: () => search({ library: [library.id], status: 'missing', limit: 1 }),
    staleTime: 10_000,
    // The index follows a scan after a moment.
    refetchInterval: last?.finished_at && Date.now() - Date.parse(last.finished_at) < 60_000 ? 2_000 : 60_000,
    retry: false,
  });
  const counts = Object.entries(categories.data?.facets?.['file_category'] ?? {}).sort((a, b) => b[1] - a[1]);
  const took = last?.seconds ?? null;
  return (
    <>
      <dl className={s.facts}>
        <div>
          <dt>{t('Files')}</dt>
          <dd>{formatCount(stats?.file_count ?? last?.seen ?? 0)}</dd>
        </div>
        <div>
          <dt>{t('Size')}</dt>
          <dd>{formatBytes(stats?.total_bytes ?? last?.bytes_seen ?? 0)}</dd>
        </div>
        {last && last.new > 0 && (
          <div className="sm-hide">
            <dt>{t('New in last scan')}</dt>
            <dd>+{formatCount(last.new)}</dd>
          </div>
        )}
        {library.watch_mode && (
          <div>
            <dt>{t('Changes appear within seconds')}</dt>
            <dd>{t('Watching')}</dd>
          </div>
        )}
        {library.agent_name !== null && (
          <div>
            <dt>{t('On {name}', { name: library.agent_name })}</dt>
            <dd>{library.agent_last_seen_at ? t('seen {when}', { when: timeAgo(library.agent_last_seen_at) }) : t('never seen')}</dd>
          </div>
        )}
        {last && last.median_files_per_s !== null && last.throughput_runs > 1 && (
          <div className="sm-hide">
            <dt>{t('Usual speed')}</dt>
            <dd>{t('{n|# file/s|# files/s}', { n: Math.round(last.median_files_per_s) })}</dd>
          </div>
        )}
        {last && (
          <div>
            <dt>{took !== null ? t('Last scan, {duration}', { duration: formatDuration(took) }) : t('Last scan')}</dt>
            <dd>{timeAgo(last.finished_at ?? last.started_at)}</dd>
          </div>
        )}
      </dl>
      {counts.length > 0 && (
        <div className={s.bar} role="img" aria-label={counts.map(([key, n]) => `${categoryStyle(key).label} ${formatCount(n)}`).join(', ')}>
          {counts.map(([key, n]) => (
            <i
              key={key}
              style={{ flex: n, background: categoryStyle(key).color }}
              title={`${categoryStyle(key).label}: ${t('{n|# file|# files}', { n })}`}
            />
          ))}
        </div>
      )}
      <AccountingLine sums={accountingOf(library)} />
      {missing.data !== undefined && missing.data.total > 0 && (
        <div className={s.line}>
          <StatusText tone="warn" icon={FileX}>
            {t('{n|# file is missing|# files are missing}', { n: missing.data.total })}
          </StatusText>
          <span className="grow" />
          <TextLink href={`#/?library=${library.id}&status=missing`}>{t('Show missing files')}</TextLink>
        </div>
      )}
    </>
  );
}

/** "Adds up · 1,204,311 on disk = 1,180,002 seen + 24,300 excluded + 9 pruned". Shown as adding up only if everything was counted. */
export function AccountingLine({ sums }: { sums: FileAccounting | null }) {
  if (!sums) return null;
  return (
    <div className={s.line}>
      {sums.counted ? (
        <>
          <StatusText tone="ok" icon={CircleCheck}>
            {t('Adds up')}
          </StatusText>
          <span className={s.op}>·</span>
          <span>{rich('{onDisk} on disk', { onDisk: <b>{formatCount(sums.onDisk)}</b> })}</span>
          <span className={s.op}>=</span>
        </>
      ) : (
        <>
          <StatusText tone="idle" icon={CircleSlash}>
            {t('Files in excluded folders not counted')}
          </StatusText>
          <span className={s.op}>·</span>
        </>
      )}
      <span>{rich('{seen} seen', { seen: <b>{formatCount(sums.seen)}</b> })}</span>
      <span className={s.op}>+</span>
      <span>{rich('{excluded} excluded', { excluded: <b>{formatCount(sums.excluded)}</b> })}</span>
      {sums.counted && (
        <>
          <span className={s.op}>+</span>
          <span>{rich('{pruned} pruned', { pruned: <b>{formatCount(sums.pruned)}</b> })}</span>
        </>
      )}
    </div>
  );
}
