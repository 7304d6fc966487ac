import type { Segment } from '../../segment/types.ts';
import { EngineError } from '../../errors.ts';
import { findTerm } from '../../text/index.ts';
import { type Expansion, rangeOf, type TermRanges } from '../expand.ts';
import type { TextPlan } from '../plan.ts';

/**
 * A pattern says which words of the query a term matches, and how well. Terms that match in the same way share a pattern, so that a
 * token of a document is judged by one look into a table.
 */
export interface PatternPart {
  word: number;
  exact: boolean;
  /** By class of field (bit 0: forgives typos, bit 1: allows infix): the level, or 9 for none. */
  levels: [number, number, number, number];
}

/**
 * Marks are shallow at first: only terms of level 0 have one. That is enough to read documents that have all their words at level 0, and
 * spares the thousands of terms in which a short word may stand as an infix. Once deep they stay so.
 */
export interface Marks {
  /** By number; 0 is "no match". More come when marks are made deep. */
  patterns: PatternPart[][];
  /** Address of the bits that tell the kernels which codes may have a mark. */
  sieve: number;
  deepen(): void;
  clear(): void;
}

const sieveBytes = 4096;
const none = 9;
const exactMark = 1;
const prefixMark = 2;
const near1 = 4;
const near2 = 8;
const insideMark = 16;
/** A call can at most double them, and a mark is a u16. */
const mostPatterns = 32_767;

/** Writes the patterns of the query's words, and of excluded phrases after them, into the segment's table of marks. */
export function markTerms(segment: Segment, plan: TextPlan, expansions: readonly Expansion[]): Marks {
  const { kernels, scratch } = segment;
  const sieve = scratch.bytes(sieveBytes);
  segment.u8.fill(0, sieve, sieve + sieveBytes);
  const patterns: PatternPart[][] = [[]];
  /** By pattern: in which ways each word is matched. */
  const kinds: ReadonlyMap<number, number>[] = [new Map()];
  const touched: TermRanges[] = [];
  let isDeep = false;

  const clear = () => {
    for (const { at, count } of touched) kernels.clearMarks(segment.codes, at, count, segment.marks);
  };
  const mark = (ranges: TermRanges, word: number, kind: number) => {
    if (ranges.count === 0) return;
    const known = patterns.length;
    if (known > mostPatterns) {
      clear();
      throw new EngineError('bad_query', 'The query matches in too many different ways.');
    }
    const table = scratch.bytes(known * 2);
    segment.u16.fill(0, table >>> 1, (table >>> 1) + known);
    touched.push(ranges);
    kernels.markRanges(segment.codes, ranges.at, ranges.count, segment.marks, sieve, table, known);
    for (let old = 0; old < known; old++) {
      const number = segment.u16[(table >>> 1) + old]!;
      if (number === 0) continue;
      const own = new Map(kinds[old]);
      own.set(word, (own.get(word) ?? 0) | kind);
      kinds[number] = own;
      patterns[number] = [...own].map(([each, bits]) => partOf(each, bits));
    }
  };

  expansions.forEach(({ exact, levels }, word) => {
    mark(levels[0], word, prefixMark);
    if (exact >= 0) mark(rangeOf(segment, exact, exact + 1), word, exactMark);
  });
  let word = expansions.length;
  for (const phrase of plan.excludedPhrases) {
    for (const term of phrase) {
      const place = findTerm(segment.dictionary, term);
      if (place >= 0) mark(rangeOf(segment, place, place + 1), word, exactMark);
      word++;
    }
  }
  return {
    patterns,
    sieve,
    deepen() {
      if (isDeep) return;
      isDeep = true;
      expansions.forEach(({ levels }, each) => {
        mark(levels[1], each, near1);
        mark(levels[2], each, near2);
        mark(levels[3], each, insideMark);
      });
    },
    clear,
  };
}

function partOf(word: number, kind: number): PatternPart {
  const levelIn = (fieldClass: number) => {
    if ((kind & (exactMark | prefixMark)) !== 0) return 0;
    if ((fieldClass & 1) !== 0 && (kind & near1) !== 0) return 1;
    if ((fieldClass & 1) !== 0 && (kind & near2) !== 0) return 2;
    return (fieldClass & 2) !== 0 && (kind & insideMark) !== 0 ? 3 : none;
  };
  return { word, exact: (kind & exactMark) !== 0, levels: [levelIn(0), levelIn(1), levelIn(2), levelIn(3)] };
}
