import { Select } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, ArrowRight, FilePlus2, FileX, type LucideIcon, MoveRight, PencilLine, RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearch } from 'wouter';
import * as catalog from '../../api/catalog.ts';
import type { ScanChange } from '../../api/types.ts';
import { Button, ButtonLink, TextLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { StatusText, type Tone } from '../../components/status.tsx';
import { formatDateTime } from '../../format/dates.ts';
import { t } from '../../language/text.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import { RecentScans } from './recent-scans.tsx';
import s from './scan-history-page.module.css';

const CHANGES: Record<ScanChange['kind'], { label: string; tone: Tone; icon: LucideIcon }> = {
  added: { label: t('Added'), tone: 'ok', icon: FilePlus2 },
  changed: { label: t('Changed'), tone: 'active', icon: PencilLine },
  gone: { label: t('Missing'), tone: 'danger', icon: FileX },
  returned: { label: t('Returned'), tone: 'ok', icon: RotateCcw },
  moved: { label: t('Moved'), tone: 'active', icon: MoveRight },
};
type Filter = 'all' | ScanChange['kind'];

/** The scans of a library and the changes between two of them. */
export default function ScanHistoryPage() {
  const requested = new URLSearchParams(useSearch()).get('library');
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries });
  const [libraryId, setLibraryId] = useState<string | null>(requested);
  const wanted = libraryId ?? libraries.data?.[0]?.id;
  const chosen = libraries.data?.find((one) => one.id === wanted)?.id ?? null;
  const scans = useQuery({
    queryKey: ['scans', chosen],
    queryFn: () => catalog.scans({ library_id: chosen ?? '', limit: 50 }),
    enabled: chosen !== null,
  });
  const finished = (scans.data?.items ?? []).filter((scan) => scan.status === 'finished' || scan.status === 'stopped');
  const [pair, setPair] = useState<[string, string] | null>(null);
  // By default the two newest scans are compared.
  const newest = finished.map((scan) => scan.id).join();
  useEffect(() => {
    const [b, a] = newest.split(',');
    setPair(a && b ? [a, b] : null);
  }, [newest]);

  if (libraries.error && !libraries.data) return <ErrorState error={libraries.error} retry={() => void libraries.refetch()} />;
  if (!libraries.data) return <Loading what={t('scans')} />;
  if (scans.error && !scans.data) return <ErrorState error={scans.error} retry={() => void scans.refetch()} />;
  const options = finished.map((scan) => ({ value: scan.id, label: formatDateTime(scan.started_at) }));
  return (
    <Page
      title={t('Scan history')}
      lead={t('Compare two scans to see which files changed.')}
      actions={
        <ButtonLink href="#/libraries">
          <ArrowLeft size={16} aria-hidden />
          {t('Libraries')}
        </ButtonLink>
      }
    >
      <div className="col g4">
        <Card>
          <div className={s.choose}>
            <Select
              label={t('Library')}
              allowDeselect={false}
              data={libraries.data.map((l) => ({ value: l.id, label: l.name }))}
              value={chosen}
              onChange={setLibraryId}
            />
            <Select
              label={t('Earlier scan')}
              allowDeselect={false}
              data={options}
              value={pair?.[0] ?? null}
              onChange={(v) => v && pair && setPair([v, pair[1]])}
              disabled={!pair}
            />
            <ArrowRight size={16} aria-hidden className={s.arrow} />
            <Select
              label={t('Later scan')}
              allowDeselect={false}
              data={options}
              value={pair?.[1] ?? null}
              onChange={(v) => v && pair && setPair([pair[0], v])}
              disabled={!pair}
            />
          </div>
          {pair ? (
            <Diff a={pair[0]} b={pair[1]} />
          ) : (
            <p className={`${s.none} muted`}>
              {chosen === null
                ? libraryId === null
                  ? t('There is no library yet.')
                  : t('Library not found')
                : scans.data
                  ? t('Comparing needs at least two finished scans.')
                  : t('Loading scans…')}
            </p>
          )}
        </Card>
        {scans.data && scans.data.items.length > 0 && (
          <Card
            title={t('All scans')}
            aside={<span className="muted">{t('{n|# scan|# scans}', { n: scans.data.total ?? scans.data.items.length })}</span>}
          >
            <RecentScans scans={scans.data.items} libraries={libraries.data} />
          </Card>
        )}
      </div>
    </Page>
  );
}

function Diff({ a, b }: { a: string; b: string }) {
  const [filter, setFilter] = useState<Filter>('all');
  const diff = useInfiniteQuery({
    queryKey: ['scan-diff', a, b],
    queryFn: ({ pageParam }) => catalog.scanDiff(a, b, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  if (diff.error && !diff.data) return <ErrorState error={diff.error} retry={() => void diff.refetch()} />;
  if (!diff.data) return <Loading what={t('changes')} />;
  const complete = diff.data.pages[0]?.complete ?? true;
  const loaded = diff.data.pages.flatMap((page) => page.items);
  const rows = loaded.filter((row) => filter === 'all' || row.kind === filter);
  return (
    <>
      <div className="row g2 wrap" style={{ margin: '16px 0 8px' }}>
        <Segmented<Filter>
          label={t('Type of change')}
          value={filter}
          onChange={setFilter}
          options={[
            { value: 'all', label: t('All') },
            ...(Object.keys(CHANGES) as ScanChange['kind'][]).map((kind) => ({
              value: kind,
              label: CHANGES[kind].label,
            })),
          ]}
        />
        <span className="grow" />
        <TextLink href={`/api/v1/scans/${a}/diff/${b}?format=ndjson`} download>
          {t('Export as NDJSON')}
        </TextLink>
      </div>
      {rows.length === 0 ? (
        <p className="muted">
          {loaded.length === 0
            ? t('No changes between these scans.')
            : diff.hasNextPage
              ? t('None of the changes loaded so far is of this type.')
              : t('No changes of this type.')}
        </p>
      ) : (
        <ul className={s.rows} {...readOnlyListProps}>
          {rows.map((row) => {
            const status = CHANGES[row.kind];
            return (
              <li key={`${row.kind}${row.rel_path}`}>
                <StatusText tone={status.tone} icon={status.icon}>
                  {status.label}
                </StatusText>
                <bdi className="mono cut">
                  {row.from_rel_path && <span className="muted">{row.from_rel_path} → </span>}
                  {row.item_id ? <a href={`#/item/${row.item_id}`}>{row.rel_path}</a> : row.rel_path}
                </bdi>
              </li>
            );
          })}
        </ul>
      )}
      {!complete && (
        <p className="muted meta">{t('Some changes are not listed because the change log of a scan in between was deleted.')}</p>
      )}
      {diff.hasNextPage && (
        <Button style={{ marginTop: 12 }} onClick={() => void diff.fetchNextPage()} disabled={diff.isFetchingNextPage}>
          {t('Load more')}
        </Button>
      )}
      {diff.isFetchNextPageError && <ErrorNote error={diff.error} />}
    </>
  );
}
