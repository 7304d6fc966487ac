// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query

import type { TextPlan } from '../plan.ts';
import { type DocumentScan, fieldStride } from './scan-document.ts';

/** A document's values for rules 1 to 5 of RULES.md §4, in comparison order. */
export interface Rank {
  words: number;
  levels: number;
  proximity: number;
  attribute: number;
  /** 0 when a searched field consists of the query's words, 1 when only a variant field does, 2 otherwise. */
  whole: number;
  exact: number;
}

/** Ranks the document that was scanned last, which must be a match. */
export function rankScan(scan: DocumentScan, plan: TextPlan): Rank {
  const rank: Rank = { words: 0, levels: 0, proximity: 0, attribute: 0, whole: scan.whole, exact: 0 };
  let previous = -1;
  let dropped = false;
  for (let word = 0; word < plan.words.length; word++) {
    if (!plan.words[word]!.inPhrase) {
      // With `matching: 'last'`, words count up to the first one that is missing.
      if (scan.counts[word] === 0) dropped = true;
      if (dropped) continue;
    }
    rank.words++;
    rank.levels += scan.level[word]!;
    rank.attribute += Math.floor(scan.positions[word]![0]! / fieldStride);
    rank.exact += scan.exact[word]!;
    if (previous >= 0)
      rank.proximity += proximityCost(scan.positions[previous]!, scan.counts[previous]!, scan.positions[word]!, scan.counts[word]!);
    previous = word;
  }
  return rank;
}

const maxCost = 8;

/** The proximity cost of two words: that of their cheapest pair of occurrences. Both lists ascend, so only nearest pairs are compared. */
function proximityCost(left: Int32Array, leftCount: number, right: Int32Array, rightCount: number): number {
  let best = maxCost;
  let at = 0;
  for (let each = 0; each < leftCount; each++) {
    const position = left[each]!;
    while (at < rightCount && right[at]! < position) at++;
    if (at > 0) best = Math.min(best, position - right[at - 1]! + 1);
    let ahead = at;
    if (ahead < rightCount && right[ahead] === position) {
      best = Math.min(best, 2);
      while (ahead < rightCount && right[ahead] === position) ahead++;
    }
    if (ahead < rightCount) best = Math.min(best, right[ahead]! - position);
    if (best === 1) return 1;
  }
  return best;
}

/** Rules 3 to 5 as one number, smaller is better: proximity, attribute, whole field, exact words. */
export function textRankKey(rank: Pick<Rank, 'proximity' | 'attribute' | 'whole' | 'exact'>): number {
  return ((rank.proximity * 16_384 + rank.attribute) * 4 + rank.whole) * 1024 + (1023 - rank.exact);
}

/** The score of RULES.md §5. */
export function scoreOf(rank: Rank, plan: TextPlan): number {
  const { words, levels, proximity, attribute, whole, exact } = rank;
  if (plan.words.length === 0) return 1;
  const pairs = words - 1;
  return (
    0.5 * (words / plan.words.length) +
    0.25 * (1 - levels / (3 * words)) +
    0.125 * (pairs < 1 ? 1 : 1 - (proximity - pairs) / (7 * pairs)) +
    0.0825 * (1 - attribute / (words * Math.max(1, plan.fieldCount - 1))) +
    0.0425 * ([1, 0.95][whole] ?? (0.9 * exact) / words)
  );
}
