import type { Query, SearchResult } from '../types.ts';

/** A query that takes less time than this on one thread, in milliseconds, would gain less from a second thread than the hand-over costs. */
const quickMs = 1;
const maxRemembered = 64;
const maxKeyLength = 4000;

/**
 * Remembers which queries without words are quick. Such a query recurs whenever somebody opens the same list, and its counts are kept
 * (`segment/kept-counts.ts`), so that it is quick from the second time on.
 */
export interface QuickQueries {
  has(query: Query): boolean;
  /** Tells what a query took on so many threads. */
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

/** Null for a query whose counts are not kept. */
function keyOf({ text, filter, facets, stats, sums, histograms, sort }: Query): string | null {
  if (text?.trim()) return null;
  const key = JSON.stringify([filter, facets, stats, sums, histograms, sort]);
  return key.length <= maxKeyLength ? key : null;
}
