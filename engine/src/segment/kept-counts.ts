/**
 * Facet counts or statistics of one segment for recent filters. A segment never changes, so those of a filter stay right until other
 * documents are deleted. People open the same unsearched lists again and again, and counting them takes most of the time of such a query.
 */
export interface KeptCounts<Counts> {
  get(key: string): Counts | undefined;
  keep(key: string, counts: Counts): void;
  clear(): void;
}

const maxKept = 64;

export function createKeptCounts<Counts>(): KeptCounts<Counts> {
  const kept = new Map<string, Counts>();
  return {
    get(key) {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      // The one that was not used for longest is dropped first.
      kept.delete(key);
      kept.set(key, found);
      return found;
    },
    keep(key, counts) {
      kept.set(key, counts);
      for (const oldest of kept.keys()) {
        if (kept.size <= maxKept) break;
        kept.delete(oldest);
      }
    },
    clear: () => kept.clear(),
  };
}
