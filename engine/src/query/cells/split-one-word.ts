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
  let rest = cell.parts;
  for (let field = 0; field < plan.fieldCount && rest.length > 0; field++) {
    const bitmapOf = (part: CellPart) => part.match.levels[0]!.byField(level)[field]!;
    let own = rest.flatMap((part) => (bitmapOf(part) === null ? [] : intersect(part, bitmapOf(part)!))).filter(({ count }) => count > 0);
    if (own.length === 0) continue;
    for (const whole of [0, 1, 2]) {
      const inside = whole === 2 ? own : own.map((part) => intersect(part, wholeOf(part.match, plan, level)[whole]!));
      const [exact, others] = partitionExact(inside, plan, level);
      const split = (parts: CellPart[], exactWords: number) => {
        const rank: Rank = { words: 1, levels: level, proximity: 0, attribute: field, whole, exact: exactWords };
        return uniformSplit(createCell(parts, level), textRankKey(rank));
      };
      yield split(exact, 1);
      yield split(others, 0);
      if (whole < 2) own = own.map((part) => subtract(part, wholeOf(part.match, plan, level)[whole]!)).filter(({ count }) => count > 0);
    }
    rest = rest.map((part) => (bitmapOf(part) === null ? part : subtract(part, bitmapOf(part)!))).filter(({ count }) => count > 0);
  }
}

/** Splits parts into the documents that contain the word itself and the others. */
function partitionExact(parts: readonly CellPart[], plan: TextPlan, level: number): [CellPart[], CellPart[]] {
  const exact: CellPart[] = [];
  const others: CellPart[] = [];
  for (const part of parts) {
    const own = level === 0 ? exactOf(part.match, plan) : null;
    if (own === null) others.push(part);
    else if (own.isAll) exact.push(part);
    else {
      exact.push(intersect(part, own.word));
      others.push(subtract(part, own.word));
    }
  }
  return [exact, others];
}

/** `word`: documents that contain the word exactly. `isAll`: at level 0 these are all documents. */
interface ExactBitmaps {
  word: number;
  isAll: boolean;
}

const exactCache = new WeakMap<SegmentMatch, ExactBitmaps | null>();

function exactOf(match: SegmentMatch, plan: TextPlan): ExactBitmaps | null {
  const found = exactCache.get(match);
  if (found !== undefined) return found;
  const built = exactBitmaps(match, plan);
  exactCache.set(match, built);
  return built;
}

function exactBitmaps(match: SegmentMatch, plan: TextPlan): ExactBitmaps | null {
  const { segment } = match;
  const { exact: termIndex, from, to } = match.expansions[0]!;
  if (termIndex < 0) return null;
  // Without a prefix, level 0 means the word itself.
  if (to - from === 1) return { word: match.levels[0]!.levels[0]!, isAll: true };
  const word = emptyBitmap(segment);
  segment.kernels.orPacked(segment.postingOffsets, termIndex, termIndex + 1, segment.postings, plan.searchedFields, word);
  return { word, isAll: false };
}

const wholeCache = new WeakMap<SegmentMatch, (readonly [number, number] | undefined)[]>();

/** Bitmaps of the documents with a searched field, and with a variant field, whose only token matches the word at this level. */
function wholeOf(match: SegmentMatch, plan: TextPlan, level: number): readonly [number, number] {
  const cached = wholeCache.get(match) ?? [];
  wholeCache.set(match, cached);
  const found = cached[level];
  if (found !== undefined) return found;
  const { segment, expansions } = match;
  const { at, count } = expansions[0]!.levels[level]!;
  const fields = [plan.searchedFields, plan.typoFields, plan.typoFields, plan.infixFields][level]!;
  const bitmap = (mask: number) => {
    const own = emptyBitmap(segment);
    if (mask !== 0) segment.kernels.orPackedRanges(segment.postingOffsets, at, count, segment.postings, mask << 16, own);
    return own;
  };
  const built = [bitmap(fields & ~plan.variantFields), bitmap(fields & plan.variantFields)] as const;
  cached[level] = built;
  return built;
}

/** Ranks a single document of a one-word query. */
export function rankOneWord({ match, doc }: Candidate, plan: TextPlan): Rank {
  const { levels, byField } = match.levels[0]!;
  const has = (bitmap: number | null) => bitmap !== null && hasDocument(match, bitmap, doc);
  const level = levels.findIndex(has);
  const exact = level === 0 ? exactOf(match, plan) : null;
  const whole = wholeOf(match, plan, level).findIndex(has);
  return {
    words: 1,
    levels: level,
    proximity: 0,
    attribute: byField(level).findIndex(has),
    whole: whole === -1 ? 2 : whole,
    exact: exact !== null && has(exact.word) ? 1 : 0,
  };
}
