import type { SearchResult, Query } from '@catalog/engine';
import { maxFacetValues } from './settings.ts';

export interface NumberFacets {
  facetDistribution?: Record<string, Record<string, number>>;
  facetStats?: Record<string, { min: number; max: number }>;
}
type Histogram = NonNullable<Query['histograms']>[number];

/** How often each value of a numeric field occurs, when the server has told all of them; null when it cut the list. */
function allValues({ facetDistribution }: NumberFacets, field: string): [value: number, count: number][] | null {
  const told = Object.entries(facetDistribution?.[field] ?? {});
  return told.length < maxFacetValues ? told.map(([value, count]) => [Number(value), count]) : null;
}

/** The server knows the least and the greatest; a sum only follows from all values, and is no number when there are too many of them. */
export function numberStats(answer: NumberFacets, fields: readonly string[], total: number): SearchResult['stats'] {
  const stats: SearchResult['stats'] = {};
  for (const field of fields) {
    const ends = answer.facetStats?.[field];
    const values = allValues(answer, field);
    stats[field] = {
      min: ends?.min ?? Number.POSITIVE_INFINITY,
      max: ends?.max ?? Number.NEGATIVE_INFINITY,
      sum: values ? values.reduce((sum, [value, count]) => sum + value * count, 0) : Number.NaN,
      count: values ? values.reduce((sum, [, count]) => sum + count, 0) : ends ? total : 0,
    };
  }
  return stats;
}

/** So many bars are asked for by themselves, each of them a question to the server. */
const MOST_ASKED = 24;

/** Neighbouring ranges put together, and the counts of those shared out again evenly: no count is lost, only where it lies is less exact. */
async function countInGroups(
  ranges: readonly { gte: number; lt: number }[],
  ends: { min: number; max: number } | undefined,
  count: (groups: readonly { gte: number; lt: number }[]) => Promise<number[]>,
): Promise<number[]> {
  const counts = ranges.map(() => 0);
  const held = [...ranges.keys()].filter((at) => ends !== undefined && ranges[at]!.lt > ends.min && ranges[at]!.gte <= ends.max);
  const size = Math.ceil(held.length / MOST_ASKED);
  const groups = Array.from({ length: Math.ceil(held.length / size) || 0 }, (_, n) => held.slice(n * size, (n + 1) * size));
  const found = await count(groups.map((group) => ({ gte: ranges[group[0]!]!.gte, lt: ranges[group.at(-1)!]!.lt })));
  for (const [n, group] of groups.entries())
    for (const [i, at] of group.entries())
      counts[at] = Math.floor(((i + 1) * found[n]!) / group.length) - Math.floor((i * found[n]!) / group.length);
  return counts;
}

/** Counts per bar: from all values where they are known, otherwise the server is asked for them. */
export async function numberHistograms(
  answer: NumberFacets,
  histograms: readonly Histogram[],
  countBetween: (field: string, ranges: readonly { gte: number; lt: number }[]) => Promise<number[]>,
): Promise<SearchResult['histograms']> {
  const counted = await Promise.all(
    histograms.map(async ({ field, bounds }): Promise<[string, number[]]> => {
      const ranges = bounds.slice(0, -1).map((gte, at) => ({ gte, lt: bounds[at + 1]! }));
      const values = allValues(answer, field);
      if (!values) return [field, await countInGroups(ranges, answer.facetStats?.[field], (groups) => countBetween(field, groups))];
      return [
        field,
        ranges.map(({ gte, lt }) => values.reduce((sum, [value, count]) => sum + (value >= gte && value < lt ? count : 0), 0)),
      ];
    }),
  );
  return Object.fromEntries(counted);
}
