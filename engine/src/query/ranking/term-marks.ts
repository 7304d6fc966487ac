// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query

import { EngineError } from '../../errors.ts';
import type { Segment } from '../../segment/types.ts';
import { findTerm } from '../../text/index.ts';
import { type Expansion, singleRange, type TermRanges } from '../expand.ts';
import type { TextPlan } from '../plan.ts';

/**
 * How a term matches one word of the query. A pattern is a list of these; terms that match in the same way share a pattern, so each token
 * of a document is classified by one table lookup.
 */
export interface WordMatch {
  word: number;
  exact: boolean;
  /** The level by class of field (bit 0: typo tolerance, bit 1: infix), or 9 for no match. */
  levels: [number, number, number, number];
}

/**
 * Marks give each term the number of its pattern. At first only terms of level 0 are marked, which is enough for documents that contain all
 * words at level 0 and avoids marking thousands of infix matches. `addInexactTerms` marks the others.
 */
export interface TermMarks {
  /** By mark; 0 means no match. `addInexactTerms` can add patterns. */
  patterns: WordMatch[][];
  /** Address of a bit filter over term codes: a code without a bit has no mark. */
  markFilter: number;
  addInexactTerms(): void;
  /** Must be called also after `addInexactTerms` failed. */
  clear(): void;
}

const markFilterBytes = 4096;
const noLevel = 9;
const exactMark = 1;
const prefixMark = 2;
const typo1Mark = 4;
const typo2Mark = 8;
const infixMark = 16;
/** Marks are u16, and one call can at most double the number of patterns. */
const maxPatterns = 32_767;

/** Writes the patterns of the query's words, followed by those of excluded phrases, into the segment's mark table. */
export function markTerms(segment: Segment, plan: TextPlan, expansions: readonly Expansion[]): TermMarks {
  const { kernels, scratch } = segment;
  const markFilter = scratch.bytes(markFilterBytes);
  segment.u8.fill(0, markFilter, markFilter + markFilterBytes);
  const patterns: WordMatch[][] = [[]];
  /** By pattern: the ways in which each word is matched, as a bit mask. */
  const kinds: ReadonlyMap<number, number>[] = [new Map()];
  const markedRanges: TermRanges[] = [];
  let hasInexactTerms = false;

  const clear = () => {
    for (const { at, count } of markedRanges) kernels.clearMarks(segment.codes, at, count, segment.marks);
  };
  const mark = (ranges: TermRanges, word: number, kind: number) => {
    if (ranges.count === 0) return;
    const known = patterns.length;
    if (known > maxPatterns) {
      throw new EngineError('bad_query', 'The query matches terms in too many different ways. Use fewer words.');
    }
    const table = scratch.bytes(known * 2);
    segment.u16.fill(0, table >>> 1, (table >>> 1) + known);
    markedRanges.push(ranges);
    kernels.markRanges(segment.codes, ranges.at, ranges.count, segment.marks, markFilter, table, known);
    for (let old = 0; old < known; old++) {
      const number = segment.u16[(table >>> 1) + old]!;
      if (number === 0) continue;
      const own = new Map(kinds[old]);
      own.set(word, (own.get(word) ?? 0) | kind);
      kinds[number] = own;
      patterns[number] = [...own].map(([each, bits]) => wordMatch(each, bits));
    }
  };

  try {
    expansions.forEach(({ exact, levels }, word) => {
      mark(levels[0], word, prefixMark);
      if (exact >= 0) mark(singleRange(segment, exact, exact + 1), word, exactMark);
    });
    let word = expansions.length;
    for (const phrase of plan.excludedPhrases) {
      for (const term of phrase) {
        const termIndex = findTerm(segment.dictionary, term);
        if (termIndex >= 0) mark(singleRange(segment, termIndex, termIndex + 1), word, exactMark);
        word++;
      }
    }
  } catch (error) {
    clear();
    throw error;
  }
  return {
    patterns,
    markFilter,
    addInexactTerms() {
      if (hasInexactTerms) return;
      hasInexactTerms = true;
      expansions.forEach(({ levels }, each) => {
        mark(levels[1], each, typo1Mark);
        mark(levels[2], each, typo2Mark);
        mark(levels[3], each, infixMark);
      });
    },
    clear,
  };
}

function wordMatch(word: number, kind: number): WordMatch {
  const levelIn = (fieldClass: number) => {
    if ((kind & (exactMark | prefixMark)) !== 0) return 0;
    if ((fieldClass & 1) !== 0 && (kind & typo1Mark) !== 0) return 1;
    if ((fieldClass & 1) !== 0 && (kind & typo2Mark) !== 0) return 2;
    return (fieldClass & 2) !== 0 && (kind & infixMark) !== 0 ? 3 : noLevel;
  };
  return { word, exact: (kind & exactMark) !== 0, levels: [levelIn(0), levelIn(1), levelIn(2), levelIn(3)] };
}
