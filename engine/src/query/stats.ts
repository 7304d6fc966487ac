// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot
import type { OrderedColumn, Segment } from '../segment/types.ts';
import type { Query, Schema, SearchResult } from '../types.ts';
import { hasDocument } from './cells/types.ts';
import { ordinalAt, ordinalLowerBound } from './filters/values.ts';
import { listMatches, type SegmentMatch } from './match.ts';

type Stats = SearchResult['stats'][string];

/** Computes statistics and histograms with one pass over the matches per field. */
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
    // The segment has no value in this field.
    if (match.count === 0 || column.present === 0) continue;
    const minMax = withSum || bounds.length > 0 ? null : minAndMax(match, column);
    const own = minMax ? { ...minMax, sum: 0, count: match.count } : countMatches(match, column, bounds, buckets);
    stats.min = Math.min(stats.min, own.min);
    stats.max = Math.max(stats.max, own.max);
    stats.sum += withSum ? own.sum : 0;
    stats.count += own.count;
  }
  return { stats, buckets };
}

/** Reads the value of each match, and adds to the buckets. */
function countMatches(match: SegmentMatch, column: OrderedColumn, bounds: readonly number[], buckets: number[]): Stats {
  const { segment } = match;
  const { limits, steps } = bucketLimits(segment, column, bounds);
  const counts = segment.scratch.bytes(2 ** steps * 4);
  const out = segment.scratch.bytes(32);
  segment.u32.fill(0, counts >>> 2, (counts >>> 2) + 2 ** steps);
  const list = listMatches(match);
  const { ordinals, width, values } = column;
  segment.kernels.countNumbers(list.at, list.count, ordinals, width, values, limits, steps, counts, out);
  // Counter 0 holds values before the first bound, so bucket i is counter i + 1.
  for (let bucket = 0; bucket < buckets.length; bucket++) buckets[bucket]! += segment.u32[(counts >>> 2) + bucket + 1]!;
  const [min, max, sum, count] = segment.f64.subarray(out >>> 3, (out >>> 3) + 4) as unknown as [number, number, number, number];
  return { min, max, sum, count };
}

/**
 * Finds the smallest and largest value of the matches by scanning the column order from both ends. Returns null when some documents have no
 * value, or when reading all matches would be faster.
 */
function minAndMax(match: SegmentMatch, column: OrderedColumn): { min: number; max: number } | null {
  const { segment, matches, count } = match;
  const { order, present, values } = column;
  if (present < segment.documents) return null;
  const { u32 } = segment;
  const most = Math.min(count, present);
  const find = (from: number, step: number): number | null => {
    for (let at = from, looked = 0; looked < most; at += step, looked++) {
      const doc = u32[(order >>> 2) + at]!;
      if (hasDocument(match, matches, doc)) return segment.f64[(values >>> 3) + ordinalAt(segment, column, doc) - 1]!;
    }
    return null;
  };
  const min = find(0, 1);
  const max = min === null ? null : find(present - 1, -1);
  return min === null || max === null ? null : { min, max };
}

/** Writes the first ordinal of each bucket, padded to 2^steps − 1 entries with an ordinal that no document has. */
function bucketLimits(segment: Segment, column: OrderedColumn, bounds: readonly number[]): { limits: number; steps: number } {
  const steps = bounds.length === 0 ? 0 : 32 - Math.clz32(bounds.length);
  const limits = segment.scratch.bytes(2 ** steps * 4);
  segment.u32.fill(0xffffffff, limits >>> 2, (limits >>> 2) + 2 ** steps);
  segment.u32.set(
    bounds.map((bound) => ordinalLowerBound(segment, column, bound, false)),
    limits >>> 2,
  );
  return { limits, steps };
}
