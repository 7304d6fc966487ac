import type { Segment } from '../segment/open-segment.ts';
import { findTerm, matchInfix, matchTypos, prefixRange } from '../text/index.ts';
import type { PlannedWord, TextPlan } from './plan.ts';

/** The terms of one segment that a word matches, as ranges of places in its dictionary. */
export interface Expansion {
  /** Place of the term that is the word itself, or -1. */
  exact: number;
  /** Level 0: from … to − 1. */
  from: number;
  to: number;
  /** Levels 1 and 2, for fields that forgive typos. */
  near: { from: number; to: number; level: number }[];
  /** Level 3, for fields that allow infix; terms of lower levels are among them. */
  within: { from: number; to: number }[];
}

export function expandWord(segment: Segment, word: PlannedWord, plan: TextPlan): Expansion {
  const { dictionary } = segment;
  const exact = findTerm(dictionary, word.term);
  const { from, to } = word.prefix ? prefixRange(dictionary, word.term) : { from: Math.max(exact, 0), to: exact + 1 };
  const expansion: Expansion = { exact, from, to, near: [], within: [] };
  if (word.inPhrase) return expansion;
  if (plan.typoFields !== 0 && word.budget > 0) {
    matchTypos(dictionary, word.term, word.budget, word.prefix, (start, end, level) =>
      expansion.near.push({ from: start, to: end, level }),
    );
  }
  if (plan.infixFields !== 0) matchInfix(dictionary, word.term, (start, end) => expansion.within.push({ from: start, to: end }));
  return expansion;
}
