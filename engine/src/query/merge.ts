// biome-ignore-all lint/style/noNonNullAssertion: all partial results come from the same query, so they have the same fields and rules
import { byCodeUnits } from '../segment/string-order.ts';
import type { Query, SearchResult } from '../types.ts';
import type { PartialResult } from './execute.ts';
import { defaultFacetLimit } from './facets.ts';
import { defaultLimit } from './ranking/page.ts';
import { compareSortValues, encodeSearchCursor, type SortValue, type SortValueOrder } from './ranking/sort-values.ts';

/** Combines partial results into the result that one thread would return for all segments. */
export function mergePartialResults(query: Query, parts: readonly PartialResult[]): SearchResult {
  const limit = query.limit ?? defaultLimit;
  const skip = query.after === undefined ? (query.offset ?? 0) : 0;
  const { valueOrders } = parts[0]!;
  const all = parts.flatMap(({ hits, sortValues }) => hits.map((hit, index) => ({ hit, sortValues: sortValues[index]! })));
  all.sort((a, b) => compareAllValues(valueOrders, a.sortValues, b.sortValues));
  const page = all.slice(skip, skip + limit);
  const last = page.at(-1);
  const more = all.length > skip + limit || parts.some((part) => part.hasMore);
  return {
    hits: page.map(({ hit }) => hit),
    after: last && more ? encodeSearchCursor(query, last.sortValues) : null,
    total: parts.reduce((sum, part) => sum + part.total, 0),
    facets: mergeFacets(query, parts),
    stats: mergeStats(parts),
    histograms: Object.fromEntries(
      Object.entries(parts[0]!.histograms).map(([field, buckets]) => [
        field,
        buckets.map((_, bucket) => parts.reduce((sum, part) => sum + part.histograms[field]![bucket]!, 0)),
      ]),
    ),
    degraded: parts.some((part) => part.degraded),
    tookMs: Math.max(...parts.map((part) => part.tookMs)),
  };
}

function compareAllValues(valueOrders: readonly SortValueOrder[], a: readonly SortValue[], b: readonly SortValue[]): number {
  for (let at = 0; at < valueOrders.length; at++) {
    const order = compareSortValues(valueOrders[at]!, a[at]!, b[at]!);
    if (order !== 0) return order;
  }
  return 0;
}

function mergeFacets(query: Query, parts: readonly PartialResult[]): SearchResult['facets'] {
  const merged: SearchResult['facets'] = {};
  for (const facet of query.facets ?? []) {
    const { field, limit = defaultFacetLimit } = typeof facet === 'string' ? { field: facet } : facet;
    const sums = new Map<string, number>();
    for (const part of parts) {
      for (const { value, count } of part.facets[field]!) sums.set(value, (sums.get(value) ?? 0) + count);
    }
    const listed = [...sums].map(([value, count]) => ({ value, count }));
    merged[field] = listed.sort((a, b) => b.count - a.count || byCodeUnits(a.value, b.value)).slice(0, limit);
  }
  return merged;
}

function mergeStats(parts: readonly PartialResult[]): SearchResult['stats'] {
  const fields = Object.keys(parts[0]!.stats);
  return Object.fromEntries(
    fields.map((field) => {
      const own = parts.map((part) => part.stats[field]!);
      const sum = (of: 'sum' | 'count') => own.reduce((total, each) => total + each[of], 0);
      return [
        field,
        { min: Math.min(...own.map(({ min }) => min)), max: Math.max(...own.map(({ max }) => max)), sum: sum('sum'), count: sum('count') },
      ];
    }),
  );
}
