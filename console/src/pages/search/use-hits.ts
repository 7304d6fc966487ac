import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { Problem } from '../../api/problem.ts';
import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams, SearchResponse } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import {
  abortRequests,
  allTallRows,
  createPageCache,
  evictDistantPages,
  FIRST_PAGE_SIZE,
  firstRowOf,
  isHeld,
  isTall,
  missingVisiblePages,
  PAGE_SIZE,
  type PageCache,
  pageOfRow,
} from './page-cache.ts';

/** Rows loaded ahead on both sides of the viewport once it is scrolled, so that continuous scrolling does not wait. */
const PREFETCH_ROWS = 100;
/** Delay before loading. After a jump, such as a drag of the scroll bar, each further jump restarts it. */
const SCROLL_DELAY_MS = 40;
const JUMP_DELAY_MS = 80;
const MAX_REQUESTS = 3;
/** Refetch intervals while the result is empty, and while a scan adds files. */
const EMPTY_REFETCH_MS = 1500;
const GROWING_REFETCH_MS = 3000;

export interface Hits {
  first: SearchResponse | undefined;
  /** Identifies the query of `first`. It does not change on a refetch, so that the scroll position is kept. */
  queryId: string;
  total: number;
  hitAt: (row: number) => SearchHit | undefined;
  /** Loads the rows of a range, both ends included; false if another query has begun meanwhile, or the page was left. */
  loadRows: (from: number, to: number) => Promise<boolean>;
  /** Sets the rows in the viewport, and whether the viewport jumped there. */
  setVisibleRows: (from: number, to: number, jumped?: boolean) => void;
  error: unknown;
  fetching: boolean;
  /** `first` belongs to the previous query. */
  stale: boolean;
  retry: () => void;
  /** Notifies when a page of hits is loaded. Only the list subscribes, so that the rest of the page does not render again. */
  pageLoads: LoadEvents;
  /** The loaded rows with a snippet, ascending. */
  tallRows: () => readonly number[];
}

interface LoadEvents {
  subscribe: (listener: () => void) => () => void;
  count: () => number;
}

function createLoadEvents(): LoadEvents & { notify: () => void } {
  const listeners = new Set<() => void>();
  let n = 0;
  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    count: () => n,
    notify: () => {
      n += 1;
      for (const listener of listeners) listener();
    },
  };
}

/** Renders the caller again with every loaded page. */
export const useLoadedPageCount = (hits: Hits): number => useSyncExternalStore(hits.pageLoads.subscribe, hits.pageLoads.count);

interface HitsOptions {
  enabled?: boolean;
  /** Whether a scan is adding files and the list may be refetched now. A scrolled list is never refetched. */
  growing?: () => boolean;
}

const isCursorRefused = (error: unknown): boolean => error instanceof Problem && /^cursor_/.test(error.code);

/** The hits of one query, loaded page by page as they scroll into view. */
export function useHits(params: SearchParams, { enabled = true, growing }: HitsOptions = {}): Hits {
  const key = useMemo(() => JSON.stringify(params), [params]);
  const first = useQuery({
    queryKey: ['search', key],
    queryFn: ({ signal }) => search({ ...params, limit: FIRST_PAGE_SIZE, histograms: true }, signal),
    placeholderData: keepPreviousData,
    // Comparing a response with the one before costs more than rendering it.
    structuralSharing: false,
    staleTime: 30_000,
    // An empty result may fill up while the first scan runs.
    refetchInterval: (query) => (query.state.data?.total === 0 ? EMPTY_REFETCH_MS : false),
    enabled,
  });
  const firstVisibleRow = useRef(0);
  const wasGrowing = useRef(false);
  const { refetch } = first;
  useEffect(() => {
    const timer = setInterval(() => {
      if (firstVisibleRow.current > 0 || document.hidden) return;
      const isGrowing = growing?.() ?? false;
      // One more refetch after the scan ended picks up the last files.
      if (isGrowing || wasGrowing.current) void refetch({ cancelRefetch: false });
      wasGrowing.current = isGrowing;
    }, GROWING_REFETCH_MS);
    return () => clearInterval(timer);
  }, [growing, refetch]);
  const pageLoads = useMemo(createLoadEvents, []);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const response = first.data;
  const cache = useRef<PageCache | null>(null);
  /** The pages of the newest range that was asked for. */
  const wanted = useRef<PageCache['held']>(null);
  const queryId = useRef('');
  if (response && cache.current?.response !== response) {
    abortRequests(cache.current);
    cache.current = createPageCache(params, response, queryId.current === key ? cache.current : null);
  }
  if (response && !first.isPlaceholderData) queryId.current = key;
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      abortRequests(cache.current);
    },
    [],
  );

  const fetchPage = useCallback(
    async (into: PageCache, page: number): Promise<void> => {
      const controller = new AbortController();
      into.requests.set(page, controller);
      const cursor = into.cursors.get(page - 1);
      const start = cursor ? { cursor } : { offset: firstRowOf(page) };
      try {
        const { hits, next_cursor, semantic } = await search(
          { ...into.params, ...start, limit: PAGE_SIZE, facets: false },
          controller.signal,
        );
        if (into.params.semantic && !semantic?.applied) {
          // The model has failed since the first page. The pages of a list are of one kind, so all are found by words from here on.
          void refetch({ cancelRefetch: false });
          throw new Error(t('Search by meaning is not available, so other files would be found than the list shows. Try again shortly.'));
        }
        into.pages.set(page, hits);
        if (next_cursor) into.cursors.set(page, next_cursor);
        into.tallRows.set(
          page,
          hits.flatMap((hit, i) => (isTall(hit) ? [firstRowOf(page) + i] : [])),
        );
      } catch (error) {
        // A search server keeps the state of a cursor for some minutes only. The next attempt uses the position.
        if (isCursorRefused(error)) into.cursors.delete(page - 1);
        throw error;
      } finally {
        into.requests.delete(page);
      }
    },
    [refetch],
  );

  const load = useCallback(() => {
    timer.current = undefined;
    const now = cache.current;
    if (!now) return;
    const missing = missingVisiblePages(now).filter((page) => !now.requests.has(page));
    for (const [page, controller] of now.requests)
      if (now.requests.size >= MAX_REQUESTS && (page < now.visible[0] || page > now.visible[1]) && !isHeld(now, page)) controller.abort();
    for (const page of missing.slice(0, MAX_REQUESTS)) {
      fetchPage(now, page).then(
        () => {
          if (cache.current !== now) return;
          evictDistantPages(now);
          pageLoads.notify();
          if (missingVisiblePages(now).length > 0) timer.current ??= setTimeout(load, SCROLL_DELAY_MS);
        },
        // A page that failed to load is requested again when it next comes into view, and at once when only its cursor was refused.
        (error: unknown) => {
          if (cache.current === now && isCursorRefused(error)) timer.current ??= setTimeout(load, SCROLL_DELAY_MS);
        },
      );
    }
  }, [fetchPage, pageLoads]);

  const setVisibleRows = useCallback(
    (from: number, to: number, jumped = false) => {
      firstVisibleRow.current = from;
      const now = cache.current;
      if (!now || first.isPlaceholderData) return;
      const last = Math.max(0, now.response.total - 1);
      // While somebody types, every response would be followed by a page that is rarely looked at.
      const ahead = from > 0 ? PREFETCH_ROWS : 0;
      now.visible = [pageOfRow(Math.max(0, from - ahead)), pageOfRow(Math.min(last, to + ahead))];
      if (missingVisiblePages(now).length === 0) return;
      if (jumped) clearTimeout(timer.current);
      if (jumped || timer.current === undefined) timer.current = setTimeout(load, jumped ? JUMP_DELAY_MS : SCROLL_DELAY_MS);
    },
    [load, first.isPlaceholderData],
  );

  const hitAt = useCallback((row: number) => {
    const page = pageOfRow(row);
    return (cache.current?.pages.get(page) ?? cache.current?.stalePages.get(page))?.[row - firstRowOf(page)];
  }, []);

  const loadRows = useCallback(
    async (from: number, to: number): Promise<boolean> => {
      const range: [number, number] = [pageOfRow(from), pageOfRow(to)];
      const query = queryId.current;
      wanted.current = range;
      let into: PageCache | null = null;
      for (let page = range[0]; page <= range[1]; page += 1) {
        if (!cache.current || queryId.current !== query) return false;
        if (wanted.current !== range) return true;
        // A refetch of the same query discards what was loaded.
        if (cache.current !== into) page = range[0];
        into = cache.current;
        into.held = range;
        if (into.pages.has(page)) continue;
        const hadCursor = into.cursors.has(page - 1);
        try {
          await fetchPage(into, page);
        } catch (error) {
          if (cache.current !== into || (hadCursor && isCursorRefused(error))) page -= 1;
          else if (error instanceof Error && error.name === 'AbortError') return false;
          else throw error;
        }
      }
      return queryId.current === query;
    },
    [fetchPage],
  );

  const tallRows = useCallback(() => (cache.current ? allTallRows(cache.current) : []), []);
  return {
    first: response,
    queryId: queryId.current,
    total: response?.total ?? 0,
    hitAt,
    loadRows,
    setVisibleRows,
    error: first.error,
    fetching: first.isFetching,
    stale: first.isPlaceholderData,
    retry: () => void first.refetch(),
    pageLoads,
    tallRows,
  };
}
