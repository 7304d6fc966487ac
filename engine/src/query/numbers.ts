import { codesView } from '../segment/columns.ts';
import type { Answer, Query, Schema } from '../types.ts';
import type { SegmentMatch } from './candidates.ts';

/** How often each ordinal of a numeric field occurs among the matches of a segment; 0 counts the missing. */
function eachValue(match: SegmentMatch, field: number, visit: (value: number) => void): void {
  const { segment, matches } = match;
  const column = segment.numbers[field]!;
  const ordinals = codesView(segment, column.ordinals, column.width);
  const { u32, f64 } = segment;
  const values = (column.values >>> 3) - 1;
  const bits = matches >>> 2;
  for (let at = 0; at < segment.blocks * 4; at++) {
    for (let word = u32[bits + at]!; word !== 0; word &= word - 1) {
      const ordinal = ordinals[at * 32 + 31 - Math.clz32(word & -word)]!;
      if (ordinal !== 0) visit(f64[values + ordinal]!);
    }
  }
}

export function numberStats(matches: readonly SegmentMatch[], schema: Schema, fields: Query['stats']): Answer['stats'] {
  const stats: Answer['stats'] = {};
  for (const field of fields ?? []) {
    const own = { min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY, sum: 0, count: 0 };
    for (const match of matches) {
      eachValue(match, schema.number.indexOf(field), (value) => {
        if (value < own.min) own.min = value;
        if (value > own.max) own.max = value;
        own.sum += value;
        own.count++;
      });
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
    for (const match of matches) {
      eachValue(match, schema.number.indexOf(field), (value) => {
        const bucket = bucketOf(bounds, value);
        if (bucket >= 0 && bucket < buckets.length) buckets[bucket]!++;
      });
    }
    counted[field] = buckets;
  }
  return counted;
}

/** The last bound that is not above the value. */
function bucketOf(bounds: readonly number[], value: number): number {
  let low = 0;
  let high = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bounds[middle]! <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
