import type { SegmentMatch } from './candidates.ts';
import {
  asBitmap,
  bitmapPart,
  type Cell,
  type CellPart,
  cellOf,
  type Entry,
  intersect,
  type Split,
  type Stage,
  uniform,
  without,
} from './cells.ts';
import type { Deadline } from './deadline.ts';
import type { TextPlan } from './plan.ts';
import { type Rank, standing } from './rank.ts';
import { rankEntries, rankOf } from './rank-kernel.ts';
import { splitByReading } from './read-standings.ts';

/** A stage over whole numbers of the rank: smaller first. */
function rankStage(plan: TextPlan, read: (entry: Entry) => number, split: Stage['split']): Stage {
  return {
    prepare: (entries) => rankEntries(entries, plan),
    marks: 'ascending',
    order: (a, b) => read(a) - read(b),
    mark: read,
    against: (entry, mark) => read(entry) - (mark as number),
    split,
  };
}

/** Rule 1. Only `last` lets documents differ: cells by the length of the leading run of words they have, longest first. */
export function wordsStage(plan: TextPlan): Stage {
  const inPhrases = plan.words.length - plan.plain.length;
  return rankStage(
    plan,
    (entry) => -rankOf(entry, plan).words,
    function* (cell) {
      // chain[k]: the part's documents that have the first k + 1 plain words.
      const chains = cell.parts.map((part) => {
        const chain: CellPart[] = [part];
        for (const word of plan.plain.slice(1)) chain.push(intersect(chain.at(-1)!, part.match.levels[word]!.any));
        return chain;
      });
      for (let length = plan.plain.length; length >= 1; length--) {
        const parts = chains.map((chain) => {
          const longer = chain[length];
          return longer === undefined ? chain[length - 1]! : without(chain[length - 1]!, asBitmap(longer));
        });
        yield uniform({ ...cellOf(parts, null), words: length }, -(length + inPhrases));
      }
    },
  );
}

/** Rule 2: sums of levels, built word by word from the bitmaps of each level. */
export function typoStage(plan: TextPlan): Stage {
  return rankStage(
    plan,
    (entry) => rankOf(entry, plan).levels,
    function* (cell) {
      const counted = plan.plain.slice(0, cell.words ?? plan.plain.length);
      const sums = cell.parts.map((part) => sumsOf(part, counted));
      const most = Math.max(...sums.map((own) => own.length));
      for (let sum = 0; sum < most; sum++) {
        const parts = sums.flatMap((own) => own[sum] ?? []);
        yield uniform({ ...cellOf(parts, sum), words: cell.words ?? null }, sum);
      }
    },
  );
}

function sumsOf(part: CellPart, words: readonly number[]): (CellPart | undefined)[] {
  let sums: (CellPart | undefined)[] = [part];
  for (const word of words) {
    const { levels } = part.match.levels[word]!;
    const next: (CellPart | undefined)[] = [];
    sums.forEach((own, sum) => {
      if (!own || own.count === 0) return;
      levels.forEach((bitmap, level) => {
        if (bitmap === null) return;
        const both = intersect(own, bitmap);
        if (both.count > 0) next[sum + level] = next[sum + level] ? union(next[sum + level]!, both) : both;
      });
    });
    sums = next;
  }
  return sums;
}

function union(a: CellPart, b: CellPart): CellPart {
  const { segment } = a.match;
  const bitmap = segment.scratch.bitmap();
  segment.kernels.or(bitmap, asBitmap(a), asBitmap(b), segment.blocks);
  return bitmapPart(a.match, bitmap);
}

export function standingStage(plan: TextPlan, deadline: Deadline): Stage {
  return rankStage(
    plan,
    (entry) => standing(rankOf(entry, plan)),
    (cell, wanted, from, next) =>
      plan.words.length === 1
        ? splitOneWord(cell, plan)
        : splitByReading(cell, plan, deadline, wanted, from === undefined ? next?.inOrder : undefined),
  );
}

/** One word: fields and exactness come from bitmaps. Each cell is made when it is asked for. */
function* splitOneWord(cell: Cell, plan: TextPlan): Iterable<Split> {
  const level = cell.levels!;
  const exact = new Map(cell.parts.map((part) => [part.match, level === 0 ? exactBitmaps(part.match, plan) : null]));
  let rest = cell.parts;
  for (let field = 0; field < plan.fieldCount && rest.length > 0; field++) {
    const bitmapOf = (part: CellPart) => part.match.levels[0]!.byField(level)[field]!;
    const filled = rest
      .flatMap((part) => (bitmapOf(part) === null ? [] : intersect(part, bitmapOf(part)!)))
      .filter(({ count }) => count > 0);
    if (filled.length === 0) continue;
    const split = (parts: CellPart[], whole: boolean, exactWords: number) => {
      const rank: Rank = { words: 1, levels: level, proximity: 0, attribute: field, whole, exact: exactWords };
      return uniform(cellOf(parts, level), standing(rank));
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
      exactOnes.map(({ part, whole }) => without(part, whole)),
      false,
      1,
    );
    const others = filled.flatMap((part) => {
      const own = exact.get(part.match);
      if (!own) return part;
      return own.isAll ? [] : without(part, own.word);
    });
    yield split(others, false, 0);
    rest = rest.map((part) => (bitmapOf(part) === null ? part : without(part, bitmapOf(part)!))).filter(({ count }) => count > 0);
  }
}

/** Documents that have the word itself (`isAll`: at level 0 these are all), and those where it is all of a searched field. */
function exactBitmaps(match: SegmentMatch, plan: TextPlan): { word: number; isAll: boolean; whole: number } | null {
  const { segment } = match;
  const { exact: place, from, to } = match.expansions[0]!;
  if (place < 0) return null;
  const bitmap = (mask: number) => {
    const own = segment.scratch.bitmap();
    segment.kernels.clear(own, segment.blocks);
    segment.kernels.orPacked(segment.postingOffsets, place, place + 1, segment.postings, mask, own);
    return own;
  };
  // Without a prefix, level 0 is the word itself.
  const isAll = to - from === 1;
  return { word: isAll ? match.levels[0]!.levels[0]! : bitmap(plan.searched), isAll, whole: bitmap(plan.searched << 16) };
}
