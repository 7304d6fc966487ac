import { Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { about } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { savedSearches } from '../../api/search.ts';
import { pluralize } from '../../format/numbers.ts';
import { Button } from '../../components/button.tsx';
import { usePreload, usePageTitle } from '../../components/page.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { navigate } from '../../shell/hash-location.ts';
import { setPreference } from '../../shell/preferences.ts';
import { chipsOf } from './chips.ts';
import { FacetPanel } from './facet-panel.tsx';
import { InspectorFrame } from './inspector-frame.tsx';
import { culprit, NoResults, useLifts } from './no-results.tsx';
import { plainWords } from './query-text.ts';
import { ResultsGrid } from './results-grid.tsx';
import { type ResultsHandle, ResultsList } from './results-list.tsx';
import { ResultsTools } from './results-tools.tsx';
import { SearchHead } from './search-head.tsx';
import { EMPTY, fromSavedParams, readState, searchHref, type SearchState, toParams, writeState } from './search-state.ts';
import s from './search-page.module.css';
import { SelectionActions } from './selection-actions.tsx';
import { useFacets } from './use-facets.ts';
import { useHits } from './use-hits.ts';
import { useLibraries } from './use-libraries.ts';
import { useResultKeys } from './use-result-keys.ts';

// The list comes first; details follow it, loaded while nothing else is asked for.
const loadInspector = () => import('../item/inspector.tsx').then((part) => ({ default: part.Inspector }));
const Inspector = lazy(loadInspector);
const MapLens = lazy(() => import('../map/map-lens.tsx'));

/** The home of the console: one box, everything found. */
export default function SearchPage() {
  const address = useSearch();
  const state = useMemo(() => readState(address), [address]);
  usePageTitle(state.q || 'Search');
  usePreload(loadInspector);
  const phone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false }) ?? false;
  const tablet = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false }) ?? false;
  const client = useQueryClient();
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<ResultsHandle>(null);
  const [filtersOpen, setFiltersOpen] = useState(false);
  const [placed, setPlaced] = useState<number | null>(null);

  const change = useCallback((next: SearchState, keepHistory = true) => navigate(searchHref(next), { replace: !keepHistory }), []);
  useOpenSaved(state, change);

  const { libraries, scanning } = useLibraries();
  const system = useQuery({ queryKey: ['about'], queryFn: about, staleTime: 600_000, retry: false });
  const libraryName = useCallback((id: string) => libraries?.find((l) => l.id === id)?.name ?? 'a library', [libraries]);
  // The address changes with every chosen file; what is asked and how it is shown does not. Whatever depends on that alone is not drawn again.
  const asked = useMemo(() => JSON.stringify({ ...state, item: '' }), [state]);
  const view = useMemo(() => JSON.parse(asked) as SearchState, [asked]);
  const stateNow = useRef(state);
  stateNow.current = state;
  const changeView = useCallback(
    (next: SearchState, keepHistory = true) => change({ ...next, item: stateNow.current.item }, keepHistory),
    [change],
  );
  const openFilters = useCallback(() => setFiltersOpen(true), []);
  const question = useMemo(() => JSON.stringify(toParams(view)), [view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the question stands for the state
  const params = useMemo(() => toParams(view), [question]);
  const words = useMemo(() => plainWords(state.q), [state.q]);
  // Files that come while one works with others do not move them.
  const atRest = useRef(true);
  const growing = useCallback(() => scanning !== '' && atRest.current, [scanning]);
  const hits = useHits(params, { growing });
  const facets = useFacets(view, hits.first);
  // Until the answer to this question is there, the console reads the query itself.
  const understood = hits.stale ? undefined : hits.first?.understood;
  const chips = useMemo(() => chipsOf(view, libraryName, understood), [view, libraryName, understood]);
  const empty = hits.first !== undefined && !hits.stale && hits.total === 0;
  const lifts = useLifts(chips, empty);
  const badId = (empty && culprit(lifts)?.chip.id) || null;

  const open = useCallback(
    (index: number) => {
      const hit = hits.hitAt(index);
      if (hit) navigate(`/item/${hit.id}?${writeState(view)}&at=${index}`);
    },
    [hits.hitAt, view],
  );
  const showItem = useCallback((id: string) => change({ ...view, item: id }, false), [change, view]);
  const results = useResultKeys({
    hits,
    list,
    box,
    state,
    phone,
    onShow: showItem,
    onOpen: open,
    onChange: change,
    onFilters: () => setFiltersOpen((o) => !o),
  });

  atRest.current = state.item === '' && results.selection.ids.size === 0;

  const syntax = hits.error instanceof Problem && hits.error.status === 422 ? hits.error : null;
  const errorAt = syntax && typeof syntax.body['position'] === 'number' ? (syntax.body['position'] as number) : undefined;
  const semantic = system.data?.embedding.enabled ?? false;
  const panel = useMemo(
    () => (inDrawer: boolean) => (
      <FacetPanel state={view} facets={facets} libraries={libraries ?? []} semantic={semantic} inDrawer={inDrawer} onChange={changeView} />
    ),
    [view, facets, libraries, semantic, changeView],
  );
  const side = useMemo(() => panel(false), [panel]);
  const { first } = hits;
  const tools = useMemo(
    () => <ResultsTools state={view} answer={first} placed={placed} scanning={scanning} onChange={changeView} />,
    [view, first, placed, scanning, changeView],
  );
  // The details are drawn between the frames of a list that moves.
  const shownItem = useDeferredValue(state.item);
  const inspected = shownItem !== '' && state.item !== '' && !phone && state.lens !== 'map';
  const placeOf = results.selection.current !== null ? `&at=${results.selection.current}` : '';
  const several = results.selection.ids.size > 1;
  const place = useDeferredValue(placeOf);
  const closeDetails = useCallback(() => {
    setPreference('inspectorOpen', false);
    change({ ...stateNow.current, item: '' }, false);
  }, [change]);
  const { quickLook } = results;
  const details = useMemo(
    () =>
      inspected && (
        <InspectorFrame narrow={tablet}>
          <Suspense fallback={<Loading what="the file" />}>
            <Inspector
              id={shownItem}
              words={words}
              href={`#/item/${shownItem}?${writeState(view)}${place}`}
              keys={!several}
              onQuickLook={quickLook}
              onClose={closeDetails}
            />
          </Suspense>
        </InspectorFrame>
      ),
    [inspected, tablet, shownItem, words, view, place, several, quickLook, closeDetails],
  );
  const common = { hits, words, selection: results.selection, libraryName, phone, onPick: results.pick, onOpen: open, ref: list };

  return (
    <>
      <SearchHead
        view={view}
        chips={chips}
        badId={badId}
        errorAt={errorAt}
        phone={phone}
        tablet={tablet}
        box={box}
        onChange={changeView}
        onAsk={change}
        onDown={results.enterList}
        onFilters={openFilters}
      />
      <h1 className="visually-hidden">Search</h1>
      <div className={s.cols}>
        {side}
        <section className={s.results} aria-label="Results">
          {!empty && !(hits.error && !hits.first) && tools}
          {syntax ? (
            <p className={s.problem} role="alert">
              <CircleX size={16} aria-hidden />
              {syntax.message}
            </p>
          ) : hits.error && !hits.first ? (
            <ErrorState error={hits.error} retry={hits.retry} />
          ) : null}
          {empty && hits.first && !syntax ? (
            <NoResults
              lifts={lifts}
              answer={hits.first}
              state={state}
              emptyCatalog={(libraries?.length ?? 0) === 0 || chips.length === 0}
              scanning={scanning}
              onChange={change}
            />
          ) : hits.first && !syntax ? (
            state.lens === 'grid' ? (
              <ResultsGrid {...common} byMonth={state.sort === 'newest'} />
            ) : state.lens === 'map' ? (
              <Suspense fallback={<Loading what="the map" />}>
                <MapLens state={state} onChange={change} onPlaced={setPlaced} />
              </Suspense>
            ) : (
              <ResultsList {...common} />
            )
          ) : null}
          <SelectionActions
            results={results}
            hits={hits}
            params={params}
            libraryName={libraryName}
            words={words}
            state={state}
            onChanged={() => void client.invalidateQueries({ queryKey: ['search'] })}
          />
        </section>
        {details}
      </div>
      <Drawer
        opened={filtersOpen && tablet}
        onClose={() => setFiltersOpen(false)}
        position={phone ? 'bottom' : 'left'}
        size={phone ? '80%' : 296}
        title="Filters"
        padding={0}
        closeButtonProps={{ 'aria-label': 'Close filters' }}
        styles={{
          header: { padding: '12px 16px' },
          content: { display: 'flex', flexDirection: 'column' },
          body: { display: 'flex', flexDirection: 'column', flex: 1, minHeight: 0 },
        }}
      >
        {panel(true)}
        <div className={s.sheetFoot}>
          <Button variant="primary" size="l" style={{ width: '100%' }} onClick={() => setFiltersOpen(false)}>
            Show {pluralize(hits.total, 'file')}
          </Button>
        </div>
      </Drawer>
    </>
  );
}

/** An address that only names a saved search becomes that search. */
function useOpenSaved(state: SearchState, change: (state: SearchState, keepHistory?: boolean) => void): void {
  const saved = useQuery({ queryKey: ['saved-searches'], queryFn: savedSearches, staleTime: 30_000, enabled: state.saved !== '' });
  const bare = JSON.stringify({ ...state, lens: 'list' }) === JSON.stringify({ ...EMPTY, saved: state.saved });
  useEffect(() => {
    const found = bare && saved.data?.find((one) => one.id === state.saved);
    if (found) change({ ...EMPTY, lens: state.lens, ...fromSavedParams(found.params), saved: found.id }, false);
  }, [bare, saved.data, state.saved, state.lens, change]);
}
