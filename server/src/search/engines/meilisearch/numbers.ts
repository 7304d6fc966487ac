import type { Answer, Query } from '@catalog/engine';
import { mostFacetValues } from './settings.ts';

export interface NumberFacets {
  facetDistribution?: Record<string, Record<string, number>>;
  facetStats?: Record<string, { min: number; max: number }>;
}
type Histogram = NonNullable<Query['histograms']>[number];

/** How often each value of a numeric field occurs, when the server has told all of them; null when it cut the list. */
function allValues({ facetDistribution }: NumberFacets, field: string): [value: number, count: number][] | null {
  const told = Object.entries(facetDistribution?.[field] ?? {});
  return told.length < mostFacetValues ? told.map(([value, count]) => [Number(value), count]) : null;
}

/** The server knows the least and the greatest; a sum only follows from all values, and is no number when there are too many of them. */
export function numberStats(answer: NumberFacets, fields: readonly string[], total: number): Answer['stats'] {
  const stats: Answer['stats'] = {};
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

/** Counts per bar: from all values where they are known, otherwise each bar is asked for by itself. */
export async function numberHistograms(
  answer: NumberFacets,
  histograms: readonly Histogram[],
  countBetween: (field: string, ranges: readonly { gte: number; lt: number }[]) => Promise<number[]>,
): Promise<Answer['histograms']> {
  const counted = await Promise.all(
    histograms.map(async ({ field, bounds }): Promise<[string, number[]]> => {
      const ranges = bounds.slice(0, -1).map((gte, at) => ({ gte, lt: bounds[at + 1]! }));
      const values = allValues(answer, field);
      if (!values) return [field, await countBetween(field, ranges)];
      return [
        field,
        ranges.map(({ gte, lt }) => values.reduce((sum, [value, count]) => sum + (value >= gte && value < lt ? count : 0), 0)),
      ];
    }),
  );
  return Object.fromEntries(counted);
}
