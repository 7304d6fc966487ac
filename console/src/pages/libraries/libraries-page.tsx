import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Route } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useParams } from 'wouter';
import * as catalog from '../../api/catalog.ts';
import { search } from '../../api/search.ts';
import type { Library } from '../../api/types.ts';
import { Button, Kbd, TextLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading, NoAccess } from '../../components/states.tsx';
import { compareNames } from '../../format/lists.ts';
import { formatBytes } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { openExplain } from '../../shell/overlays.ts';
import { useSession } from '../../shell/session.tsx';
import { healthOf } from './health.ts';
import s from './libraries-page.module.css';
import { LibraryCard } from './library-card.tsx';
import { LibraryDialog } from './library-dialog.tsx';
import { RecentScans } from './recent-scans.tsx';
import { UnattachedCard } from './unattached-card.tsx';

const RANK = { waiting: 0, failed: 1, scanning: 2, working: 3, new: 4, revoked: 5, stopped: 6, healthy: 7, offline: 8 } as const;

/** Running scans report by events; this interval only finds scans that other people started. */
const REFRESH_MS = 60_000;

export default function LibrariesPage() {
  const { action } = useParams<{ action?: string }>();
  const { can } = useSession();
  const [editing, setEditing] = useState<Library | null>(null);
  const libraries = useQuery({
    queryKey: ['libraries'],
    queryFn: catalog.libraries,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: true,
  });
  const figures = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 10_000 });
  const scans = useQuery({ queryKey: ['scans'], queryFn: () => catalog.scans({ limit: 50 }) });
  const hashes = useQuery({ queryKey: ['hash-status'], queryFn: catalog.hashStatus, staleTime: 60_000, retry: false });
  const unreadable = useQuery({
    queryKey: ['unreadable'],
    queryFn: () => search({ has_error: true, limit: 1 }),
    staleTime: 15_000,
    retry: false,
    refetchInterval: ({ state }) => (state.error ? REFRESH_MS : false),
  });

  // When a scan ends, all numbers on the page change.
  const client = useQueryClient();
  const finished = (libraries.data ?? []).map((l) => `${l.last_scan?.id}${l.last_scan?.status}${healthOf(l)}`).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per change of a last scan
  useEffect(() => {
    for (const queryKey of [['scans'], ['library-stats'], ['library-categories'], ['unreadable'], ['unattached']])
      void client.invalidateQueries({ queryKey });
  }, [finished]);

  if (libraries.error && !libraries.data) return <ErrorState error={libraries.error} retry={() => void libraries.refetch()} />;
  if (!libraries.data) return <Loading what={t('libraries')} />;
  const sorted = [...libraries.data].sort((a, b) => RANK[healthOf(a)] - RANK[healthOf(b)] || compareNames(a.name, b.name));
  const lead = (
    <>
      {t('{n|# library|# libraries}', { n: sorted.length })}
      {figures.data && ` · ${t('{n|# file|# files}', { n: figures.data.total_files })} · ${formatBytes(figures.data.total_bytes)}`}
      <span className="md-hide">
        {' · '}
        {t('read-only')}
      </span>
    </>
  );

  return (
    <Page
      title={t('Libraries')}
      lead={lead}
      actions={
        <>
          <button type="button" className={`${s.explain} sm-hide`} onClick={openExplain}>
            <Route size={16} aria-hidden />
            <span className="grow cut">{t('Explain a path: why is a file listed or not?')}</span>
            <Kbd>E</Kbd>
          </button>
          {can('admin') && (
            <Button onClick={() => navigate('/libraries/new')}>
              <Plus size={16} aria-hidden />
              {t('New library')}
            </Button>
          )}
        </>
      }
    >
      {sorted.length === 0 && !can('admin') ? (
        <NoAccess />
      ) : sorted.length === 0 ? (
        <EmptyState
          title={t('No libraries yet')}
          actions={
            <Button variant="primary" onClick={() => navigate('/libraries/new')}>
              <Plus size={16} aria-hidden />
              {t('New library')}
            </Button>
          }
        >
          {t('A library is a folder that Catalog reads. Choose one, and its files appear in search while the scan runs.')}
        </EmptyState>
      ) : (
        <div className={s.cards} data-list>
          {sorted.map((library) => (
            <LibraryCard
              key={library.id}
              library={library}
              stats={figures.data?.libraries.find((row) => row.library_id === library.id)}
              scans={scans.data?.items ?? []}
              unreadable={
                unreadable.data ? (unreadable.data.facets['library_id']?.[library.id] ?? 0) : unreadable.error ? 'failed' : 'pending'
              }
              stale={hashes.data?.find((row) => row.library_id === library.id && !row.rehash_pending)?.stale ?? 0}
              onEdit={() => setEditing(library)}
            />
          ))}
          <UnattachedCard libraries={libraries.data} />
          {scans.data && scans.data.items.length > 0 && (
            <Card title={t('Recent scans')} aside={<TextLink href="#/libraries/history">{t('Compare two scans')}</TextLink>}>
              <RecentScans scans={scans.data.items.slice(0, 5)} libraries={libraries.data} />
            </Card>
          )}
        </div>
      )}
      {action === 'new' && <LibraryDialog library={null} onClose={() => navigate('/libraries', { replace: true })} />}
      {editing && <LibraryDialog library={editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}
