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

export { rankOf };

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

/** One word: fields and exactness come from bitmaps. */
function* splitOneWord(cell: Cell, plan: TextPlan): Iterable<Split> {
  const level = cell.levels!;
  const exact = new Map(cell.parts.map((part) => [part.match, level === 0 ? exactBitmaps(part.match, plan) : null]));
  let rest = cell.parts;
  for (let field = 0; field < plan.fieldCount; field++) {
    const inField: CellPart[] = [];
    const others: CellPart[] = [];
    for (const part of rest) {
      const bitmap = part.match.levels[0]!.byField(level)[field]!;
      if (bitmap === null) {
        others.push(part);
        continue;
      }
      inField.push(intersect(part, bitmap));
      others.push(without(part, bitmap));
    }
    rest = others;
    const filled = inField.filter((part) => part.count > 0);
    const cells = [
      {
        parts: filled.flatMap((part) => (exact.get(part.match) ? [intersect(part, exact.get(part.match)!.whole)] : [])),
        whole: true,
        exact: 1,
      },
      {
        parts: filled.flatMap((part) =>
          exact.get(part.match) ? [without(intersect(part, exact.get(part.match)!.word), exact.get(part.match)!.whole)] : [],
        ),
        whole: false,
        exact: 1,
      },
      { parts: filled.map((part) => (exact.get(part.match) ? without(part, exact.get(part.match)!.word) : part)), whole: false, exact: 0 },
    ];
    for (const own of cells) {
      const rank: Rank = { words: 1, levels: level, proximity: 0, attribute: field, whole: own.whole, exact: own.exact };
      yield uniform(cellOf(own.parts, level), standing(rank));
    }
  }
}

/** Documents that have the word itself, and those where it is all of a searched field. */
function exactBitmaps(match: SegmentMatch, plan: TextPlan): { word: number; whole: number } | null {
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
  const word = to - from === 1 ? match.levels[0]!.levels[0]! : bitmap(plan.searched);
  return { word, whole: bitmap(plan.searched << 16) };
}
