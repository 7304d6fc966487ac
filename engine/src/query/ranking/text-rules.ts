// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query

import { splitByReading } from '../cells/split-by-reading.ts';
import { splitOneWord } from '../cells/split-one-word.ts';
import {
  type Candidate,
  type CellPart,
  createCell,
  intersect,
  partFromBitmap,
  partFromList,
  type RankingRule,
  subtract,
  toBitmap,
  uniformSplit,
} from '../cells/types.ts';
import type { Deadline, TextPlan } from '../plan.ts';
import { textRankKey } from './rank.ts';
import { rankCandidates, rankOf } from './rank-kernel.ts';

/** A rule over a whole number of the rank, smaller first. */
function numericRule(
  plan: TextPlan,
  rankValue: (candidate: Candidate) => number,
  split: RankingRule['split'],
  splitsWithoutReading = false,
): RankingRule {
  return {
    // Queries of one word never read documents.
    splitsWithoutReading: splitsWithoutReading && plan.words.length > 1,
    prepare: (candidates) => rankCandidates(candidates, plan),
    valueOrder: 'ascending',
    compare: (a, b) => rankValue(a) - rankValue(b),
    sortValue: rankValue,
    compareToCursor: (candidate, cursorValue) => rankValue(candidate) - (cursorValue as number),
    split,
  };
}

/**
 * Rule 1. Only `matching: 'last'` has documents with different counts: cells by the number of leading words they contain, longest first.
 */
export function wordsRule(plan: TextPlan): RankingRule {
  const inPhrases = plan.words.length - plan.plainWords.length;
  return numericRule(
    plan,
    (candidate) => -rankOf(candidate, plan).words,
    function* (cell) {
      // chain[k]: the documents of the part that contain the first k + 1 plain words.
      const chains = cell.parts.map((part) => {
        const chain: CellPart[] = [part];
        for (const word of plan.plainWords.slice(1)) chain.push(intersect(chain.at(-1)!, part.match.levels[word]!.any));
        return chain;
      });
      for (let length = plan.plainWords.length; length >= 1; length--) {
        const parts = chains.map((chain) => {
          const longer = chain[length];
          return longer === undefined ? chain[length - 1]! : subtract(chain[length - 1]!, toBitmap(longer));
        });
        yield uniformSplit({ ...createCell(parts, null), wordCount: length }, -(length + inPhrases));
      }
    },
    true,
  );
}

/** Rule 2. Builds the sums of levels word by word from the bitmaps of each level. */
export function typoRule(plan: TextPlan): RankingRule {
  return numericRule(
    plan,
    (candidate) => rankOf(candidate, plan).levels,
    function* (cell) {
      const counted = plan.plainWords.slice(0, cell.wordCount ?? plan.plainWords.length);
      const sums = cell.parts.map((part) => sumsOf(part, counted));
      const most = Math.max(...sums.map((own) => own.length));
      for (let sum = 0; sum < most; sum++) {
        const parts = sums.flatMap((own) => own[sum] ?? []);
        yield uniformSplit({ ...createCell(parts, sum), wordCount: cell.wordCount ?? null }, sum);
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
  if (a.list && b.list) return partFromList(a.match, Uint32Array.from([...a.list, ...b.list]).sort());
  const bitmap = segment.scratch.bitmap();
  segment.kernels.or(bitmap, toBitmap(a), toBitmap(b), segment.blocks);
  return partFromBitmap(a.match, bitmap);
}

export function textRankRule(plan: TextPlan, deadline: Deadline): RankingRule {
  return numericRule(
    plan,
    (candidate) => textRankKey(rankOf(candidate, plan)),
    (cell, wanted, from, next) =>
      plan.words.length === 1
        ? splitOneWord(cell, plan)
        : splitByReading(cell, plan, deadline, wanted, from === undefined ? next?.batchesInOrder : undefined),
  );
}
