import type { Segment } from '../segment/open-segment.ts';
import { termSubset } from '../segment/term-subset.ts';
import { findTerm, prefixRange } from '../text/index.ts';
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
  /** Level 3, for fields that allow infix; terms of levels 1 and 2 are among them. */
  within: { from: number; to: number }[];
}

export function expandWord(segment: Segment, word: PlannedWord, plan: TextPlan): Expansion {
  const { dictionary } = segment;
  const exact = findTerm(dictionary, word.term);
  const { from, to } = word.prefix ? prefixRange(dictionary, word.term) : { from: Math.max(exact, 0), to: exact + 1 };
  const expansion: Expansion = { exact, from, to, near: [], within: [] };
  if (word.inPhrase) return expansion;
  if (plan.typoFields !== 0 && word.budget > 0) {
    const { near, places } = termSubset(segment, plan.typoFields);
    // A range of more than one term is all that share a prefix, and so is everything between its ends.
    near(word.term, word.budget, word.prefix, (start, end, level) =>
      expansion.near.push({ from: places[start]!, to: places[end - 1]! + 1, level }),
    );
  }
  if (plan.infixFields !== 0) {
    const { within, places } = termSubset(segment, plan.infixFields);
    within(word.term, (term) => {
      const place = places[term]!;
      // Whoever has a term of level 0 in a searched field is at level 0 already.
      if (place >= from && place < to) return;
      const last = expansion.within.at(-1);
      if (last?.to === place) last.to++;
      else expansion.within.push({ from: place, to: place + 1 });
    });
  }
  return expansion;
}
