import { Select, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type MouseEvent, useCallback, useMemo, useRef } from 'react';
import { useSearch } from 'wouter';
import { searchTimeline } from '../../api/search.ts';
import type { SearchTimeline } from '../../api/types.ts';
import { usePageTitle } from '../../components/page.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { plainWords } from '../search/query-text.ts';
import { inParentheses, readState, type SearchState, searchHref, toParams, writeState } from '../search/search-state.ts';
import { SelectionActions } from '../search/selection-actions.tsx';
import { useHits } from '../search/use-hits.ts';
import { useLibraries } from '../search/use-libraries.ts';
import { useResultKeys } from '../search/use-result-keys.ts';
import { FilterBox } from './filter-box.tsx';
import { type TimelineHandle, TimelineList, TimelineSkeleton } from './timeline-list.tsx';
import { sectionOfMonth, type TimelineDate, timelineMonths } from './timeline-months.ts';
import s from './timeline-page.module.css';

const KINDS: Record<string, string[]> = { media: ['image', 'video'], image: ['image'], video: ['video'], all: [] };
const KIND_LABELS = [
  { value: 'media', label: t('Photos and videos') },
  { value: 'image', label: t('Photos') },
  { value: 'video', label: t('Videos') },
  { value: 'all', label: t('All files') },
];
const DATE_LABELS: { value: TimelineDate; label: string }[] = [
  { value: 'taken', label: t('Date taken') },
  { value: 'modified', label: t('Date modified') },
];

const yearOf = (seconds: number): number => new Date(seconds * 1000).getUTCFullYear();

/** "1,102,480 files, 1931 to 2024". */
function summary({ total, months }: SearchTimeline): string {
  const newest = months[0];
  const oldest = months.at(-1);
  if (!newest || !oldest) return t('{n|# file|# files}', { n: total });
  // As text: a year has no thousands separator.
  const [from, to] = [String(yearOf(oldest.from)), String(yearOf(newest.from))];
  return `${t('{n|# file|# files}', { n: total })}, ${from === to ? from : t('{from} to {to}', { from, to })}`;
}

/** All pictures by the month in which they were taken, or all files by the month of their last modification. */
export default function TimelinePage() {
  usePageTitle(t('Timeline'));
  const address = useSearch();
  const phone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false }) ?? false;
  const query = new URLSearchParams(address);
  const date: TimelineDate = query.get('date') === 'modified' ? 'modified' : 'taken';
  const kind = query.get('show') ?? 'media';
  const state = useMemo(() => readState(address), [address]);
  const change = useCallback(
    (next: Record<string, string | null>) => {
      const params = new URLSearchParams(address);
      for (const [name, value] of Object.entries(next)) value ? params.set(name, value) : params.delete(name);
      navigate(`/timeline${params.size ? `?${params}` : ''}`, { replace: true });
    },
    [address],
  );

  const searched: SearchState = useMemo(
    () => ({
      ...state,
      categories: KINDS[kind] ?? [],
      sort: date === 'taken' ? 'taken:desc' : 'newest',
      viewMode: 'grid',
      item: '',
    }),
    [state, kind, date],
  );
  const paramsJson = JSON.stringify(toParams(searched));
  // biome-ignore lint/correctness/useExhaustiveDependencies: paramsJson changes exactly when the parameters do
  const params = useMemo(() => toParams(searched), [paramsJson]);
  const hits = useHits(params);
  const { libraries, scanning, unread } = useLibraries();
  const counted = useQuery({
    // Counted again when the number of hits changes, so that months and files agree.
    queryKey: ['search', 'timeline', paramsJson, hits.total],
    queryFn: ({ signal }) => {
      const { sort: _, ...filters } = params;
      return searchTimeline({ ...filters, date }, signal);
    },
    enabled: hits.first !== undefined && !hits.stale,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const timeline = counted.data;
  const months = useMemo(() => timeline && timelineMonths(timeline), [timeline]);
  const libraryName = useCallback((id: string) => libraries?.find((one) => one.id === id)?.name ?? t('Unknown library'), [libraries]);
  const words = useMemo(() => plainWords(state.q), [state.q]);

  const box = useRef<HTMLInputElement>(null);
  const list = useRef<TimelineHandle>(null);
  const month = useRef<HTMLInputElement>(null);
  /** Shows the month at the top in the field that jumps to a month, without rendering the page on every month that scrolls by. */
  const showMonth = useCallback(
    (section: number) => {
      const at = months?.list[section];
      if (month.current && month.current !== document.activeElement)
        month.current.value = at && at.end > 0 ? new Date(at.start * 1000).toISOString().slice(0, 7) : '';
    },
    [months],
  );
  const client = useQueryClient();
  const open = useCallback(
    (index: number) => {
      const hit = hits.hitAt(index);
      if (hit) navigate(`/item/${hit.id}?${writeState(searched)}&at=${index}`);
    },
    [hits.hitAt, searched],
  );
  const toSearch = useCallback((next: SearchState) => navigate(searchHref({ ...next, item: '' })), []);
  const results = useResultKeys({
    hits,
    list,
    box,
    state: { ...searched, q: '' },
    phone,
    onShow: () => {},
    onOpen: open,
    onChange: toSearch,
    onFilters: () => toSearch(searched),
  });
  const { pick: select, openQuickLook } = results;
  const pick = useCallback(
    (index: number, event: MouseEvent) => {
      select(index, event);
      if (!phone && !event.shiftKey && !event.ctrlKey && !event.metaKey) openQuickLook();
    },
    [select, openQuickLook, phone],
  );

  const stepMonths = (by: number) => {
    if (!months || !list.current) return false;
    list.current.showSection(Math.min(months.list.length - 1, Math.max(0, list.current.section() + by)));
    return true;
  };
  const stepYears = (by: 1 | -1) => {
    if (!months || !list.current) return false;
    const now = list.current.section();
    const year = yearOf(months.list[now]?.start ?? 0);
    const rest = months.list.map((one, at) => ({ at, year: yearOf(one.start) })).filter((one) => (by > 0 ? one.at > now : one.at < now));
    const next = by > 0 ? rest.find((one) => one.year !== year) : rest.findLast((one) => one.year !== year);
    list.current.showSection(next?.at ?? (by > 0 ? months.list.length - 1 : 0));
    return true;
  };
  useKeys({
    PageDown: () => stepMonths(1),
    PageUp: () => stepMonths(-1),
    'Shift+PageDown': () => stepYears(1),
    'Shift+PageUp': () => stepYears(-1),
  });

  const monthHref = useCallback(
    (section: number): string | null => {
      const month = months?.list[section];
      if (!month || month.end === 0) return null;
      if (date === 'modified') return `#${searchHref({ ...searched, modifiedFrom: month.start, modifiedTo: month.end - 1 })}`;
      const clause = `taken:${new Date(month.start * 1000).toISOString().slice(0, 7)}`;
      return `#${searchHref({ ...searched, q: `${clause} ${inParentheses(state.q)}`.trim() })}`;
    },
    [months, date, searched, state.q],
  );

  return (
    <div className={s.page}>
      <header className={s.head}>
        <h1 className="h2">{t('Timeline')}</h1>
        <FilterBox box={box} q={state.q} onChange={(q) => change({ q })} />
        <span className={s.summary} role="status">
          {timeline ? summary(timeline) : ''}
        </span>
        <span className="grow" />
        <Select
          aria-label={t('Library')}
          className={s.choice}
          placeholder={t('All libraries')}
          clearable
          value={state.libraries[0] ?? null}
          onChange={(library) => change({ library })}
          data={(libraries ?? []).map((one) => ({ value: one.id, label: one.name }))}
        />
        <Select
          aria-label={t('Files shown')}
          className={s.choice}
          allowDeselect={false}
          value={kind}
          data={KIND_LABELS}
          onChange={(value) => change({ show: value === 'media' ? null : value })}
        />
        <Select
          aria-label={t('Date used')}
          className={s.choice}
          allowDeselect={false}
          value={date}
          data={DATE_LABELS}
          onChange={(value) => change({ date: value === 'taken' ? null : value })}
        />
        <TextInput
          ref={month}
          type="month"
          aria-label={t('Jump to a month')}
          className={s.choice}
          onChange={(event) => {
            const { value } = event.currentTarget;
            if (months && /^\d{4}-\d\d$/.test(value)) list.current?.showSection(sectionOfMonth(months, value));
          }}
        />
      </header>
      {hits.error && !hits.first ? (
        <ErrorState error={hits.error} retry={hits.retry} />
      ) : counted.error && !timeline ? (
        <ErrorState error={counted.error} retry={() => void counted.refetch()} />
      ) : !hits.first || !timeline || !months ? (
        <TimelineSkeleton />
      ) : hits.total === 0 ? (
        <EmptyState title={state.q || state.libraries.length ? t('No files match') : t('No photos or videos yet')}>
          {scanning ||
            (unread > 0 ? t('{unread|# file|# files} still to be read.', { unread }) : t('They appear here after a library is scanned.'))}
        </EmptyState>
      ) : (
        <>
          {unread > 0 && date === 'taken' && (
            <p className={s.unread} role="status">
              {t('{n|# file is|# files are} still to be read. Until then {n|it is|they are} under “No date”.', { n: unread })}
            </p>
          )}
          <TimelineList
            ref={list}
            hits={hits}
            months={months}
            timeline={timeline}
            date={date}
            selection={results.selection}
            phone={phone}
            monthHref={monthHref}
            onSection={showMonth}
            onPick={pick}
            onOpen={open}
          />
        </>
      )}
      <SelectionActions
        results={results}
        hits={hits}
        params={params}
        libraryName={libraryName}
        words={words}
        state={searched}
        onChanged={() => {
          for (const key of ['search', 'item']) void client.invalidateQueries({ queryKey: [key] });
        }}
      />
    </div>
  );
}
