import type { Segment } from '../segment/open-segment.ts';
import type { Expansion } from './expand.ts';
import { emptyBitmap } from './filter.ts';
import type { TextPlan } from './plan.ts';
import type { TermRanges } from './term-ranges.ts';
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

const bytesPerSmallCell = 160;

export function wordLevels(segment: Segment, expansion: Expansion, plan: TextPlan): WordLevels {
  const { kernels, blocks, bitmapBytes, postingOffsets, postings } = segment;
  const masks = [plan.searched, plan.typoFields, plan.typoFields, plan.infixFields];
  const any = emptyBitmap(segment);
  const made: (number | null)[][] = [];
  const makeByField = (level: number) => {
    const { at, count } = expansion.levels[level]!;
    const first = segment.scratch.bytes(plan.fieldCount * bitmapBytes);
    const used = kernels.orPackedByField(postingOffsets, at, count, postings, masks[level]!, first, bitmapBytes);
    return Array.from({ length: plan.fieldCount }, (_, field) => (((used >>> field) & 1) === 1 ? first + field * bitmapBytes : null));
  };
  const levels = expansion.levels.map((ranges, level) => {
    const mask = masks[level]!;
    if (ranges.count === 0 || mask === 0) return null;
    const bitmap = emptyBitmap(segment);
    if (areLong(segment, ranges)) {
      // Ranking will ask by field; long lists are unpacked once for both.
      made[level] = makeByField(level);
      for (const own of made[level]) if (own !== null) kernels.or(bitmap, bitmap, own, blocks);
    } else kernels.orPackedRanges(postingOffsets, ranges.at, ranges.count, postings, mask, bitmap);
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

/** Whether the postings of these terms are more than those of a small cell. */
function areLong({ u32, postingOffsets }: Segment, { at, count }: TermRanges): boolean {
  const offsets = postingOffsets >>> 2;
  const most = smallCell * bytesPerSmallCell;
  const end = (at >>> 2) + count * 2;
  let bytes = 0;
  for (let pair = at >>> 2; pair < end && bytes <= most; pair += 2) bytes += u32[offsets + u32[pair + 1]!]! - u32[offsets + u32[pair]!]!;
  return bytes > most;
}
