import type { Segment } from '../segment/open-segment.ts';
import type { Expansion } from './expand.ts';
import { emptyBitmap } from './filter.ts';
import type { TextPlan } from './plan.ts';
import { smallCell } from './walk.ts';

/** For one word in one segment: bitmaps of the documents whose best level is 0, 1, 2, 3 (null where none can be), and of all of them. */
export interface WordLevels {
  levels: (number | null)[];
  any: number;
  /**
   * For a level: a bitmap per field (null where there are none) of the documents that have a term of this level there. Made when ranking
   * first asks for it.
   */
  byField(level: number): (number | null)[];
}

type Range = { from: number; to: number };

const bytesPerSmallCell = 160;

export function wordLevels(segment: Segment, expansion: Expansion, plan: TextPlan): WordLevels {
  const { kernels, blocks, bitmapBytes, postingOffsets, postings } = segment;
  const wanted: { ranges: readonly Range[]; mask: number }[] = [
    { ranges: expansion.to > expansion.from ? [expansion] : [], mask: plan.searched },
    { ranges: expansion.near.filter(({ level }) => level === 1), mask: plan.typoFields },
    { ranges: expansion.near.filter(({ level }) => level === 2), mask: plan.typoFields },
    { ranges: expansion.within, mask: plan.infixFields },
  ];
  const any = emptyBitmap(segment);
  const made: (number | null)[][] = [];
  const makeByField = (level: number) => {
    const { ranges, mask } = wanted[level]!;
    const first = segment.scratch.bytes(plan.fieldCount * bitmapBytes);
    let used = 0;
    for (const { from, to } of ranges) used = kernels.orPackedByField(postingOffsets, from, to, postings, mask, first, bitmapBytes, used);
    return Array.from({ length: plan.fieldCount }, (_, field) => (((used >>> field) & 1) === 1 ? first + field * bitmapBytes : null));
  };
  const levels = wanted.map(({ ranges, mask }, level) => {
    if (ranges.length === 0 || mask === 0) return null;
    const bitmap = emptyBitmap(segment);
    if (postingBytes(segment, ranges) > smallCell * bytesPerSmallCell) {
      // Ranking will ask by field; long lists are unpacked once for both.
      made[level] = makeByField(level);
      for (const own of made[level]) if (own !== null) kernels.or(bitmap, bitmap, own, blocks);
    } else for (const { from, to } of ranges) kernels.orPacked(postingOffsets, from, to, postings, mask, bitmap);
    // A document belongs to its smallest level only.
    kernels.andNot(bitmap, bitmap, any, blocks);
    kernels.or(any, any, bitmap, blocks);
    return bitmap;
  });
  return {
    levels,
    any,
    byField: (level) => {
      made[level] ??= makeByField(level);
      return made[level];
    },
  };
}

function postingBytes({ u32, postingOffsets }: Segment, ranges: readonly Range[]): number {
  const offsets = postingOffsets >>> 2;
  return ranges.reduce((sum, { from, to }) => sum + u32[offsets + to]! - u32[offsets + from]!, 0);
}
