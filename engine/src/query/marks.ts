import { EngineError } from '../errors.ts';
import type { Segment } from '../segment/open-segment.ts';
import { findTerm } from '../text/index.ts';
import type { Expansion } from './expand.ts';
import type { TextPlan } from './plan.ts';

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

export interface Marks {
  /** By number; 0 is "no match". */
  patterns: PatternPart[][];
  /** Address of the bits that tell the kernels which codes may have a mark. */
  sieve: number;
  clear(): void;
}

const sieveBytes = 4096;
const none = 9;
const exactMark = 1;
const prefixMark = 2;
const near1 = 4;
const near2 = 8;
const insideMark = 16;

/** Writes the patterns of the query's words, and of excluded phrases after them, into the segment's table of marks. */
export function markTerms(segment: Segment, plan: TextPlan, expansions: readonly Expansion[]): Marks {
  const sieve = segment.scratch.bytes(sieveBytes);
  segment.u8.fill(0, sieve, sieve + sieveBytes);
  const patterns: PatternPart[][] = [[]];
  const kinds: Map<number, number>[] = [new Map()];
  const touched: { from: number; to: number }[] = [];
  const known = new Map<string, number>();

  const extend = (pattern: number, word: number, kind: number): number => {
    const key = `${pattern}:${word}:${kind}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const own = new Map(kinds[pattern]);
    own.set(word, (own.get(word) ?? 0) | kind);
    const number = patterns.push([...own].map(([each, bits]) => partOf(each, bits))) - 1;
    if (number > 65_535) throw new EngineError('bad_query', 'The query matches in too many different ways.');
    kinds.push(own);
    known.set(key, number);
    return number;
  };
  const mark = (from: number, to: number, word: number, kind: number) => {
    const { u16, u32, kernels } = segment;
    touched.push({ from, to });
    for (let place = from; place < to; ) {
      const old = u16[(segment.marks >>> 1) + u32[(segment.codes >>> 2) + place]!]!;
      place = kernels.markTerms(segment.codes, place, to, segment.marks, sieve, old, extend(old, word, kind));
    }
  };

  expansions.forEach((expansion, word) => {
    if (expansion.to > expansion.from) mark(expansion.from, expansion.to, word, prefixMark);
    if (expansion.exact >= 0) mark(expansion.exact, expansion.exact + 1, word, exactMark);
    for (const range of expansion.near) mark(range.from, range.to, word, range.level === 1 ? near1 : near2);
    for (const range of expansion.within) mark(range.from, range.to, word, insideMark);
  });
  let word = expansions.length;
  for (const phrase of plan.excludedPhrases) {
    for (const term of phrase) {
      const place = findTerm(segment.dictionary, term);
      if (place >= 0) mark(place, place + 1, word, exactMark);
      word++;
    }
  }
  return {
    patterns,
    sieve,
    clear() {
      for (const { from, to } of touched) segment.kernels.clearMarks(segment.codes, from, to, segment.marks);
    },
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
