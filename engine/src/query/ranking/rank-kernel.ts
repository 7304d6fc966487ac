// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query

import { rankOneWord } from '../cells/split-one-word.ts';
import { type Candidate, hasDocument } from '../cells/types.ts';
import type { SegmentMatch } from '../match.ts';
import type { TextPlan } from '../plan.ts';
import { type Rank, rankScan, textRankKey } from './rank.ts';
import type { TermMarks } from './term-marks.ts';

/** Limit of the kernel; longer queries are ranked by the scanner. */
const maxKernelWords = 15;
const workBytes = 33_024;
/** Documents ranked per kernel call. */
export const rankBatchSize = 4096;
/** The key of a document that the kernel leaves to the scanner. */
export const notRanked = 0xffffffff;

/** Ranks up to `rankBatchSize` documents of one segment with a kernel. `Kernels.rankDocuments` describes the returned keys. */
interface KernelRanker {
  rankDocuments(documents: Uint32Array): Uint32Array;
  /** For documents that contain all words of the bit mask `counted` at level 0. */
  rankNear(documents: Uint32Array, counted: number): Uint32Array;
}

const rankers = new WeakMap<SegmentMatch, { ranker: KernelRanker; patterns: number }>();

/**
 * Returns null when the query is too long for the kernel. The tables are written once per query, and again after inexact terms were marked.
 */
export function kernelRanker(match: SegmentMatch, plan: TextPlan, inexact: boolean): KernelRanker | null {
  if (plan.words.length > maxKernelWords) return null;
  const marks = match.marks(inexact);
  const found = rankers.get(match);
  if (found?.patterns === marks.patterns.length) return found.ranker;
  const ranker = writeTables(match, plan, marks);
  rankers.set(match, { ranker, patterns: marks.patterns.length });
  return ranker;
}

/** Writes the query's patterns to the segment's memory. */
function writeTables(match: SegmentMatch, plan: TextPlan, { patterns, markFilter }: TermMarks): KernelRanker {
  const { segment } = match;
  const words = plan.words.length;
  const table = segment.scratch.bytes(patterns.length * 4 * words);
  const exactCodes = segment.scratch.bytes(words * 4);
  const work = segment.scratch.bytes(workBytes);
  const input = segment.scratch.bytes(rankBatchSize * 4);
  const output = segment.scratch.bytes(rankBatchSize * 4);
  const { u8, u32, kernels } = segment;
  u8.fill(9, table, table + patterns.length * 4 * words);
  patterns.forEach((parts, pattern) => {
    for (const { word, levels, exact } of parts) {
      if (word >= words) continue;
      for (let fieldClass = 0; fieldClass < 4; fieldClass++) {
        u8[table + (pattern * 4 + fieldClass) * words + word] = levels[fieldClass]! + (exact ? 128 : 0);
      }
    }
  });
  match.expansions.forEach(({ exact }, word) => {
    u32[(exactCodes >>> 2) + word] = exact < 0 ? 0 : u32[(segment.codes >>> 2) + exact]!;
  });
  const maskOf = (wanted: (word: TextPlan['words'][number]) => boolean) =>
    plan.words.reduce((mask, word, index) => (wanted(word) ? mask | (1 << index) : mask), 0);
  const phrased = maskOf(({ inPhrase }) => inPhrase);
  const prefixed = maskOf(({ prefix }) => prefix);
  const { forward, forwardStarts, marks } = segment;

  const rankDocuments = (documents: Uint32Array): Uint32Array => {
    const { u32: memory } = segment;
    memory.set(documents, input >>> 2);
    const rank = kernels.rankDocuments as (...numbers: number[]) => void;
    rank(
      ...[input, documents.length, forward, forwardStarts, marks, markFilter, table, words],
      ...[phrased, plan.searchedFields, plan.typoFields, plan.infixFields, plan.variantFields, work, output],
    );
    return memory.slice(output >>> 2, (output >>> 2) + documents.length);
  };
  const rankNear = (documents: Uint32Array, counted: number): Uint32Array => {
    const { u32: memory } = segment;
    memory.set(documents, input >>> 2);
    const rank = kernels.rankNear as (...numbers: number[]) => void;
    rank(
      ...[input, documents.length, forward, forwardStarts, marks, table, exactCodes, words],
      ...[counted, prefixed, plan.searchedFields, plan.variantFields, work, output],
    );
    const keys = memory.slice(output >>> 2, (output >>> 2) + documents.length);
    const left: number[] = [];
    keys.forEach((key, at) => {
      if (key === notRanked) left.push(at);
    });
    if (left.length > 0) {
      const found = rankDocuments(Uint32Array.from(left, (at) => documents[at]!));
      left.forEach((at, index) => {
        keys[at] = found[index]!;
      });
    }
    return keys;
  };
  return { rankDocuments, rankNear };
}

/** Extracts rules 3 to 5 from a kernel key. */
export function textRankOfKernelKey(key: number): number {
  return textRankKey({
    proximity: (key >>> 15) & 127,
    attribute: (key >>> 7) & 255,
    whole: (key >>> 5) & 3,
    exact: 16 - (key & 31),
  });
}

function decodeKernelKey(key: number): Rank {
  return {
    words: 15 - (key >>> 28),
    levels: (key >>> 22) & 63,
    proximity: (key >>> 15) & 127,
    attribute: (key >>> 7) & 255,
    whole: (key >>> 5) & 3,
    exact: 16 - (key & 31),
  };
}

/** Ranks all candidates that have no rank yet. */
export function rankCandidates(candidates: readonly Candidate[], plan: TextPlan): void {
  if (plan.words.length === 0) return;
  const unranked = candidates.filter(({ rank }) => rank === null);
  if (plan.words.length === 1) {
    for (const candidate of unranked) candidate.rank = rankOneWord(candidate, plan);
    return;
  }
  for (const inexact of [false, true]) {
    const byMatch = Map.groupBy(
      unranked.filter((candidate) => hasInexactWord(candidate, plan) === inexact),
      ({ match }) => match,
    );
    for (const [match, own] of byMatch) rankWithKernel(match, own, plan, inexact);
  }
}

/** Returns whether a counted word occurs at a level other than 0. */
function hasInexactWord({ match, doc }: Candidate, plan: TextPlan): boolean {
  for (const word of plan.plainWords) {
    const { levels, any } = match.levels[word]!;
    if (levels[0] !== null && hasDocument(match, levels[0]!, doc)) continue;
    // Words count up to the first one that is missing.
    return hasDocument(match, any, doc);
  }
  return false;
}

function rankWithKernel(match: SegmentMatch, candidates: readonly Candidate[], plan: TextPlan, inexact: boolean): void {
  const ranker = kernelRanker(match, plan, inexact);
  for (let from = 0; from < candidates.length; from += rankBatchSize) {
    const some = candidates.slice(from, from + rankBatchSize);
    const keys = ranker?.rankDocuments(Uint32Array.from(some, ({ doc }) => doc));
    some.forEach((candidate, at) => {
      const key = keys?.[at] ?? notRanked;
      candidate.rank = key === notRanked ? rankByScanning(candidate, plan, inexact) : decodeKernelKey(key);
    });
  }
}

function rankByScanning({ match, doc }: Candidate, plan: TextPlan, inexact: boolean): Rank {
  const scanner = match.scanner(inexact);
  scanner.scan(doc);
  return rankScan(scanner, plan);
}

export function rankOf(candidate: Candidate, plan: TextPlan): Rank {
  if (!candidate.rank) rankCandidates([candidate], plan);
  return candidate.rank!;
}
