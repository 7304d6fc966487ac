import type { Segment } from '../segment/open-segment.ts';
import type { Expansion } from './expand.ts';
import { emptyBitmap } from './filter.ts';
import type { TextPlan } from './plan.ts';

/** For one word in one segment: bitmaps of the documents whose best level is 0, 1, 2, 3 (null where none can be), and of all of them. */
export interface WordLevels {
  levels: (number | null)[];
  any: number;
  /** Only for a query of one word: by level, a bitmap per field (null where not searched) of the documents whose first field at that level it may be. */
  byField: ((number | null)[] | null)[];
}

type Range = { from: number; to: number };

export function wordLevels(segment: Segment, expansion: Expansion, plan: TextPlan): WordLevels {
  const { kernels, blocks, bitmapBytes, postingOffsets, postings } = segment;
  const alone = plan.words.length === 1;
  const levels: (number | null)[] = [null, null, null, null];
  const byField: WordLevels['byField'] = [null, null, null, null];
  const any = emptyBitmap(segment);

  const fill = (level: number, ranges: readonly Range[], mask: number) => {
    if (ranges.length === 0 || mask === 0) return;
    const bitmap = emptyBitmap(segment);
    if (alone) {
      const first = segment.scratch.bytes(plan.fieldCount * bitmapBytes);
      kernels.clear(first, plan.fieldCount * blocks);
      for (const { from, to } of ranges) kernels.orPackedByField(postingOffsets, from, to, postings, mask, first, bitmapBytes);
      const fields = Array.from({ length: plan.fieldCount }, (_, field) =>
        ((mask >>> field) & 1) === 1 ? first + field * bitmapBytes : null,
      );
      for (const each of fields) if (each !== null) kernels.or(bitmap, bitmap, each, blocks);
      byField[level] = fields;
    } else for (const { from, to } of ranges) kernels.orPacked(postingOffsets, from, to, postings, mask, bitmap);
    // A document belongs to its smallest level only.
    kernels.andNot(bitmap, bitmap, any, blocks);
    kernels.or(any, any, bitmap, blocks);
    levels[level] = bitmap;
  };
  fill(0, expansion.to > expansion.from ? [expansion] : [], plan.searched);
  fill(
    1,
    expansion.near.filter(({ level }) => level === 1),
    plan.typoFields,
  );
  fill(
    2,
    expansion.near.filter(({ level }) => level === 2),
    plan.typoFields,
  );
  fill(3, expansion.within, plan.infixFields);
  return { levels, any, byField };
}
