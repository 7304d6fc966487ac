import { Problem } from '../../api/problem.ts';
import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import type { SelectedFiles } from './selection.ts';

/** The largest page size of the API. */
const PAGE = 200;

/**
 * The first `most` hits of a query, page by page until the signal aborts. Sorted by path, so that edits made meanwhile do not change the order. A
 * search by meaning is read as it is listed, because one that is sorted goes by words only, and it would go on with ever more distant files.
 */
async function* eachHitPage(params: SearchParams, most: number, signal: AbortSignal): AsyncGenerator<SearchHit[]> {
  const isByMeaning = (params.semantic ?? 0) > 0 && !params.sort;
  const list = isByMeaning ? params : { ...params, sort: 'path:asc' };
  let left = isByMeaning ? most : Number.POSITIVE_INFINITY;
  let cursor: string | undefined;
  do {
    const response = await search({ ...list, facets: false, limit: PAGE, ...(cursor ? { cursor } : {}) }, signal);
    // The hits by words are other files than the list shows.
    if (isByMeaning && !response.semantic?.applied)
      throw new Error(t('Search by meaning is not available, so other files would be found than the list shows. Try again shortly.'));
    if (response.hits.length > 0) yield response.hits.slice(0, left);
    left -= response.hits.length;
    cursor = response.next_cursor ?? undefined;
  } while (cursor && left > 0 && !signal.aborted);
}

export interface Progress {
  phase: 'preparing' | 'writing';
  done: number;
  total: number;
}

export interface CollectOptions {
  selected: SelectedFiles;
  /** The selected files that are already loaded. */
  loaded: SearchHit[];
  params: SearchParams;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

/** A search server that loses a node, or is rebuilt, can no longer continue a list. */
const MAX_READS = 3;

/** Maps each selected file to what `keep` returns for it. */
export async function collectFiles<T>(
  { selected, loaded, params, signal, onProgress }: CollectOptions,
  keep: (hit: SearchHit) => T,
): Promise<T[]> {
  if (selected.ids !== null) return loaded.map(keep);
  for (let attempt = 1; ; attempt++)
    try {
      const all: T[] = [];
      for await (const hits of eachHitPage(params, selected.size + selected.excludedIds.size, signal)) {
        for (const hit of hits) if (selected.has(hit.id)) all.push(keep(hit));
        onProgress({ phase: 'preparing', done: all.length, total: selected.size });
      }
      return all;
    } catch (error) {
      // Nothing is written yet, so the list is read again from its first page.
      if (attempt === MAX_READS || !(error instanceof Problem && error.code === 'cursor_expired')) throw error;
    }
}
