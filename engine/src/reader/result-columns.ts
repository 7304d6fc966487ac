// biome-ignore-all lint/style/noNonNullAssertion: the columns of a packed result have equal lengths
import type { Hit, SearchResult } from '../types.ts';

/** Results are sent as one JSON string of columns, because cloning many small objects would block the caller's event loop longer. */
type Packable = Pick<SearchResult, 'hits' | 'facets' | 'stats'>;

interface Columns {
  ids: string[];
  scores: number[];
  distances: (number | null)[] | null;
  matchedTerms: (Hit['matchedTerms'] | null)[] | null;
  parts: (Hit['parts'] | null)[] | null;
  facets: { field: string; values: string[]; counts: number[] }[];
  /** `min` and `max` are null when there are no values, because JSON cannot represent infinity. */
  stats: { field: string; min: number | null; max: number | null; sum: number; count: number }[];
  rest: unknown;
}

export function packResult<Packed extends Packable>({ hits, facets, stats, ...rest }: Packed): string {
  const columns: Columns = {
    ids: hits.map(({ id }) => id),
    scores: hits.map(({ score }) => score),
    distances: hits.some(({ distance }) => distance !== undefined) ? hits.map(({ distance }) => distance ?? null) : null,
    matchedTerms: hits.some((hit) => hit.matchedTerms) ? hits.map((hit) => hit.matchedTerms ?? null) : null,
    parts: hits.some((hit) => hit.parts) ? hits.map((hit) => hit.parts ?? null) : null,
    facets: Object.entries(facets).map(([field, found]) => ({
      field,
      values: found.map(({ value }) => value),
      counts: found.map(({ count }) => count),
    })),
    stats: Object.entries(stats).map(([field, own]) => ({ field, ...own })),
    rest,
  };
  return JSON.stringify(columns);
}

export function unpackResult<Packed extends Packable>(text: string): Packed {
  const { ids, scores, distances, matchedTerms, parts, facets, stats, rest } = JSON.parse(text) as Columns;
  const hits = ids.map((id, at): Hit => {
    const hit: Hit = { id, score: scores[at]! };
    if (distances && distances[at] !== null) hit.distance = distances[at]!;
    if (matchedTerms?.[at]) hit.matchedTerms = matchedTerms[at];
    if (parts?.[at]) hit.parts = parts[at];
    return hit;
  });
  return {
    ...(rest as Omit<Packed, keyof Packable>),
    hits,
    facets: Object.fromEntries(
      facets.map(({ field, values, counts }) => [field, values.map((value, at) => ({ value, count: counts[at]! }))]),
    ),
    stats: Object.fromEntries(
      stats.map(({ field, min, max, sum, count }) => [
        field,
        { min: min ?? Number.POSITIVE_INFINITY, max: max ?? Number.NEGATIVE_INFINITY, sum, count },
      ]),
    ),
  } as unknown as Packed;
}
