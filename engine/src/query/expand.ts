// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot

import { termSubset } from '../segment/term-subset.ts';
import type { Segment } from '../segment/types.ts';
import { findTerm, prefixRange } from '../text/index.ts';
import type { PlannedWord, TextPlan } from './plan.ts';

/** Terms of a segment as `count` ascending, disjoint pairs (from, to) of dictionary indexes: u32 in the query's scratch memory. */
export interface TermRanges {
  at: number;
  count: number;
}

/** Collects an unknown number of ranges. Builders are reused between queries because an infix can match thousands of terms. */
interface RangeBuilder {
  clear(): void;
  /** Ranges must be added in ascending order. */
  add(from: number, to: number): void;
  /** Copies the collected ranges to the segment's memory. */
  store(segment: Segment): TermRanges;
}

function createRangeBuilder(): RangeBuilder {
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
    store(segment) {
      const at = segment.scratch.bytes(length * 4);
      const dictionaryIndex = at >>> 2;
      const { u32 } = segment;
      for (let each = 0; each < length; each++) u32[dictionaryIndex + each] = items[each]!;
      return { at, count: length >>> 1 };
    },
  };
}

/** A single range, or no range when it is empty. */
export function singleRange(segment: Segment, from: number, to: number): TermRanges {
  const at = segment.scratch.bytes(8);
  segment.u32[at >>> 2] = from;
  segment.u32[(at >>> 2) + 1] = to;
  return { at, count: to > from ? 1 : 0 };
}

/** The terms of one segment that a query word matches. */
export interface Expansion {
  /** Dictionary index of the term equal to the word, or -1. */
  exact: number;
  /** Terms of level 0, as a half-open range. */
  from: number;
  to: number;
  /** Terms by level: 0 in all fields, 1 and 2 in fields with typo tolerance, 3 (including terms of 1 and 2) in fields with infix. */
  levels: readonly [TermRanges, TermRanges, TermRanges, TermRanges];
}

const builders = [createRangeBuilder(), createRangeBuilder()] as const;
const [first, second] = builders;

export function expandWord(segment: Segment, word: PlannedWord, plan: TextPlan): Expansion {
  const { dictionary } = segment;
  const exact = findTerm(dictionary, word.term);
  const { from, to } = word.prefix ? prefixRange(dictionary, word.term) : { from: Math.max(exact, 0), to: exact + 1 };
  const none: TermRanges = { at: 0, count: 0 };
  const [oneTypo, twoTypos] = word.inPhrase ? [none, none] : typoTerms(segment, word, plan);
  const infixes = word.inPhrase ? none : infixTerms(segment, word, plan, from, to);
  return { exact, from, to, levels: [singleRange(segment, from, to), oneTypo, twoTypos, infixes] };
}

function typoTerms(segment: Segment, word: PlannedWord, plan: TextPlan): [TermRanges, TermRanges] {
  for (const builder of builders) builder.clear();
  if (plan.typoFields !== 0 && word.maxTypos > 0) {
    const { near, dictionaryIndex } = termSubset(segment, plan.typoFields);
    // A range of several terms covers all terms with a common prefix, so the same terms are contiguous in the full dictionary.
    near(word.term, word.maxTypos, word.prefix, (start, end, level) =>
      (level === 1 ? first : second).add(dictionaryIndex(start), dictionaryIndex(end - 1) + 1),
    );
  }
  return [first.store(segment), second.store(segment)];
}

/** Terms of level 0 (from … to − 1) are left out: documents that contain them are at level 0 already. */
function infixTerms(segment: Segment, word: PlannedWord, plan: TextPlan, from: number, to: number): TermRanges {
  first.clear();
  if (plan.infixFields !== 0) {
    const { within, dictionaryIndex } = termSubset(segment, plan.infixFields);
    within(word.term, (term) => {
      const index = dictionaryIndex(term);
      if (index < from || index >= to) first.add(index, index + 1);
    });
  }
  return first.store(segment);
}
