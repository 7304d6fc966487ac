// biome-ignore-all lint/style/noNonNullAssertion: words, fields and documents are indexed within lengths known from the plan and the segment

import { emptyBitmap } from '../filters/values.ts';
import type { SegmentMatch } from '../match.ts';
import type { TextPlan } from '../plan.ts';
import { type Rank, textRankKey } from '../ranking/rank.ts';
import {
  type Candidate,
  type Cell,
  type CellPart,
  createCell,
  hasDocument,
  intersect,
  type Split,
  subtract,
  uniformSplit,
} from './types.ts';

/* A query of one word is ranked from bitmaps alone: level, field and exactness need no reading of documents. */

/** Splits a cell by field and exactness. Each part is built on request. */
export function* splitOneWord(cell: Cell, plan: TextPlan): Iterable<Split> {
  const level = cell.levelSum!;
  const exact = new Map(cell.parts.map((part) => [part.match, level === 0 ? exactOf(part.match, plan) : null]));
  let rest = cell.parts;
  for (let field = 0; field < plan.fieldCount && rest.length > 0; field++) {
    const bitmapOf = (part: CellPart) => part.match.levels[0]!.byField(level)[field]!;
    const filled = rest
      .flatMap((part) => (bitmapOf(part) === null ? [] : intersect(part, bitmapOf(part)!)))
      .filter(({ count }) => count > 0);
    if (filled.length === 0) continue;
    const split = (parts: CellPart[], whole: boolean, exactWords: number) => {
      const rank: Rank = { words: 1, levels: level, proximity: 0, attribute: field, whole, exact: exactWords };
      return uniformSplit(createCell(parts, level), textRankKey(rank));
    };
    const exactOnes = filled.flatMap((part) => {
      const own = exact.get(part.match);
      if (!own) return [];
      return { whole: own.whole, part: own.isAll ? part : intersect(part, own.word) };
    });
    yield split(
      exactOnes.map(({ part, whole }) => intersect(part, whole)),
      true,
      1,
    );
    yield split(
      exactOnes.map(({ part, whole }) => subtract(part, whole)),
      false,
      1,
    );
    const others = filled.flatMap((part) => {
      const own = exact.get(part.match);
      if (!own) return part;
      return own.isAll ? [] : subtract(part, own.word);
    });
    yield split(others, false, 0);
    rest = rest.map((part) => (bitmapOf(part) === null ? part : subtract(part, bitmapOf(part)!))).filter(({ count }) => count > 0);
  }
}

/**
 * `word`: documents that contain the word exactly. `isAll`: at level 0 these are all documents. `whole`: documents with a searched field
 * that consists of this word only.
 */
interface ExactBitmaps {
  word: number;
  isAll: boolean;
  whole: number;
}

const cache = new WeakMap<SegmentMatch, ExactBitmaps | null>();

function exactOf(match: SegmentMatch, plan: TextPlan): ExactBitmaps | null {
  const found = cache.get(match);
  if (found !== undefined) return found;
  const built = exactBitmaps(match, plan);
  cache.set(match, built);
  return built;
}

function exactBitmaps(match: SegmentMatch, plan: TextPlan): ExactBitmaps | null {
  const { segment } = match;
  const { exact: termIndex, from, to } = match.expansions[0]!;
  if (termIndex < 0) return null;
  const bitmap = (mask: number) => {
    const own = emptyBitmap(segment);
    segment.kernels.orPacked(segment.postingOffsets, termIndex, termIndex + 1, segment.postings, mask, own);
    return own;
  };
  // Without a prefix, level 0 means the word itself.
  const isAll = to - from === 1;
  return { word: isAll ? match.levels[0]!.levels[0]! : bitmap(plan.searchedFields), isAll, whole: bitmap(plan.searchedFields << 16) };
}

/** Ranks a single document of a one-word query. */
export function rankOneWord({ match, doc }: Candidate, plan: TextPlan): Rank {
  const { levels, byField } = match.levels[0]!;
  const has = (bitmap: number | null) => bitmap !== null && hasDocument(match, bitmap, doc);
  const level = levels.findIndex(has);
  const exact = level === 0 ? exactOf(match, plan) : null;
  return {
    words: 1,
    levels: level,
    proximity: 0,
    attribute: byField(level).findIndex(has),
    whole: exact !== null && has(exact.whole),
    exact: exact !== null && has(exact.word) ? 1 : 0,
  };
}
