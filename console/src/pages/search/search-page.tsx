import { useMediaQuery } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { lazy, Suspense, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useSearch } from 'wouter';
import { about } from '../../api/operations.ts';
import { Problem } from '../../api/problem.ts';
import { savedSearches } from '../../api/search.ts';
import { usePageTitle, usePreload } from '../../components/page.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { ErrorState, Loading } from '../../components/states.tsx';
import { t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { setPreference } from '../../shell/preferences.ts';
import { useSession } from '../../shell/session.tsx';
import { filterChips } from './chips.ts';
import { CorrectedWords } from './corrected-words.tsx';
import { FacetPanel } from './facet-panel.tsx';
import { InspectorFrame } from './inspector-frame.tsx';
import { mostRestrictive, NoResults, useFilterRemovals } from './no-results.tsx';
import { plainWords } from './query-text.ts';
import { ResultsGrid } from './results-grid.tsx';
import { type ResultsHandle, ResultsList } from './results-list.tsx';
import { ResultsTools } from './results-tools.tsx';
import { SearchHead } from './search-head.tsx';
import s from './search-page.module.css';
import { EMPTY_SEARCH, fromSavedParams, readState, type SearchState, searchHref, sortOf, toParams, writeState } from './search-state.ts';
import { SelectionActions } from './selection-actions.tsx';
import { useFacets } from './use-facets.ts';
import { useHits } from './use-hits.ts';
import { useLibraries } from './use-libraries.ts';
import { useResultKeys } from './use-result-keys.ts';

// Loaded after the list, while the browser is idle.
const loadInspector = () => import('../item/inspector.tsx').then((part) => ({ default: part.Inspector }));
const Inspector = lazy(loadInspector);
const FiltersDrawer = lazy(() => import('./filters-drawer.tsx'));
const MapResults = lazy(() => import('../map/map-results.tsx'));

/** The search box, the filters, the results, and the inspector for the selected file. */
export default function SearchPage() {
  const { can } = useSession();
  const address = useSearch();
  const state = useMemo(() => readState(address), [address]);
  usePageTitle(state.q || t('Search'));
  usePreload(loadInspector);
  const phone = useMediaQuery('(max-width: 640px)', false, { getInitialValueInEffect: false }) ?? false;
  const tablet = useMediaQuery('(max-width: 1099px)', false, { getInitialValueInEffect: false }) ?? false;
  const client = useQueryClient();
  const box = useRef<HTMLInputElement>(null);
  const list = useRef<ResultsHandle>(null);
  const [filtersOpen, setFiltersOpen] = useState(false);
  const [locatedCount, setLocatedCount] = useState<number | null>(null);

  const change = useCallback((next: SearchState, keepHistory = true) => navigate(searchHref(next), { replace: !keepHistory }), []);
  useOpenSaved(state, change);

  const { libraries, awaited, scanning, unread } = useLibraries();
  const system = useQuery({ queryKey: ['about'], queryFn: about, staleTime: 600_000, retry: false });
  const libraryName = useCallback(
    (id: string) => libraries?.find((l) => l.id === id)?.name ?? (awaited ? '' : t('Unknown library')),
    [libraries, awaited],
  );
  // The address changes with every selected file. Everything that does not depend on that file uses this stable state, so that it does not render again.
  const listStateJson = useMemo(() => JSON.stringify({ ...state, item: '' }), [state]);
  const listState = useMemo(() => JSON.parse(listStateJson) as SearchState, [listStateJson]);
  const latestState = useRef(state);
  latestState.current = state;
  const changeListState = useCallback(
    (next: SearchState, keepHistory = true) => change({ ...next, item: latestState.current.item }, keepHistory),
    [change],
  );
  // Typed words do not change the filters, so the panel renders again only when its counts change.
  const filtersJson = useMemo(() => JSON.stringify({ ...listState, q: '' }), [listState]);
  const filters = useMemo(() => JSON.parse(filtersJson) as SearchState, [filtersJson]);
  const changeFilters = useCallback((next: SearchState) => changeListState({ ...next, q: latestState.current.q }), [changeListState]);
  const openFilters = useCallback(() => setFiltersOpen(true), []);
  const paramsJson = useMemo(() => JSON.stringify(toParams(listState)), [listState]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: paramsJson changes exactly when the parameters do
  const params = useMemo(() => toParams(listState), [paramsJson]);
  const words = useMemo(() => plainWords(state.q), [state.q]);
  // During a scan, the list is not refetched while a file is open or selected, because new files would move it.
  const mayRefetch = useRef(true);
  const growing = useCallback(() => scanning !== '' && mayRefetch.current, [scanning]);
  const hits = useHits(params, { growing });
  const facets = useFacets(listState, hits.first);
  // Until the response arrives, the chips come from the console's own tokenizer.
  const parsedFilters = hits.stale ? undefined : hits.first?.understood;
  const chips = useMemo(() => filterChips(listState, libraryName, parsedFilters), [listState, libraryName, parsedFilters]);
  const empty = hits.first !== undefined && !hits.stale && hits.total === 0;
  const removals = useFilterRemovals(chips, empty);
  const restrictiveId = (empty && mostRestrictive(removals)?.chip.id) || null;

  // These do not depend on the state, so that the rows of the last response stay as they are while somebody types.
  const open = useCallback(
    (index: number) => {
      const hit = hits.hitAt(index);
      if (hit) navigate(`/item/${hit.id}?${writeState({ ...latestState.current, item: '' })}&at=${index}`);
    },
    [hits.hitAt],
  );
  const showItem = useCallback((id: string) => change({ ...latestState.current, item: id }, false), [change]);
  const shownWords = useRef(words);
  if (!hits.stale) shownWords.current = words;
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

  mayRefetch.current = state.item === '' && results.selection.files.size === 0;

  const syntax = hits.error instanceof Problem && hits.error.status === 422 ? hits.error : null;
  const errorAt = syntax && typeof syntax.body['position'] === 'number' ? (syntax.body['position'] as number) : undefined;
  const semantic = system.data?.embedding.enabled ?? false;
  const waiting = hits.first === undefined && !hits.error;
  const panel = useMemo(
    () => (inDrawer: boolean) => (
      <FacetPanel
        state={filters}
        facets={facets}
        libraries={libraries ?? []}
        semantic={semantic}
        inDrawer={inDrawer}
        loading={waiting || awaited}
        onChange={changeFilters}
      />
    ),
    [filters, facets, libraries, awaited, semantic, waiting, changeFilters],
  );
  const side = useMemo(() => panel(false), [panel]);
  const { first } = hits;
  const tools = useMemo(
    () => <ResultsTools state={listState} response={first} locatedCount={locatedCount} scanning={scanning} onChange={changeListState} />,
    [listState, first, locatedCount, scanning, changeListState],
  );
  // Deferred, so that the inspector does not delay moving through the list.
  const shownItem = useDeferredValue(state.item);
  const inspected = shownItem !== '' && state.item !== '' && !phone && state.viewMode !== 'map';
  const positionParam = results.selection.current !== null ? `&at=${results.selection.current}` : '';
  const several = results.selection.files.size > 1;
  const place = useDeferredValue(positionParam);
  const closeDetails = useCallback(() => {
    setPreference('inspectorOpen', false);
    change({ ...latestState.current, item: '' }, false);
  }, [change]);
  const { openQuickLook } = results;
  const details = useMemo(
    () =>
      inspected && (
        <InspectorFrame narrow={tablet}>
          <Suspense fallback={<Loading what={t('the file')} />}>
            <Inspector
              id={shownItem}
              words={words}
              href={`#/item/${shownItem}?${writeState(listState)}${place}`}
              keys={!several}
              onQuickLook={openQuickLook}
              onClose={closeDetails}
            />
          </Suspense>
        </InspectorFrame>
      ),
    [inspected, tablet, shownItem, words, listState, place, several, openQuickLook, closeDetails],
  );
  const common = {
    hits,
    words: shownWords.current,
    selection: results.selection,
    libraryName,
    phone,
    onPick: results.pick,
    onOpen: open,
    ref: list,
  };

  return (
    <>
      <SearchHead
        state={listState}
        chips={chips}
        restrictiveId={restrictiveId}
        errorAt={errorAt}
        phone={phone}
        tablet={tablet}
        box={box}
        onChange={changeListState}
        onNewSearch={change}
        onEnterResults={results.focusList}
        onFilters={openFilters}
      />
      <h1 className="visually-hidden">{t('Search')}</h1>
      <div className={s.cols}>
        {side}
        <section className={s.results} aria-label={t('Results')}>
          {!empty && !(hits.error && !hits.first) && tools}
          {syntax ? (
            <p className={s.problem} role="alert">
              <CircleX size={16} aria-hidden />
              {syntax.message}
            </p>
          ) : hits.error && !hits.first ? (
            <ErrorState error={hits.error} retry={hits.retry} />
          ) : null}
          {!empty && !syntax && !hits.stale && hits.first && <CorrectedWords state={state} response={hits.first} onChange={change} />}
          {empty && hits.first && !syntax ? (
            <NoResults
              removals={removals}
              response={hits.first}
              state={state}
              mayAddLibraries={can('admin')}
              noLibraries={libraries?.length === 0}
              scanning={scanning}
              unread={unread}
              onChange={change}
            />
          ) : hits.first && !syntax ? (
            state.viewMode === 'grid' ? (
              <ResultsGrid {...common} byMonth={sortOf(state) === 'newest'} />
            ) : state.viewMode === 'map' ? (
              <Suspense fallback={<Loading what={t('the map')} />}>
                <MapResults state={state} onChange={change} onLocatedCount={setLocatedCount} />
              </Suspense>
            ) : (
              <ResultsList {...common} />
            )
          ) : waiting ? (
            <SkeletonRows />
          ) : null}
          <SelectionActions
            results={results}
            hits={hits}
            params={params}
            libraryName={libraryName}
            words={words}
            state={state}
            onChanged={() => {
              // The inspector and the facets show tags as well. The index follows within seconds.
              for (const delay of [0, 1500, 5000])
                setTimeout(() => {
                  for (const key of ['search', 'facets', 'item']) void client.invalidateQueries({ queryKey: [key] });
                }, delay);
            }}
          />
        </section>
        {details}
      </div>
      {tablet && (
        <Suspense>
          <FiltersDrawer opened={filtersOpen} phone={phone} total={hits.total} onClose={() => setFiltersOpen(false)}>
            {panel(true)}
          </FiltersDrawer>
        </Suspense>
      )}
    </>
  );
}

/** Replaces an address that contains only the id of a saved search by that search. */
function useOpenSaved(state: SearchState, change: (state: SearchState, keepHistory?: boolean) => void): void {
  const saved = useQuery({ queryKey: ['saved-searches'], queryFn: savedSearches, staleTime: 30_000, enabled: state.saved !== '' });
  const bare = JSON.stringify({ ...state, viewMode: 'list' }) === JSON.stringify({ ...EMPTY_SEARCH, saved: state.saved });
  useEffect(() => {
    const found = bare && saved.data?.find((one) => one.id === state.saved);
    if (found) change({ ...EMPTY_SEARCH, viewMode: state.viewMode, ...fromSavedParams(found.params), saved: found.id }, false);
  }, [bare, saved.data, state.saved, state.viewMode, change]);
}
