import type { Answer, Query, Schema } from '../types.ts';
import type { SegmentMatch } from './candidates.ts';
import { lowerOrdinal } from './ordinals.ts';

export function numberStats(matches: readonly SegmentMatch[], schema: Schema, fields: Query['stats']): Answer['stats'] {
  const stats: Answer['stats'] = {};
  for (const field of fields ?? []) {
    const own = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, count: 0 };
    for (const { segment, matches: bitmap } of matches) {
      const column = segment.numbers[schema.number.indexOf(field)]!;
      const out = segment.scratch.bytes(32);
      segment.kernels.numberStats(bitmap, segment.blocks, column.ordinals, column.width, column.values, out);
      const [min, max, sum, count] = segment.f64.subarray(out >>> 3, (out >>> 3) + 4) as unknown as [number, number, number, number];
      own.min = Math.min(own.min, min);
      own.max = Math.max(own.max, max);
      own.sum += sum;
      own.count += count;
    }
    stats[field] = own;
  }
  return stats;
}

/** Bucket i counts values in [bounds[i], bounds[i + 1]). */
export function countHistograms(matches: readonly SegmentMatch[], schema: Schema, histograms: Query['histograms']): Answer['histograms'] {
  const counted: Answer['histograms'] = {};
  for (const { field, bounds } of histograms ?? []) {
    const buckets = new Array<number>(Math.max(0, bounds.length - 1)).fill(0);
    for (const { segment, matches: bitmap } of matches) {
      if (buckets.length === 0) continue;
      const column = segment.numbers[schema.number.indexOf(field)]!;
      const limits = segment.scratch.bytes(bounds.length * 4);
      const out = segment.scratch.bytes(buckets.length * 4);
      segment.u32.set(
        bounds.map((bound) => lowerOrdinal(segment, column, bound, false)),
        limits >>> 2,
      );
      segment.u32.fill(0, out >>> 2, (out >>> 2) + buckets.length);
      segment.kernels.bucketCounts(bitmap, segment.blocks, column.ordinals, column.width, limits, buckets.length, out);
      for (let bucket = 0; bucket < buckets.length; bucket++) buckets[bucket]! += segment.u32[(out >>> 2) + bucket]!;
    }
    counted[field] = buckets;
  }
  return counted;
}
