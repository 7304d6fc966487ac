import type { SearchHit, SearchParams, SearchResponse } from '../../api/types.ts';

/*
 * The loaded pages of hits of one query.
 * The first page is small so that the list updates quickly while typing; later pages hold 200 hits.
 * Continuous scrolling requests a page by the cursor of the previous one; a jump requests it by offset.
 * Pages far from the viewport are evicted to bound memory. The positions of tall rows are kept,
 * so that the layout does not shift when an evicted page is loaded again.
 */
export const FIRST_PAGE_SIZE = 60;
export const PAGE_SIZE = 200;
const MAX_PAGES = 80;

export interface PageCache {
  response: SearchResponse;
  /** The search that the pages are requested with. */
  params: SearchParams;
  pages: Map<number, SearchHit[]>;
  /** Pages from before the last refetch of the same query, shown until the new ones are loaded. */
  stalePages: ReadonlyMap<number, SearchHit[]>;
  /** The cursor that follows a page. */
  cursors: Map<number, string>;
  /** The rows of each page that have a snippet. */
  tallRows: Map<number, number[]>;
  requests: Map<number, AbortController>;
  /** The pages in the viewport, both ends included. */
  visible: [first: number, last: number];
  /** The pages of a range that is being loaded, both ends included. They stay although they are far from the viewport. */
  held: [first: number, last: number] | null;
}

export const pageOfRow = (row: number): number => (row < FIRST_PAGE_SIZE ? 0 : 1 + Math.floor((row - FIRST_PAGE_SIZE) / PAGE_SIZE));
export const firstRowOf = (page: number): number => (page === 0 ? 0 : FIRST_PAGE_SIZE + (page - 1) * PAGE_SIZE);

/** A row with a snippet is taller than the others. */
export const isTall = (hit: SearchHit | undefined): boolean => Boolean(hit?.snippet);

/** The search whose hits a page lists: while the model of a search by meaning is not available, it lists hits by words. */
export function listedParams({ semantic, ...params }: SearchParams, response: Pick<SearchResponse, 'semantic'> | undefined): SearchParams {
  return semantic && response?.semantic?.applied ? { ...params, semantic } : params;
}

/** `before` is the cache of the same query from before it was fetched again. */
export function createPageCache(searched: SearchParams, response: SearchResponse, before: PageCache | null = null): PageCache {
  const params = listedParams(searched, response);
  const previous = before?.params.semantic === params.semantic ? before : null;
  // The server accepts a cursor only with the parameters of the request that returned it.
  const cursor = params.semantic === searched.semantic ? response.next_cursor : null;
  const tall = response.hits.flatMap((hit, row) => (isTall(hit) ? [row] : []));
  return {
    response,
    params,
    pages: new Map([[0, response.hits]]),
    stalePages: previous?.pages ?? new Map(),
    cursors: new Map(cursor ? [[0, cursor]] : []),
    tallRows: new Map([...(previous?.tallRows ?? []), [0, tall]]),
    requests: new Map(),
    visible: [0, 0],
    held: null,
  };
}

export function abortRequests(cache: PageCache | null): void {
  for (const controller of cache?.requests.values() ?? []) controller.abort();
}

export const isHeld = ({ held }: PageCache, page: number): boolean => held !== null && page >= held[0] && page <= held[1];

export function missingVisiblePages(cache: PageCache): number[] {
  const missing: number[] = [];
  for (let page = cache.visible[0]; page <= cache.visible[1]; page += 1) if (!cache.pages.has(page)) missing.push(page);
  return missing;
}

export function evictDistantPages(cache: PageCache): void {
  if (cache.pages.size <= MAX_PAGES) return;
  const middle = (cache.visible[0] + cache.visible[1]) / 2;
  const byDistance = [...cache.pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
  for (const page of byDistance.slice(0, cache.pages.size - MAX_PAGES)) if (page !== 0 && !isHeld(cache, page)) cache.pages.delete(page);
}

export function allTallRows(cache: PageCache): number[] {
  return [...cache.tallRows].sort(([a], [b]) => a - b).flatMap(([, rows]) => rows);
}
