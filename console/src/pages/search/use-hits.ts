import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams, SearchResponse } from '../../api/types.ts';

/*
 * The hits of one question, loaded as they come into view.
 * The first page is small so that typing feels instant; the others hold 200. A page is asked with the cursor that the page before it gave.
 * When a person jumps far down, the pages between are walked through; the rows wait as grey bars of the final size.
 */
const FIRST = 60;
const NEXT = 200;

const pageOf = (row: number): number => (row < FIRST ? 0 : 1 + Math.floor((row - FIRST) / NEXT));
const rowOf = (page: number): number => (page === 0 ? 0 : FIRST + (page - 1) * NEXT);

export interface Hits {
  first: SearchResponse | undefined;
  total: number;
  hitAt: (row: number) => SearchHit | undefined;
  /** Tells which rows are in view. */
  show: (from: number, to: number) => void;
  /** Everything up to a number of rows, for "select all". */
  loadUpTo: (rows: number) => Promise<SearchHit[]>;
  error: unknown;
  fetching: boolean;
  /** The answer belongs to the question before this one. */
  stale: boolean;
  retry: () => void;
  version: number;
  /** How many rows from the top are there without a gap. */
  loaded: number;
}

export function useHits(params: SearchParams, enabled = true): Hits {
  const key = useMemo(() => JSON.stringify(params), [params]);
  const client = useQueryClient();
  const first = useQuery({
    queryKey: ['search', key],
    queryFn: ({ signal }) => search({ ...params, limit: FIRST }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    // Nothing yet, perhaps because the first scan still runs: the files appear by themselves.
    refetchInterval: (query) => (query.state.data?.total === 0 ? 3_000 : false),
    enabled,
  });
  const pages = useRef(new Map<number, SearchResponse>());
  const walking = useRef<AbortController | null>(null);
  const target = useRef(0);
  const [version, setVersion] = useState(0);

  // A new first answer starts a new list.
  const answer = first.data;
  const known = useRef<SearchResponse | undefined>(undefined);
  if (answer && known.current !== answer) {
    known.current = answer;
    walking.current?.abort();
    walking.current = null;
    pages.current = new Map([[0, answer]]);
  }
  useEffect(() => () => walking.current?.abort(), []);

  const walk = useCallback(
    async (until: number, signal: AbortSignal, onPage?: () => void): Promise<void> => {
      const book = pages.current;
      let page = 0;
      while (book.has(page + 1)) page += 1;
      while (page < until && !signal.aborted) {
        const cursor = book.get(page)?.next_cursor;
        if (!cursor) return;
        const next = await client.fetchQuery({
          queryKey: ['search-page', key, cursor],
          queryFn: () => search({ ...params, limit: NEXT, cursor, facets: false }, signal),
          staleTime: 30_000,
          gcTime: 60_000,
        });
        if (signal.aborted || pages.current !== book) return;
        page += 1;
        book.set(page, next);
        onPage?.();
      }
    },
    [client, key, params],
  );

  const show = useCallback(
    (_from: number, to: number) => {
      if (!known.current || first.isPlaceholderData) return;
      const total = known.current.total;
      target.current = pageOf(Math.min(to, total - 1));
      if (walking.current || pages.current.has(target.current)) return;
      const control = new AbortController();
      walking.current = control;
      const run = async () => {
        // The wish may move on while we walk; walk until the page in view is there.
        while (!pages.current.has(target.current) && !control.signal.aborted) {
          const before = pages.current.size;
          await walk(target.current, control.signal, () => setVersion((v) => v + 1));
          if (pages.current.size === before) break;
        }
      };
      run()
        .catch(() => {})
        .finally(() => {
          if (walking.current === control) walking.current = null;
          setVersion((v) => v + 1);
        });
    },
    [walk, first.isPlaceholderData],
  );

  const hitAt = useCallback((row: number) => {
    const page = pageOf(row);
    return pages.current.get(page)?.hits[row - rowOf(page)];
  }, []);

  const loadUpTo = useCallback(
    async (rows: number) => {
      const total = Math.min(rows, known.current?.total ?? 0);
      walking.current?.abort();
      const control = new AbortController();
      walking.current = control;
      await walk(pageOf(total - 1), control.signal);
      walking.current = null;
      setVersion((v) => v + 1);
      return Array.from({ length: total }, (_, row) => hitAt(row)).filter((hit): hit is SearchHit => hit !== undefined);
    },
    [walk, hitAt],
  );

  return {
    first: answer,
    total: answer?.total ?? 0,
    hitAt,
    show,
    loadUpTo,
    error: first.error,
    fetching: first.isFetching,
    stale: first.isPlaceholderData,
    retry: () => void first.refetch(),
    version,
    loaded: Math.min(answer?.total ?? 0, rowOf(pages.current.size)),
  };
}
