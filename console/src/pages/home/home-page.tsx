import { useQueries, useQuery } from '@tanstack/react-query';
import {
  Bell,
  Bookmark,
  CircleAlert,
  CircleX,
  FileQuestion,
  FileX,
  HardDrive,
  type LucideIcon,
  RefreshCw,
  TriangleAlert,
} from 'lucide-react';
import { alerts as firingAlerts } from '../../api/alerts.ts';
import * as catalog from '../../api/catalog.ts';
import { stats as loadStats } from '../../api/operations.ts';
import * as reports from '../../api/reports.ts';
import { savedSearches, search } from '../../api/search.ts';
import type { Library, LibraryStats, SearchParams } from '../../api/types.ts';
import { ButtonLink, TextLink } from '../../components/button.tsx';
import { MiddleEllipsis } from '../../components/middle-ellipsis.tsx';
import { Card, Page } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { Thumb, thumbVersion } from '../../components/thumb.tsx';
import { formatTime } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { readOnlyListProps } from '../../shell/list-keys.ts';
import { useSession } from '../../shell/session.tsx';
import { TopBar } from '../../shell/top-bar.tsx';
import { findingOf } from '../reports/findings.tsx';
import { usePins } from '../reports/pin-button.tsx';
import { searchHref } from '../search/search-state.ts';
import { StartSearch } from '../search/start-search.tsx';
import { type AttentionRow, attentionRows } from './attention.ts';
import { FirstStepsCard } from './first-steps-card.tsx';
import s from './home-page.module.css';
import { progressRows } from './progress.ts';
import { StorageCard } from './storage-card.tsx';

const REFRESH_MS = 15_000;
const SHOWN_SEARCHES = 5;
const RECENT = 6;

/** What needs attention, what is going on, what is new, and how much there is. */
export default function HomePage() {
  const { me } = useSession();
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, refetchInterval: REFRESH_MS });
  const totals = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, refetchInterval: REFRESH_MS });
  const name = me?.display_name || me?.username || '';
  return (
    <>
      <div className={s.top}>
        <TopBar>
          <StartSearch />
        </TopBar>
      </div>
      <Page
        title={name ? `${greeting(new Date())}, ${name}` : greeting(new Date())}
        lead={
          totals.data
            ? `${t('{n|# file|# files}', { n: totals.data.total_files })} · ${formatBytes(totals.data.total_bytes)}`
            : t('Counting files…')
        }
      >
        <div className={s.columns}>
          <div className="col g4">
            <FirstStepsCard libraries={libraries.data} />
            <Attention libraries={libraries.data} totals={totals.data?.libraries} error={libraries.error ?? totals.error} />
            <InProgress libraries={libraries.data} error={libraries.error} />
            <RecentlyAdded />
          </div>
          <div className="col g4">
            <SavedSearches />
            <PinnedReports />
            <StorageCard totals={totals.data} />
          </div>
        </div>
      </Page>
    </>
  );
}

export function greeting(now: Date): string {
  const hour = now.getHours();
  if (hour < 5) return t('Good night');
  if (hour < 12) return t('Good morning');
  return hour < 18 ? t('Good afternoon') : t('Good evening');
}

const ICONS: Record<AttentionRow['icon'], LucideIcon> = {
  guard: TriangleAlert,
  failed: CircleX,
  alert: Bell,
  disk: HardDrive,
  unreadable: FileX,
  missing: FileQuestion,
  unknown: CircleAlert,
};

interface AttentionProps {
  libraries: Library[] | undefined;
  totals: LibraryStats[] | undefined;
  /** Why one of them is missing. */
  error: unknown;
}

function Attention({ libraries, totals, error }: AttentionProps) {
  const stats = useQuery({ queryKey: ['stats'], queryFn: loadStats, refetchInterval: REFRESH_MS });
  // The same request as that of the rail.
  const firing = useQuery({ queryKey: ['alerts', 'firing'], queryFn: () => firingAlerts({ state: 'firing' }), staleTime: 30_000 });
  const missing = totals?.reduce((sum, one) => sum + one.missing_count, 0) ?? 0;
  const rows =
    stats.data && libraries && totals && !firing.isPending ? attentionRows(libraries, stats.data, missing, firing.data?.items) : null;
  const alertsError = firing.data ? null : firing.error;
  const failure = stats.error ?? error ?? alertsError;
  return (
    <Card
      headingId="home-attention"
      title={
        <>
          <h2 className="h3" id="home-attention">
            {t('Needs attention')}
          </h2>
          {rows && rows.length > 0 && <span className="muted">{rows.length}</span>}
        </>
      }
    >
      <ErrorNote error={stats.error ?? (rows ? null : error) ?? alertsError} />
      {!rows && !failure && <Skeletons count={2} />}
      {rows?.length === 0 && !alertsError && (
        <p className={s.empty}>{t('Nothing needs attention. Last check {time}.', { time: formatTime(new Date(stats.dataUpdatedAt)) })}</p>
      )}
      <ul className={s.list} {...readOnlyListProps}>
        {rows?.map((row, nth) => {
          const Icon = ICONS[row.icon];
          return (
            <li key={row.key} className={s.attention}>
              <Icon size={18} aria-hidden className={row.icon === 'failed' || row.icon === 'alert' ? s.danger : s.warn} />
              <div className={s.words}>
                <b className="m5">{row.title}</b>
                <p className="t2">{row.detail}</p>
              </div>
              <ButtonLink size="s" variant={nth === 0 ? 'primary' : 'default'} href={row.href} data-main>
                {row.action}
              </ButtonLink>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

function InProgress({ libraries, error }: { libraries: Library[] | undefined; error: unknown }) {
  const { can } = useSession();
  const rows = progressRows(libraries ?? []);
  return (
    <Card title={t('In progress')} aside={<TextLink href="#/jobs">{t('All jobs')}</TextLink>} headingId="home-progress">
      {!libraries && (error ? <ErrorNote error={error} /> : <Skeletons count={1} />)}
      {libraries && rows.length === 0 && (
        <p className={s.empty}>
          {libraries.length === 0 && !can('admin')
            ? t('You do not have access to any files. Ask an administrator for access to a library.')
            : libraries.length === 0
              ? rich('No libraries yet. <link>Add a library</link>', { link: (text) => <TextLink href="#/libraries">{text}</TextLink> })
              : t('No library is being scanned or read.')}
        </p>
      )}
      <ul className={s.list}>
        {rows.map((row) => (
          <li key={row.id} className={s.progress}>
            <RefreshCw size={16} aria-hidden className={s.active} />
            <span className="cut">
              <b className="m5">{row.title}</b>
              {row.left && <span className="t2"> · {row.left}</span>}
            </span>
            <Bar share={row.total ? row.done / row.total : null} label={row.title} />
            <span className="num t2 nw">
              {row.total === null ? t('{n|# file|# files}', { n: row.done }) : t('{done} of {total}', { done: row.done, total: row.total })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Bar({ share, label }: { share: number | null; label: string }) {
  return (
    <span className={s.bar} role="progressbar" aria-label={label} aria-valuenow={share === null ? undefined : Math.round(share * 100)}>
      <i style={{ width: `${Math.min(100, (share ?? 0) * 100)}%` }} />
    </span>
  );
}

function RecentlyAdded() {
  const recent = useQuery({
    queryKey: ['search', 'recently-added'],
    queryFn: ({ signal }) => search({ sort: 'added:desc', limit: RECENT, facets: false }, signal),
    refetchInterval: REFRESH_MS,
  });
  return (
    <Card
      title={t('Recently added')}
      headingId="home-recent"
      aside={<TextLink href={`#${searchHref({ sort: 'added:desc', viewMode: 'grid' })}`}>{t('Show all')}</TextLink>}
    >
      {recent.error && <ErrorNote error={recent.error} />}
      {recent.data?.hits.length === 0 && <p className={s.empty}>{t('No files yet. They appear here as they are found.')}</p>}
      <ul className={s.recent}>
        {recent.data?.hits.map((hit) => (
          <li key={hit.id}>
            <a href={`#/item/${hit.id}`} className={s.tile}>
              <span className={s.picture}>
                <Thumb id={hit.id} available={hit.has_thumb} version={thumbVersion(hit)} category={hit.file_category} />
              </span>
              <MiddleEllipsis name={hit.filename} />
              <span className="meta muted">{formatBytes(hit.size)}</span>
            </a>
          </li>
        )) ??
          (!recent.error && ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => <li key={key} className={s.waiting} />))}
      </ul>
    </Card>
  );
}

function SavedSearches() {
  const saved = useQuery({ queryKey: ['saved-searches'], queryFn: savedSearches, staleTime: 30_000 });
  const shown = (saved.data ?? []).slice(0, SHOWN_SEARCHES);
  const counts = useQueries({
    queries: shown.map((one) => ({
      queryKey: ['search', 'count', JSON.stringify(one.params)],
      queryFn: ({ signal }: { signal: AbortSignal }) => search({ ...(one.params as SearchParams), limit: 1, facets: false }, signal),
      staleTime: 60_000,
      retry: false,
    })),
  });
  return (
    <Card title={t('Saved searches')} headingId="home-saved">
      {saved.data?.length === 0 && <p className={s.empty}>{t('Save a search to see its count here.')}</p>}
      {!saved.data && !saved.error && <Skeletons count={2} />}
      {saved.error && <ErrorNote error={saved.error} />}
      <ul className={s.list}>
        {shown.map((one, nth) => (
          <li key={one.id}>
            <a className={s.saved} href={`#/?saved=${one.id}`}>
              <Bookmark size={16} aria-hidden />
              <bdi className="cut">{one.name}</bdi>
              <span className="num t2">{counts[nth]?.error ? t('not available') : count(counts[nth]?.data?.total)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The reports that somebody pinned, each with its finding. */
function PinnedReports() {
  const pins = usePins();
  const all = useQuery({
    queryKey: ['reports'],
    queryFn: reports.reports,
    staleTime: Number.POSITIVE_INFINITY,
    enabled: pins.length > 0,
  });
  const shown = (all.data ?? []).filter(({ id }) => pins.includes(id));
  const runs = useQueries({
    queries: shown.map(({ id }) => ({
      queryKey: ['report-card', id, null],
      queryFn: ({ signal }: { signal: AbortSignal }) => reports.runReport(id, { limit: 20 }, signal),
      staleTime: 300_000,
    })),
  });
  if (pins.length === 0) return null;
  return (
    <Card title={t('Reports')} headingId="home-reports" aside={<TextLink href="#/reports">{t('All reports')}</TextLink>}>
      {all.error && <ErrorNote error={all.error} />}
      <ul className={s.list} {...readOnlyListProps}>
        {shown.map(({ id, title, description }, nth) => (
          <li key={id}>
            <a className={s.report} href={`#/reports/${id}`}>
              <b className="m5">{title}</b>
              <span className="t2">{runs[nth]?.data ? findingOf(runs[nth].data) : description}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const count = (total: number | undefined): string => (total === undefined ? '…' : formatCount(total));

function Skeletons({ count: lines }: { count: number }) {
  return (
    <div role="status" aria-label={t('Loading')}>
      {['a', 'b', 'c'].slice(0, lines).map((key) => (
        <div key={key} className={s.skeleton} />
      ))}
    </div>
  );
}
