// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot
import type { OrderedColumn, Segment } from '../segment/types.ts';
import type { Query, Schema, SearchResult } from '../types.ts';
import { hasDocument } from './cells/types.ts';
import { ordinalAt, ordinalLowerBound } from './filters/values.ts';
import { listMatches, type SegmentMatch } from './match.ts';

type Stats = SearchResult['stats'][string];

/**
 * Computes statistics and histograms with one pass over the matches per field. With `filter`, which then alone decides what matches, they
 * are kept for the next query with the same filter.
 */
export function countNumbers(
  matches: readonly SegmentMatch[],
  schema: Schema,
  { stats = [], sums = stats, histograms = [] }: Pick<Query, 'stats' | 'sums' | 'histograms'>,
  filter: string | null,
): Pick<SearchResult, 'stats' | 'histograms'> {
  const counted: Pick<SearchResult, 'stats' | 'histograms'> = { stats: {}, histograms: {} };
  const count = (field: string, bounds: readonly number[], withSum: boolean) =>
    countField(matches, { field: schema.number.indexOf(field), bounds, withSum }, filter);
  for (const field of stats) {
    const own = histograms.findLast((histogram) => histogram.field === field);
    const { stats: found, buckets } = count(field, own?.bounds ?? [], sums.includes(field));
    counted.stats[field] = found;
    if (own) counted.histograms[field] = buckets;
  }
  for (const { field, bounds } of histograms) {
    if (!stats.includes(field)) counted.histograms[field] = count(field, bounds, false).buckets;
  }
  return counted;
}

/** Bucket i counts values in [bounds[i], bounds[i + 1]). */
interface Counting {
  field: number;
  bounds: readonly number[];
  withSum: boolean;
}

function countField(matches: readonly SegmentMatch[], counting: Counting, filter: string | null): { stats: Stats; buckets: number[] } {
  const stats: Stats = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, count: 0 };
  const buckets = new Array<number>(Math.max(0, counting.bounds.length - 1)).fill(0);
  for (const match of matches) {
    // The segment has no value in this field.
    if (match.count === 0 || match.segment.numbers[counting.field]!.present === 0) continue;
    const [min, max, sum, count, ...own] = keptNumbers(match, counting, filter) as unknown as [number, number, number, number, ...number[]];
    stats.min = Math.min(stats.min, min);
    stats.max = Math.max(stats.max, max);
    stats.sum += counting.withSum ? sum : 0;
    stats.count += count;
    for (let bucket = 0; bucket < buckets.length; bucket++) buckets[bucket]! += own[bucket]!;
  }
  return { stats, buckets };
}

/** Histograms with more bounds are not kept, because they would take too much memory. */
const maxKeptBounds = 64;

function keptNumbers(match: SegmentMatch, counting: Counting, filter: string | null): Float64Array {
  if (filter === null || counting.bounds.length > maxKeptBounds) return countMatches(match, counting);
  const { keptNumbers: kept } = match.segment;
  const key = JSON.stringify([counting, filter]);
  const found = kept.get(key);
  if (found) return found;
  const counted = countMatches(match, counting);
  kept.keep(key, counted);
  return counted;
}

/** Minimum, maximum, sum and count, followed by the buckets. */
function countMatches(match: SegmentMatch, { field, bounds, withSum }: Counting): Float64Array {
  const column = match.segment.numbers[field]!;
  const minMax = withSum || bounds.length > 0 ? null : minAndMax(match, column);
  return minMax ? Float64Array.of(minMax.min, minMax.max, 0, match.count) : readMatches(match, column, bounds);
}

/** Reads the value of each match. */
function readMatches(match: SegmentMatch, column: OrderedColumn, bounds: readonly number[]): Float64Array {
  const { segment } = match;
  const { limits, steps } = bucketLimits(segment, column, bounds);
  const counts = segment.scratch.bytes(2 ** steps * 4);
  const out = segment.scratch.bytes(32);
  segment.u32.fill(0, counts >>> 2, (counts >>> 2) + 2 ** steps);
  const list = listMatches(match);
  const { ordinals, width, values } = column;
  segment.kernels.countNumbers(list.at, list.count, ordinals, width, values, limits, steps, counts, out);
  const read = new Float64Array(4 + Math.max(0, bounds.length - 1));
  read.set(segment.f64.subarray(out >>> 3, (out >>> 3) + 4));
  // Counter 0 holds values before the first bound, so bucket i is counter i + 1.
  for (let bucket = 4; bucket < read.length; bucket++) read[bucket] = segment.u32[(counts >>> 2) + bucket - 3]!;
  return read;
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
