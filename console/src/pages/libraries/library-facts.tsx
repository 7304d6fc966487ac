import { useQuery } from '@tanstack/react-query';
import { search } from '../../api/search.ts';
import type { Library, LibraryStats } from '../../api/types.ts';
import { categoryStyle } from '../../format/categories.ts';
import { timeAgo } from '../../format/dates.ts';
import { formatBytes, formatCount, pluralize, formatDuration } from '../../format/numbers.ts';
import { AccountingLine } from './accounting-line.tsx';
import { accountingOf } from './health.ts';
import s from './library-card.module.css';

/** What a library holds, and whether the numbers add up. */
export function HealthyFacts({ library, stats }: { library: Library; stats: LibraryStats | undefined }) {
  const last = library.last_scan;
  const answer = useQuery({
    queryKey: ['library-kinds', library.id],
    queryFn: () => search({ library: [library.id], limit: 1 }),
    staleTime: 60_000,
    retry: false,
  });
  const kinds = Object.entries(answer.data?.facets?.['file_category'] ?? {}).sort((a, b) => b[1] - a[1]);
  const took = last?.finished_at ? (Date.parse(last.finished_at) - Date.parse(last.started_at)) / 1000 : null;
  return (
    <>
      <dl className={s.facts}>
        <div>
          <dt>files</dt>
          <dd>{formatCount(stats?.file_count ?? last?.seen ?? 0)}</dd>
        </div>
        <div>
          <dt>size</dt>
          <dd>{formatBytes(stats?.total_bytes ?? last?.bytes_seen ?? 0)}</dd>
        </div>
        {last && (last.new ?? 0) > 0 && (
          <div className="sm-hide">
            <dt>new in the last scan</dt>
            <dd>+{formatCount(last.new!)}</dd>
          </div>
        )}
        {library.watch_mode && (
          <div>
            <dt>changes show in a second</dt>
            <dd>watching</dd>
          </div>
        )}
        {last && (
          <div>
            <dt>last scan{took !== null ? `, ${formatDuration(took)}` : ''}</dt>
            <dd>{timeAgo(last.finished_at ?? last.started_at)}</dd>
          </div>
        )}
      </dl>
      {kinds.length > 0 && (
        <div className={s.bar} role="img" aria-label={kinds.map(([key, n]) => `${categoryStyle(key).label} ${formatCount(n)}`).join(', ')}>
          {kinds.map(([key, n]) => (
            <i
              key={key}
              style={{ flex: n, background: categoryStyle(key).color }}
              title={`${categoryStyle(key).label}: ${pluralize(n, 'file')}`}
            />
          ))}
        </div>
      )}
      <AccountingLine sums={accountingOf(library)} />
    </>
  );
}
