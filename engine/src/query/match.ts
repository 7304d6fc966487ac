import type { Segment } from '../segment/types.ts';
import { findTerm } from '../text/index.ts';
import type { Filter, Schema } from '../types.ts';
import { type Deadline, type TextPlan, smallCell } from './plan.ts';
import { type Expansion, expandWord, type TermRanges } from './expand.ts';
import { filterBitmap } from './filters/evaluate.ts';
import { emptyBitmap } from './filters/values.ts';
import { type Marks, markTerms } from './ranking/term-marks.ts';
import { createScanner, type Scanner, standsTogether } from './ranking/scan-document.ts';

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

/** For one word in one segment: bitmaps of the documents whose best level is 0, 1, 2, 3 (null where none can be), and of all of them. */
export interface WordLevels {
  levels: (number | null)[];
  any: number;
  /**
   * For a level: a bitmap per field (null where there are none) of the documents that have a term of this level there. Made when ranking
   * first asks for it.
   */
  byField(level: number): (number | null)[];
}

const bytesPerSmallCell = 160;

export function wordLevels(segment: Segment, expansion: Expansion, plan: TextPlan): WordLevels {
  const { kernels, blocks, bitmapBytes, postingOffsets, postings } = segment;
  const masks = [plan.searched, plan.typoFields, plan.typoFields, plan.infixFields];
  const any = emptyBitmap(segment);
  const made: (number | null)[][] = [];
  const makeByField = (level: number) => {
    const { at, count } = expansion.levels[level]!;
    const first = segment.scratch.bytes(plan.fieldCount * bitmapBytes);
    const used = kernels.orPackedByField(postingOffsets, at, count, postings, masks[level]!, first, bitmapBytes);
    return Array.from({ length: plan.fieldCount }, (_, field) => (((used >>> field) & 1) === 1 ? first + field * bitmapBytes : null));
  };
  const levels = expansion.levels.map((ranges, level) => {
    const mask = masks[level]!;
    if (ranges.count === 0 || mask === 0) return null;
    const bitmap = emptyBitmap(segment);
    if (areLong(segment, ranges)) {
      // Ranking will ask by field; long lists are unpacked once for both.
      made[level] = makeByField(level);
      for (const own of made[level]) if (own !== null) kernels.or(bitmap, bitmap, own, blocks);
    } else kernels.orPackedRanges(postingOffsets, ranges.at, ranges.count, postings, mask, bitmap);
    // A document belongs to its smallest level only.
    kernels.andNot(bitmap, bitmap, any, blocks);
    kernels.or(any, any, bitmap, blocks);
    return bitmap;
  });
  return {
    levels,
    any,
    byField: (level) => {
      made[level] ??= makeByField(level);
      return made[level];
    },
  };
}

/** Whether the postings of these terms are more than those of a small cell. */
function areLong({ u32, postingOffsets }: Segment, { at, count }: TermRanges): boolean {
  const offsets = postingOffsets >>> 2;
  const most = smallCell * bytesPerSmallCell;
  const end = (at >>> 2) + count * 2;
  let bytes = 0;
  for (let pair = at >>> 2; pair < end && bytes <= most; pair += 2) bytes += u32[offsets + u32[pair + 1]!]! - u32[offsets + u32[pair]!]!;
  return bytes > most;
}

/** Documents of a segment as a list of u32 in the query's scratch. */
export interface DocumentList {
  at: number;
  count: number;
}

const known = new WeakMap<SegmentMatch, DocumentList>();

/** The matches of a segment in ascending order. Facets, statistics and histograms of a query use the same list. */
export function matchList(match: SegmentMatch): DocumentList {
  const found = known.get(match) ?? listOf(match, match.matches, match.count);
  known.set(match, found);
  return found;
}

export function listOf({ segment }: SegmentMatch, bitmap: number, count: number): DocumentList {
  const at = segment.scratch.bytes(count * 4);
  segment.kernels.takeBits(bitmap, segment.blocks, 0, count, at);
  return { at, count };
}
