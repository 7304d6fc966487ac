import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { stats as loadStats } from '../../api/operations.ts';
import type { LibraryStats } from '../../api/types.ts';
import { Card } from '../../components/page.tsx';
import { CATEGORIES } from '../../format/categories.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { searchHref } from '../search/search-state.ts';
import s from './home-page.module.css';
import { StorageMap } from './storage-map.tsx';

const REFRESH_MS = 15_000;
const SHOWN_LIBRARIES = 5;

/** The space that each file type and each of the largest libraries takes. */
export function StorageCard({ totals }: { totals: { libraries: LibraryStats[]; total_bytes: number } | undefined }) {
  const stats = useQuery({ queryKey: ['stats'], queryFn: loadStats, refetchInterval: REFRESH_MS });
  const byType = stats.data?.by_type;
  const kinds = useMemo(
    () =>
      CATEGORIES.map((category) => ({ ...category, bytes: byType?.[category.key]?.bytes ?? 0 }))
        .filter(({ bytes }) => bytes > 0)
        .sort((a, b) => b.bytes - a.bytes),
    [byType],
  );
  const libraries = useMemo(() => [...(totals?.libraries ?? [])].sort((a, b) => b.total_bytes - a.total_bytes), [totals]);
  return (
    <Card
      headingId="home-storage"
      title={
        <>
          <h2 className="h3" id="home-storage">
            {t('Storage')}
          </h2>
          {totals && <span className="muted">{formatBytes(totals.total_bytes)}</span>}
        </>
      }
    >
      {stats.data && !byType && <p className={s.empty}>{t('Storage by file type is not available at the moment.')}</p>}
      <StorageMap kinds={kinds} libraries={libraries} />
      <div className={s.kinds}>
        {kinds.map(({ key, label, icon: Icon, color, bytes }) => (
          <a key={key} href={`#${searchHref({ categories: [key] })}`}>
            <Icon size={16} aria-hidden style={{ color }} />
            <span className="grow">{label}</span>
            <span className="num t2">{formatBytes(bytes)}</span>
          </a>
        ))}
      </div>
      <Libraries libraries={libraries.slice(0, SHOWN_LIBRARIES)} largest={libraries[0]?.total_bytes ?? 0} />
    </Card>
  );
}

function Libraries({ libraries, largest }: { libraries: LibraryStats[]; largest: number }) {
  return (
    <ul className={s.list}>
      {libraries.map((library) => (
        <li key={library.library_id}>
          <a className={s.library} href={`#/browse/${library.library_id}`}>
            <bdi className="cut">{library.name}</bdi>
            <span className={s.size} aria-hidden>
              <i style={{ width: `${largest > 0 ? (library.total_bytes / largest) * 100 : 0}%` }} />
            </span>
            <span className="num t2">{formatBytes(library.total_bytes)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
