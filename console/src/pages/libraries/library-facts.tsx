import { useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleSlash, FileX } from 'lucide-react';
import { search } from '../../api/search.ts';
import type { Library, LibraryStats } from '../../api/types.ts';
import { TextLink } from '../../components/button.tsx';
import { StatusText } from '../../components/status.tsx';
import { categoryStyle } from '../../format/categories.ts';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes, formatCount, formatDuration, pluralize } from '../../format/numbers.ts';
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
    retry: false,
  });
  const counts = Object.entries(categories.data?.facets?.['file_category'] ?? {}).sort((a, b) => b[1] - a[1]);
  const took = last?.finished_at ? (Date.parse(last.finished_at) - Date.parse(last.started_at)) / 1000 : null;
  return (
    <>
      <dl className={s.facts}>
        <div>
          <dt>Files</dt>
          <dd>{formatCount(stats?.file_count ?? last?.seen ?? 0)}</dd>
        </div>
        <div>
          <dt>Size</dt>
          <dd>{formatBytes(stats?.total_bytes ?? last?.bytes_seen ?? 0)}</dd>
        </div>
        {last && last.new > 0 && (
          <div className="sm-hide">
            <dt>New in last scan</dt>
            <dd>+{formatCount(last.new)}</dd>
          </div>
        )}
        {library.watch_mode && (
          <div>
            <dt>Changes appear within seconds</dt>
            <dd>Watching</dd>
          </div>
        )}
        {last && (
          <div>
            <dt>Last scan{took !== null ? `, ${formatDuration(took)}` : ''}</dt>
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
              title={`${categoryStyle(key).label}: ${pluralize(n, 'file')}`}
            />
          ))}
        </div>
      )}
      <AccountingLine sums={accountingOf(library)} />
      {missing.data !== undefined && missing.data.total > 0 && (
        <div className={s.line}>
          <StatusText tone="warn" icon={FileX}>
            {missing.data.total === 1 ? '1 file is missing' : `${formatCount(missing.data.total)} files are missing`}
          </StatusText>
          <span className="grow" />
          <TextLink href={`#/?library=${library.id}&status=missing`}>Show missing files</TextLink>
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
            Adds up
          </StatusText>
          <span className={s.op}>·</span>
          <span>
            <b>{formatCount(sums.onDisk)}</b> on disk
          </span>
          <span className={s.op}>=</span>
        </>
      ) : (
        <>
          <StatusText tone="idle" icon={CircleSlash}>
            Files in excluded folders not counted
          </StatusText>
          <span className={s.op}>·</span>
        </>
      )}
      <span>
        <b>{formatCount(sums.seen)}</b> seen
      </span>
      <span className={s.op}>+</span>
      <span>
        <b>{formatCount(sums.excluded)}</b> excluded
      </span>
      {sums.counted && (
        <>
          <span className={s.op}>+</span>
          <span>
            <b>{formatCount(sums.pruned)}</b> pruned
          </span>
        </>
      )}
    </div>
  );
}
