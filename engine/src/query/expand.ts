import type { Segment } from '../segment/types.ts';
import { termSubset } from '../segment/term-subset.ts';
import { findTerm, prefixRange } from '../text/index.ts';
import type { PlannedWord, TextPlan } from './plan.ts';

/** Terms of a segment as `count` pairs (from, to) of places in its dictionary, ascending and apart: u32 in the query's scratch. */
export interface TermRanges {
  at: number;
  count: number;
}

/** Collects ranges whose number is not known before. It is used again by every question: an infix may be in thousands of terms. */
export interface RangeCollector {
  clear(): void;
  /** Ranges come in ascending order. */
  add(from: number, to: number): void;
  /** What was collected, in the segment's memory. */
  keep(segment: Segment): TermRanges;
}

export function createRangeCollector(): RangeCollector {
  let items = new Uint32Array(512);
  let length = 0;
  return {
    clear() {
      length = 0;
    },
    add(from, to) {
      if (length > 0 && items[length - 1] === from) {
        items[length - 1] = to;
        return;
      }
      if (length === items.length) {
        const grown = new Uint32Array(length * 2);
        grown.set(items);
        items = grown;
      }
      items[length++] = from;
      items[length++] = to;
    },
    keep(segment) {
      const at = segment.scratch.bytes(length * 4);
      const place = at >>> 2;
      const { u32 } = segment;
      for (let each = 0; each < length; each++) u32[place + each] = items[each]!;
      return { at, count: length >>> 1 };
    },
  };
}

/** One range; none when it is empty. */
export function rangeOf(segment: Segment, from: number, to: number): TermRanges {
  const at = segment.scratch.bytes(8);
  segment.u32[at >>> 2] = from;
  segment.u32[(at >>> 2) + 1] = to;
  return { at, count: to > from ? 1 : 0 };
}

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
