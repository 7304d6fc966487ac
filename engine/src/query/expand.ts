import type { Segment } from '../segment/open-segment.ts';
import { termSubset } from '../segment/term-subset.ts';
import { findTerm, prefixRange } from '../text/index.ts';
import type { PlannedWord, TextPlan } from './plan.ts';
import { createRangeCollector, rangeOf, type TermRanges } from './term-ranges.ts';

/** The terms of one segment that a word matches. */
export interface Expansion {
  /** Place of the term that is the word itself, or -1. */
  exact: number;
  /** Level 0: from … to − 1. */
  from: number;
  to: number;
  /**
   * By level: 0; 1 and 2 for fields that forgive typos; 3 for fields that allow infix, where terms of levels 1 and 2 are among them.
   */
  levels: readonly [TermRanges, TermRanges, TermRanges, TermRanges];
}

const collectors = [createRangeCollector(), createRangeCollector()] as const;
const [first, second] = collectors;

export function expandWord(segment: Segment, word: PlannedWord, plan: TextPlan): Expansion {
  const { dictionary } = segment;
  const exact = findTerm(dictionary, word.term);
  const { from, to } = word.prefix ? prefixRange(dictionary, word.term) : { from: Math.max(exact, 0), to: exact + 1 };
  const none: TermRanges = { at: 0, count: 0 };
  const [near1, near2] = word.inPhrase ? [none, none] : nearTerms(segment, word, plan);
  const within = word.inPhrase ? none : termsWithin(segment, word, plan, from, to);
  return { exact, from, to, levels: [rangeOf(segment, from, to), near1, near2, within] };
}

function nearTerms(segment: Segment, word: PlannedWord, plan: TextPlan): [TermRanges, TermRanges] {
  for (const collector of collectors) collector.clear();
  if (plan.typoFields !== 0 && word.budget > 0) {
    const { near, places } = termSubset(segment, plan.typoFields);
    // A range of more than one term is all that share a prefix, and so is everything between its ends.
    near(word.term, word.budget, word.prefix, (start, end, level) =>
      (level === 1 ? first : second).add(places[start]!, places[end - 1]! + 1),
    );
  }
  return [first.keep(segment), second.keep(segment)];
}

/** Whoever has a term of level 0 (from … to − 1) in a searched field is at level 0 already. */
function termsWithin(segment: Segment, word: PlannedWord, plan: TextPlan, from: number, to: number): TermRanges {
  first.clear();
  if (plan.infixFields !== 0) {
    const { within, places } = termSubset(segment, plan.infixFields);
    within(word.term, (term) => {
      const place = places[term]!;
      if (place < from || place >= to) first.add(place, place + 1);
    });
  }
  return first.keep(segment);
}
