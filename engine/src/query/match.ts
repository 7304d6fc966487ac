// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot
import type { Segment } from '../segment/types.ts';
import { findTerm } from '../text/index.ts';
import type { Filter, Schema } from '../types.ts';
import { type Expansion, expandWord, type TermRanges } from './expand.ts';
import { filterBitmap } from './filters/evaluate.ts';
import { emptyBitmap } from './filters/values.ts';
import { type Deadline, smallCell, type TextPlan } from './plan.ts';
import { containsPhrase, createScanner, type Scanner } from './ranking/scan-document.ts';
import { markTerms, type TermMarks } from './ranking/term-marks.ts';

/** The matches of a query in one segment, and what ranking needs to know about its words there. */
export interface SegmentMatch {
  segment: Segment;
  /** Bitmap of the matching documents, and their number. */
  matches: number;
  count: number;
  expansions: Expansion[];
  /** One entry per word of the plan. */
  levels: WordLevels[];
  /** The marks of the query's terms, created on first use. Pass `inexact` when documents with words at levels other than 0 will be read. */
  marks(inexact: boolean): TermMarks;
  /** A scanner that reads documents using these marks, for ranking and highlighting. */
  scanner(inexact: boolean): Scanner;
  release(): void;
}

/** Matches all segments. If one fails, the marks in the others are cleared, because the next query would read them. */
export function matchSegments(
  segments: readonly Segment[],
  schema: Schema,
  plan: TextPlan,
  filter: Filter | undefined,
  deadline: Deadline,
): SegmentMatch[] {
  const matches: SegmentMatch[] = [];
  try {
    for (const segment of segments) matches.push(matchSegment(segment, schema, plan, filter, deadline));
    return matches;
  } catch (error) {
    for (const match of matches) match.release();
    throw error;
  }
}

function matchSegment(segment: Segment, schema: Schema, plan: TextPlan, filter: Filter | undefined, deadline: Deadline): SegmentMatch {
  const { kernels, blocks, scratch } = segment;
  scratch.reset();
  const matches = filter === undefined ? emptyBitmap(segment) : filterBitmap(segment, schema, filter);
  if (filter === undefined) kernels.or(matches, matches, segment.live, blocks);
  else kernels.and(matches, matches, segment.live, blocks);

  const expansions = plan.words.map((word) => expandWord(segment, word, plan));
  const levels = expansions.map((expansion) => buildWordLevels(segment, expansion, plan));
  let marks: TermMarks | null = null;
  let scanner: Scanner | null = null;
  const match: SegmentMatch = {
    segment,
    matches,
    count: 0,
    expansions,
    levels,
    marks(inexact) {
      marks ??= markTerms(segment, plan, expansions);
      if (inexact) marks.addInexactTerms();
      return marks;
    },
    scanner(inexact) {
      scanner ??= createScanner(segment, plan, match.marks(inexact));
      if (inexact) match.marks(true);
      return scanner;
    },
    release() {
      marks?.clear();
      marks = null;
      scanner = null;
    },
  };

  plan.words.forEach((word, index) => {
    // With `matching: 'last'` only the first plain word is required.
    if (word.inPhrase || !plan.allowsMissingWords || index === plan.plainWords[0])
      kernels.and(matches, matches, levels[index]!.any, blocks);
  });
  for (const term of plan.excludedWords) {
    const termIndex = findTerm(segment.dictionary, term);
    if (termIndex < 0) continue;
    const bitmap = emptyBitmap(segment);
    kernels.orPacked(segment.postingOffsets, termIndex, termIndex + 1, segment.postings, plan.searchedFields, bitmap);
    kernels.andNot(matches, matches, bitmap, blocks);
    scratch.release(bitmap);
  }
  if (plan.phrases.some(({ length }) => length > 1) || plan.excludedPhrases.length > 0) {
    try {
      checkPhrases(match, plan, deadline);
    } catch (error) {
      match.release();
      throw error;
    }
  }
  match.count = kernels.popcount(matches, blocks);
  return match;
}

const documentsPerDeadlineCheck = 1024;

/** The bitmaps show which documents contain all words, but not whether they are adjacent. After the deadline, the rest do not match. */
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
  let untilDeadlineCheck = 0;
  for (let at = 0; at < segment.blocks * 4; at++) {
    for (let word = u32[bits + at]!; word !== 0; word &= word - 1) {
      if (untilDeadlineCheck-- === 0) {
        if (deadline.passed()) {
          u32[bits + at]! &= ~word;
          u32.fill(0, bits + at + 1, bits + segment.blocks * 4);
          return;
        }
        untilDeadlineCheck = documentsPerDeadlineCheck;
      }
      const bit = 31 - Math.clz32(word & -word);
      scanner.scan(at * 32 + bit);
      const wanted = plan.phrases.every((phrase) => containsPhrase(scanner, phrase.first, phrase.length));
      if (!wanted || excluded.some((phrase) => containsPhrase(scanner, phrase.first, phrase.length))) u32[bits + at]! &= ~(1 << bit);
    }
  }
}

/** For one word in one segment: bitmaps of the documents whose best level is 0, 1, 2 and 3 (null when empty), and of all of them. */
interface WordLevels {
  levels: (number | null)[];
  any: number;
  /** For a level: one bitmap per field (null when empty) of the documents that contain a term of this level there. Built on first use. */
  byField(level: number): (number | null)[];
}

const bytesPerSmallCell = 160;

function buildWordLevels(segment: Segment, expansion: Expansion, plan: TextPlan): WordLevels {
  const { kernels, blocks, bitmapBytes, postingOffsets, postings } = segment;
  const masks = [plan.searchedFields, plan.typoFields, plan.typoFields, plan.infixFields];
  const any = emptyBitmap(segment);
  const byField: (number | null)[][] = [];
  const createByField = (level: number) => {
    const { at, count } = expansion.levels[level]!;
    const first = segment.scratch.bytes(plan.fieldCount * bitmapBytes);
    const used = kernels.orPackedByField(postingOffsets, at, count, postings, masks[level]!, first, bitmapBytes);
    return Array.from({ length: plan.fieldCount }, (_, field) => (((used >>> field) & 1) === 1 ? first + field * bitmapBytes : null));
  };
  const levels = expansion.levels.map((ranges, level) => {
    const mask = masks[level]!;
    if (ranges.count === 0 || mask === 0) return null;
    const bitmap = emptyBitmap(segment);
    if (haveLongPostings(segment, ranges)) {
      // Ranking needs these postings by field as well, so long lists are decoded once for both.
      byField[level] = createByField(level);
      for (const own of byField[level]) if (own !== null) kernels.or(bitmap, bitmap, own, blocks);
    } else kernels.orPackedRanges(postingOffsets, ranges.at, ranges.count, postings, mask, bitmap);
    // A document counts only at its smallest level.
    kernels.andNot(bitmap, bitmap, any, blocks);
    kernels.or(any, any, bitmap, blocks);
    return bitmap;
  });
  return {
    levels,
    any,
    byField: (level) => {
      byField[level] ??= createByField(level);
      return byField[level];
    },
  };
}

/** Returns whether the postings of these terms are longer than those of a typical small cell. */
function haveLongPostings({ u32, postingOffsets }: Segment, { at, count }: TermRanges): boolean {
  const offsets = postingOffsets >>> 2;
  const most = smallCell * bytesPerSmallCell;
  const end = (at >>> 2) + count * 2;
  let bytes = 0;
  for (let pair = at >>> 2; pair < end && bytes <= most; pair += 2) bytes += u32[offsets + u32[pair + 1]!]! - u32[offsets + u32[pair]!]!;
  return bytes > most;
}

/** Documents of a segment as a list of u32 in the query's scratch memory. */
export interface DocumentList {
  at: number;
  count: number;
}

const listCache = new WeakMap<SegmentMatch, DocumentList>();

/** The matches of a segment in ascending order, computed once per query for facets, statistics and histograms. */
export function listMatches(match: SegmentMatch): DocumentList {
  const found = listCache.get(match) ?? listBits(match, match.matches, match.count);
  listCache.set(match, found);
  return found;
}

export function listBits({ segment }: SegmentMatch, bitmap: number, count: number): DocumentList {
  const at = segment.scratch.bytes(count * 4);
  segment.kernels.takeBits(bitmap, segment.blocks, 0, count, at);
  return { at, count };
}
