import type { OrderedColumn } from '../segment/columns.ts';
import type { Segment } from '../segment/open-segment.ts';
import type { Answer, Query, Schema } from '../types.ts';
import type { SegmentMatch } from './candidates.ts';
import { matchList } from './match-list.ts';
import { lowerOrdinal } from './ordinals.ts';

type Stats = Answer['stats'][string];

/** Statistics and histograms: one walk over the matches for each field that either is asked for. */
export function countNumbers(
  matches: readonly SegmentMatch[],
  schema: Schema,
  { stats = [], histograms = [] }: Pick<Query, 'stats' | 'histograms'>,
): Pick<Answer, 'stats' | 'histograms'> {
  const counted: Pick<Answer, 'stats' | 'histograms'> = { stats: {}, histograms: {} };
  for (const field of stats) {
    const own = histograms.findLast((histogram) => histogram.field === field);
    const { stats: found, buckets } = countField(matches, schema, field, own?.bounds ?? []);
    counted.stats[field] = found;
    if (own) counted.histograms[field] = buckets;
  }
  for (const { field, bounds } of histograms) {
    if (!stats.includes(field)) counted.histograms[field] = countField(matches, schema, field, bounds).buckets;
  }
  return counted;
}

/** Bucket i counts values in [bounds[i], bounds[i + 1]). */
function countField(
  matches: readonly SegmentMatch[],
  schema: Schema,
  field: string,
  bounds: readonly number[],
): { stats: Stats; buckets: number[] } {
  const stats: Stats = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, count: 0 };
  const buckets = new Array<number>(Math.max(0, bounds.length - 1)).fill(0);
  for (const match of matches) {
    const { segment } = match;
    const column = segment.numbers[schema.number.indexOf(field)]!;
    // Nobody has a value here.
    if (match.count === 0 || column.present === 0) continue;
    const { limits, steps } = limitsOf(segment, column, bounds);
    const counts = segment.scratch.bytes(2 ** steps * 4);
    const out = segment.scratch.bytes(32);
    segment.u32.fill(0, counts >>> 2, (counts >>> 2) + 2 ** steps);
    const list = matchList(match);
    const { ordinals, width, values } = column;
    segment.kernels.countNumbers(list.at, list.count, ordinals, width, values, limits, steps, counts, out);
    const [min, max, sum, count] = segment.f64.subarray(out >>> 3, (out >>> 3) + 4) as unknown as [number, number, number, number];
    stats.min = Math.min(stats.min, min);
    stats.max = Math.max(stats.max, max);
    stats.sum += sum;
    stats.count += count;
    // Whoever is past as many limits as bucket i has below it is in bucket i − 1; none are before the first.
    for (let bucket = 0; bucket < buckets.length; bucket++) buckets[bucket]! += segment.u32[(counts >>> 2) + bucket + 1]!;
  }
  return { stats, buckets };
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
