import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams, SearchResponse } from '../../api/types.ts';
import { type Book, closeBook, FIRST, forgetFar, isTall, missingPages, NEXT, openBook, pageOf, rowOf, tallRowsOf } from './page-cache.ts';

/** How far beyond the view is asked for, so that plain scrolling never waits. */
const AHEAD = 100;
/** Somebody who scrolls is asked for a little at a time; somebody who leaps, by the scroll bar say, only for where they land. */
const READING_MS = 40;
const LANDED_MS = 80;
const AT_ONCE = 3;
/** While files keep coming the answer is renewed, for somebody who looks at its beginning. */
const NONE_YET_MS = 1500;
const GROWING_MS = 3000;

export interface Hits {
  first: SearchResponse | undefined;
  /** Which question `first` answers. The same while an answer is renewed, so that nobody loses their place. */
  question: string;
  total: number;
  hitAt: (row: number) => SearchHit | undefined;
  /** Tells which rows are in view, and whether one leapt there. */
  show: (from: number, to: number, leapt?: boolean) => void;
  error: unknown;
  fetching: boolean;
  /** The answer belongs to the question before this one. */
  stale: boolean;
  retry: () => void;
  /** Changes when a page of hits arrives. Only the list listens; the rest of the page is not drawn again for it. */
  arrivals: Arrivals;
  /** Rows that are known to be taller, ascending. */
  tallRows: () => readonly number[];
}

export interface Arrivals {
  subscribe: (heard: () => void) => () => void;
  count: () => number;
}

function createArrivals(): Arrivals & { tell: () => void } {
  const listeners = new Set<() => void>();
  let n = 0;
  return {
    subscribe: (heard) => {
      listeners.add(heard);
      return () => listeners.delete(heard);
    },
    count: () => n,
    tell: () => {
      n += 1;
      for (const heard of listeners) heard();
    },
  };
}

/** How many pages came so far: draws the list again with each. */
export const useArrivals = (hits: Hits): number => useSyncExternalStore(hits.arrivals.subscribe, hits.arrivals.count);

interface HitsOptions {
  enabled?: boolean;
  /** Files are being added, and the list may change now. It never does under somebody who has scrolled. */
  growing?: () => boolean;
}

/** The hits of one question, loaded as they come into view. */
export function useHits(params: SearchParams, { enabled = true, growing }: HitsOptions = {}): Hits {
  const key = useMemo(() => JSON.stringify(params), [params]);
  const first = useQuery({
    queryKey: ['search', key],
    queryFn: ({ signal }) => search({ ...params, limit: FIRST, histograms: true }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // Nothing yet, perhaps because the first scan still runs: the files appear by themselves.
    refetchInterval: (query) => (query.state.data?.total === 0 ? NONE_YET_MS : false),
    enabled,
  });
  const firstInView = useRef(0);
  const grew = useRef(false);
  const { refetch } = first;
  useEffect(() => {
    const timer = setInterval(() => {
      if (firstInView.current > 0 || document.hidden) return;
      const grows = growing?.() ?? false;
      // Once more after the end, for what came last.
      if (grows || grew.current) void refetch({ cancelRefetch: false });
      grew.current = grows;
    }, GROWING_MS);
    return () => clearInterval(timer);
  }, [growing, refetch]);
  const arrivals = useMemo(createArrivals, []);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  // A new first answer starts a new book.
  const answer = first.data;
  const book = useRef<Book | null>(null);
  const question = useRef('');
  if (answer && book.current?.answer !== answer) {
    closeBook(book.current);
    book.current = openBook(answer, question.current === key ? book.current : null);
  }
  if (answer && !first.isPlaceholderData) question.current = key;
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      closeBook(book.current);
    },
    [],
  );

  const ask = useCallback(
    async (from: Book, page: number): Promise<void> => {
      const control = new AbortController();
      from.asking.set(page, control);
      const cursor = from.cursors.get(page - 1);
      const place = cursor ? { cursor } : { offset: rowOf(page) };
      try {
        const answered = await search({ ...params, ...place, limit: NEXT, facets: false }, control.signal);
        from.pages.set(page, answered.hits);
        if (answered.next_cursor) from.cursors.set(page, answered.next_cursor);
        const tall = answered.hits.flatMap((hit, i) => (isTall(hit) ? [rowOf(page) + i] : []));
        from.tall.set(page, tall);
      } finally {
        from.asking.delete(page);
      }
    },
    [params],
  );

  const load = useCallback(() => {
    timer.current = undefined;
    const now = book.current;
    if (!now) return;
    const missing = missingPages(now).filter((page) => !now.asking.has(page));
    for (const [page, control] of now.asking)
      if (now.asking.size >= AT_ONCE && (page < now.wanted[0] || page > now.wanted[1])) control.abort();
    for (const page of missing.slice(0, AT_ONCE)) {
      ask(now, page).then(
        () => {
          if (book.current !== now) return;
          forgetFar(now);
          arrivals.tell();
          if (missingPages(now).length > 0) timer.current ??= setTimeout(load, READING_MS);
        },
        // A page that did not come is asked for again when it is looked at again.
        () => {},
      );
    }
  }, [ask, arrivals]);

  const show = useCallback(
    (from: number, to: number, leapt = false) => {
      firstInView.current = from;
      const now = book.current;
      if (!now || first.isPlaceholderData) return;
      const last = Math.max(0, now.answer.total - 1);
      now.wanted = [pageOf(Math.max(0, from - AHEAD)), pageOf(Math.min(last, to + AHEAD))];
      if (missingPages(now).length === 0) return;
      if (leapt) clearTimeout(timer.current);
      if (leapt || timer.current === undefined) timer.current = setTimeout(load, leapt ? LANDED_MS : READING_MS);
    },
    [load, first.isPlaceholderData],
  );

  const hitAt = useCallback((row: number) => {
    const page = pageOf(row);
    return (book.current?.pages.get(page) ?? book.current?.before.get(page))?.[row - rowOf(page)];
  }, []);

  const tallRows = useCallback(() => (book.current ? tallRowsOf(book.current) : []), []);
  return {
    first: answer,
    question: question.current,
    total: answer?.total ?? 0,
    hitAt,
    show,
    error: first.error,
    fetching: first.isFetching,
    stale: first.isPlaceholderData,
    retry: () => void first.refetch(),
    arrivals,
    tallRows,
  };
}
