import type { Query, SearchResult } from '../types.ts';

/** In milliseconds. A query that one thread answers faster than this takes longer when it is divided between two threads. */
const quickMs = 1;
const maxRemembered = 64;
const maxKeyLength = 4000;

/**
 * Remembers which recent queries without words are quick. The same list is opened again and again, and its facet counts are cached after the
 * first time (`segment/kept-counts.ts`), so that the query is quick from then on.
 */
export interface QuickQueries {
  has(query: Query): boolean;
  /** Records how long a query took that ran on this number of threads. */
  note(query: Query, threads: number, result: Pick<SearchResult, 'tookMs'>): void;
}

export function createQuickQueries(): QuickQueries {
  const milliseconds = new Map<string, number>();
  return {
    has: (query) => (milliseconds.get(keyOf(query) ?? '') ?? Number.POSITIVE_INFINITY) < quickMs,
    note(query, threads, { tookMs }) {
      const key = keyOf(query);
      if (key === null) return;
      milliseconds.delete(key);
      milliseconds.set(key, tookMs * threads);
      for (const oldest of milliseconds.keys()) {
        if (milliseconds.size <= maxRemembered) break;
        milliseconds.delete(oldest);
      }
    },
  };
}

/** Identifies the query; null if its counts are never cached. */
function keyOf({ text, filter, facets, stats, sums, histograms, sort }: Query): string | null {
  if (text?.trim()) return null;
  const key = JSON.stringify([filter, facets, stats, sums, histograms, sort]);
  return key.length <= maxKeyLength ? key : null;
}
