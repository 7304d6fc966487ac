import type { Segment } from '../segment/open-segment.ts';
import { findTerm } from '../text/index.ts';
import type { Filter, Schema } from '../types.ts';
import type { Deadline } from './deadline.ts';
import { type Expansion, expandWord } from './expand.ts';
import { emptyBitmap, filterBitmap } from './filter.ts';
import { type Marks, markTerms } from './marks.ts';
import type { TextPlan } from './plan.ts';
import { createScanner, type Scanner, standsTogether } from './scan-document.ts';
import { type WordLevels, wordLevels } from './word-levels.ts';

/** One segment's part of a query: its matches, and what ranking needs to know of its words. */
export interface SegmentMatch {
  segment: Segment;
  /** Bitmap of the matches and their number. */
  matches: number;
  count: number;
  expansions: Expansion[];
  /** By word of the plan. */
  levels: WordLevels[];
  /** The marks of the query's terms, laid on first use; `deep` for whoever looks at documents that have a word at another level than 0. */
  marks(deep: boolean): Marks;
  /** Reads documents against them, for ranking and highlighting. */
  scanner(deep: boolean): Scanner;
  release(): void;
}

export function matchSegment(
  segment: Segment,
  schema: Schema,
  plan: TextPlan,
  filter: Filter | undefined,
  deadline: Deadline,
): SegmentMatch {
  const { kernels, blocks, scratch } = segment;
  scratch.reset();
  const matches = filter === undefined ? emptyBitmap(segment) : filterBitmap(segment, schema, filter);
  if (filter === undefined) kernels.or(matches, matches, segment.live, blocks);
  else kernels.and(matches, matches, segment.live, blocks);

  const expansions = plan.words.map((word) => expandWord(segment, word, plan));
  const levels = expansions.map((expansion) => wordLevels(segment, expansion, plan));
  let marks: Marks | null = null;
  let scanner: Scanner | null = null;
  const match: SegmentMatch = {
    segment,
    matches,
    count: 0,
    expansions,
    levels,
    marks(deep) {
      marks ??= markTerms(segment, plan, expansions);
      if (deep) marks.deepen();
      return marks;
    },
    scanner(deep) {
      scanner ??= createScanner(segment, plan, expansions, match.marks(deep));
      if (deep) match.marks(true);
      return scanner;
    },
    release() {
      marks?.clear();
      marks = null;
      scanner = null;
    },
  };

  plan.words.forEach((word, index) => {
    // Under `last` only the first plain word is needed.
    if (word.inPhrase || !plan.lastMayDrop || index === plan.plain[0]) kernels.and(matches, matches, levels[index]!.any, blocks);
  });
  for (const term of plan.excludedWords) {
    const place = findTerm(segment.dictionary, term);
    if (place < 0) continue;
    const bitmap = emptyBitmap(segment);
    kernels.orPacked(segment.postingOffsets, place, place + 1, segment.postings, plan.searched, bitmap);
    kernels.andNot(matches, matches, bitmap, blocks);
    scratch.release(bitmap);
  }
  if (plan.phrases.some(({ length }) => length > 1) || plan.excludedPhrases.length > 0) checkPhrases(match, plan, deadline);
  match.count = kernels.popcount(matches, blocks);
  return match;
}

const checkedAtOnce = 1024;

/**
 * What the bitmaps let through has all the words; whether they stand together only the document tells. Out of time, documents that were
 * not looked into do not match.
 */
function checkPhrases(match: SegmentMatch, plan: TextPlan, deadline: Deadline): void {
  const { segment, matches } = match;
  const scanner = match.scanner(false);
  const excluded: { first: number; length: number }[] = [];
  let first = plan.words.length;
  for (const phrase of plan.excludedPhrases) {
    excluded.push({ first, length: phrase.length });
    first += phrase.length;
  }
  const { u32 } = segment;
  const bits = matches >>> 2;
  let untilLook = 0;
  for (let at = 0; at < segment.blocks * 4; at++) {
    for (let word = u32[bits + at]!; word !== 0; word &= word - 1) {
      if (untilLook-- === 0) {
        if (deadline.passed()) {
          u32[bits + at]! &= ~word;
          u32.fill(0, bits + at + 1, bits + segment.blocks * 4);
          return;
        }
        untilLook = checkedAtOnce;
      }
      const bit = 31 - Math.clz32(word & -word);
      scanner.scan(at * 32 + bit);
      const wanted = plan.phrases.every((phrase) => standsTogether(scanner, phrase.first, phrase.length));
      if (!wanted || excluded.some((phrase) => standsTogether(scanner, phrase.first, phrase.length))) u32[bits + at]! &= ~(1 << bit);
    }
  }
}
