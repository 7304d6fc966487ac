import type { Segment } from '../segment/open-segment.ts';
import { encodeTerm, type Finder, findTerm, matchInfix, matchTypos, prefixRange } from '../text/index.ts';
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
  const find = plan.infixFields !== 0 && !word.inPhrase ? finderIn(segment, word.term) : undefined;
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
  if (find !== undefined) matchInfix(dictionary, word.term, (start, end) => expansion.within.push({ from: start, to: end }), find);
  return expansion;
}

/** Finds the word in the dictionary by kernel. Taking scratch may move the memory, so the segment is read only after it. */
function finderIn(segment: Segment, word: string): Finder {
  const needle = encodeTerm(word);
  const at = segment.scratch.bytes(needle.length);
  segment.u8.set(needle, at);
  const { kernels, dictionary } = segment;
  const start = dictionary.bytes.byteOffset;
  const end = start + dictionary.offsets[dictionary.size]!;
  return (from) => {
    const found = kernels.findBytes(start + from, end, at, needle.length) >>> 0;
    return found === 0xffffffff ? -1 : found - start;
  };
}
