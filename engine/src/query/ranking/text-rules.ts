import {
  asBitmap,
  bitmapPart,
  type CellPart,
  cellOf,
  type Entry,
  intersect,
  listPart,
  type Stage,
  uniform,
  without,
} from '../cells/types.ts';
import type { Deadline, TextPlan } from '../plan.ts';
import { splitOneWord } from '../cells/split-one-word.ts';
import { splitByReading } from '../cells/split-by-reading.ts';
import { standing } from './rank.ts';
import { rankEntries, rankOf } from './rank-kernel.ts';

/** A stage over whole numbers of the rank: smaller first. */
function rankStage(plan: TextPlan, read: (entry: Entry) => number, split: Stage['split'], beforeReading = false): Stage {
  return {
    // One word is never read.
    beforeReading: beforeReading && plan.words.length > 1,
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
    true,
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
    true,
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
  if (a.list && b.list) return listPart(a.match, Uint32Array.from([...a.list, ...b.list]).sort());
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
