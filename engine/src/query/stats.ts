import type { OrderedColumn, Segment } from '../segment/types.ts';
import type { SearchResult, Query, Schema } from '../types.ts';
import { type SegmentMatch, matchList } from './match.ts';
import { hasBit } from './cells/types.ts';
import { lowerOrdinal, ordinalAt } from './filters/values.ts';

type Stats = SearchResult['stats'][string];

/** Statistics and histograms: one walk over the matches for each field that either is asked for. */
export function countNumbers(
  matches: readonly SegmentMatch[],
  schema: Schema,
  { stats = [], sums = stats, histograms = [] }: Pick<Query, 'stats' | 'sums' | 'histograms'>,
): Pick<SearchResult, 'stats' | 'histograms'> {
  const counted: Pick<SearchResult, 'stats' | 'histograms'> = { stats: {}, histograms: {} };
  for (const field of stats) {
    const own = histograms.findLast((histogram) => histogram.field === field);
    const { stats: found, buckets } = countField(matches, schema, field, own?.bounds ?? [], sums.includes(field));
    counted.stats[field] = found;
    if (own) counted.histograms[field] = buckets;
  }
  for (const { field, bounds } of histograms) {
    if (!stats.includes(field)) counted.histograms[field] = countField(matches, schema, field, bounds, false).buckets;
  }
  return counted;
}

/** Bucket i counts values in [bounds[i], bounds[i + 1]). */
function countField(
  matches: readonly SegmentMatch[],
  schema: Schema,
  field: string,
  bounds: readonly number[],
  withSum: boolean,
): { stats: Stats; buckets: number[] } {
  const stats: Stats = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, count: 0 };
  const buckets = new Array<number>(Math.max(0, bounds.length - 1)).fill(0);
  for (const match of matches) {
    const { segment } = match;
    const column = segment.numbers[schema.number.indexOf(field)]!;
    // Nobody has a value here.
    if (match.count === 0 || column.present === 0) continue;
    const ends = withSum || bounds.length > 0 ? null : endsOf(match, column);
    const own = ends ? { ...ends, sum: 0, count: match.count } : walk(match, column, bounds, buckets);
    stats.min = Math.min(stats.min, own.min);
    stats.max = Math.max(stats.max, own.max);
    stats.sum += withSum ? own.sum : 0;
    stats.count += own.count;
  }
  return { stats, buckets };
}

/** All matches one by one; adds to the buckets. */
function walk(match: SegmentMatch, column: OrderedColumn, bounds: readonly number[], buckets: number[]): Stats {
  const { segment } = match;
  const { limits, steps } = limitsOf(segment, column, bounds);
  const counts = segment.scratch.bytes(2 ** steps * 4);
  const out = segment.scratch.bytes(32);
  segment.u32.fill(0, counts >>> 2, (counts >>> 2) + 2 ** steps);
  const list = matchList(match);
  const { ordinals, width, values } = column;
  segment.kernels.countNumbers(list.at, list.count, ordinals, width, values, limits, steps, counts, out);
  // Whoever is past as many limits as bucket i has below it is in bucket i − 1; none are before the first.
  for (let bucket = 0; bucket < buckets.length; bucket++) buckets[bucket]! += segment.u32[(counts >>> 2) + bucket + 1]!;
  const [min, max, sum, count] = segment.f64.subarray(out >>> 3, (out >>> 3) + 4) as unknown as [number, number, number, number];
  return { min, max, sum, count };
}

/**
 * The least and the greatest value of the matches by a look at the order from both ends, where every document has a value. Null when
 * that would take longer than to look at all matches.
 */
function endsOf(match: SegmentMatch, column: OrderedColumn): { min: number; max: number } | null {
  const { segment, matches, count } = match;
  const { order, present, values } = column;
  if (present < segment.documents) return null;
  const { u32 } = segment;
  const most = Math.min(count, present);
  const find = (from: number, step: number): number | null => {
    for (let at = from, looked = 0; looked < most; at += step, looked++) {
      const doc = u32[(order >>> 2) + at]!;
      if (hasBit(match, matches, doc)) return segment.f64[(values >>> 3) + ordinalAt(segment, column, doc) - 1]!;
    }
    return null;
  };
  const min = find(0, 1);
  const max = min === null ? null : find(present - 1, -1);
  return min === null || max === null ? null : { min, max };
}

/** The first ordinal of each bucket, and behind them such as no document has up to a length of 2^steps − 1. */
function limitsOf(segment: Segment, column: OrderedColumn, bounds: readonly number[]): { limits: number; steps: number } {
  const steps = bounds.length === 0 ? 0 : 32 - Math.clz32(bounds.length);
  const limits = segment.scratch.bytes(2 ** steps * 4);
  segment.u32.fill(0xffffffff, limits >>> 2, (limits >>> 2) + 2 ** steps);
  segment.u32.set(
    bounds.map((bound) => lowerOrdinal(segment, column, bound, false)),
    limits >>> 2,
  );
  return { limits, steps };
}
