// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the keys of the same array
import type { Query, SearchResult } from '@catalog/engine';
import { maxFacetValues } from './settings.ts';

interface NumberFacets {
  facetDistribution?: Record<string, Record<string, number>>;
  facetStats?: Record<string, { min: number; max: number }>;
}
type Histogram = NonNullable<Query['histograms']>[number];

/** How often each value of a numeric field occurs; null when the server truncated the list. */
function allValues({ facetDistribution }: NumberFacets, field: string): [value: number, count: number][] | null {
  const values = Object.entries(facetDistribution?.[field] ?? {});
  return values.length < maxFacetValues ? values.map(([value, count]) => [Number(value), count]) : null;
}

/** The server reports minimum and maximum. The sum needs all values and is NaN when there are too many of them. */
export function numberStats(response: NumberFacets, fields: readonly string[], total: number): SearchResult['stats'] {
  const stats: SearchResult['stats'] = {};
  for (const field of fields) {
    const ends = response.facetStats?.[field];
    const values = allValues(response, field);
    stats[field] = {
      min: ends?.min ?? Number.POSITIVE_INFINITY,
      max: ends?.max ?? Number.NEGATIVE_INFINITY,
      sum: values ? values.reduce((sum, [value, count]) => sum + value * count, 0) : Number.NaN,
      count: values ? values.reduce((sum, [, count]) => sum + count, 0) : ends ? total : 0,
    };
  }
  return stats;
}

/** Each counted range is one query to the server, so there are at most this many. */
const maxQueries = 24;

/** Counts neighbouring ranges together and distributes each count evenly over them: totals stay exact, positions become approximate. */
async function countInGroups(
  ranges: readonly { gte: number; lt: number }[],
  ends: { min: number; max: number } | undefined,
  count: (groups: readonly { gte: number; lt: number }[]) => Promise<number[]>,
): Promise<number[]> {
  const counts = ranges.map(() => 0);
  const nonEmpty = [...ranges.keys()].filter((at) => ends !== undefined && ranges[at]!.lt > ends.min && ranges[at]!.gte <= ends.max);
  const size = Math.ceil(nonEmpty.length / maxQueries);
  const groups = Array.from({ length: Math.ceil(nonEmpty.length / size) || 0 }, (_, n) => nonEmpty.slice(n * size, (n + 1) * size));
  const found = await count(groups.map((group) => ({ gte: ranges[group[0]!]!.gte, lt: ranges[group.at(-1)!]!.lt })));
  for (const [n, group] of groups.entries())
    for (const [i, at] of group.entries())
      counts[at] = Math.floor(((i + 1) * found[n]!) / group.length) - Math.floor((i * found[n]!) / group.length);
  return counts;
}

/** Counts per bar: from the values if all are known, otherwise by querying the server. */
export async function numberHistograms(
  response: NumberFacets,
  histograms: readonly Histogram[],
  countBetween: (field: string, ranges: readonly { gte: number; lt: number }[]) => Promise<number[]>,
): Promise<SearchResult['histograms']> {
  const counted = await Promise.all(
    histograms.map(async ({ field, bounds }): Promise<[string, number[]]> => {
      const ranges = bounds.slice(0, -1).map((gte, at) => ({ gte, lt: bounds[at + 1]! }));
      const values = allValues(response, field);
      if (!values) return [field, await countInGroups(ranges, response.facetStats?.[field], (groups) => countBetween(field, groups))];
      return [
        field,
        ranges.map(({ gte, lt }) => values.reduce((sum, [value, count]) => sum + (value >= gte && value < lt ? count : 0), 0)),
      ];
    }),
  );
  return Object.fromEntries(counted);
}
