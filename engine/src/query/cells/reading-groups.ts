// biome-ignore-all lint/style/noNonNullAssertion: words, fields and documents are indexed within lengths known from the plan and the segment

import type { Segment } from '../../segment/types.ts';
import { emptyBitmap } from '../filters/values.ts';
import type { SegmentMatch } from '../match.ts';
import { smallCell, type TextPlan } from '../plan.ts';
import { textRankKey } from '../ranking/rank.ts';
import { type Cell, type CellPart, createCell, intersect, partFromBitmap, subtract, toBitmap } from './types.ts';

/** A group of documents of a cell. Either all have the same text rank, or they must be read to find it. */
interface ReadingGroup {
  /** A lower bound of the text ranks in this group and in all later groups that must be read. */
  bestRank: number;
  cell(): Cell;
  /** True when every document of this group has exactly `bestRank`, so none needs to be read. It implies nothing about later groups. */
  isRankKnown: boolean;
}

const maxGroupedWords = 4;
const farApart = 8;

/**
 * Divides a large cell into groups by the best text rank that the postings allow. The postings show the sum of fields, whether neighbouring
 * words share a field, whether a field can equal the query, and whether the prefix word occurs exactly. Each group is built on request.
 */
export function* readingGroups(cell: Cell, plan: TextPlan, counted: number): Iterable<ReadingGroup> {
  const words = plan.words.flatMap((_, word) => (((counted >>> word) & 1) === 1 ? [word] : []));
  if (words.length < 2 || words.length > maxGroupedWords || cell.count <= smallCell * 5) {
    yield { bestRank: 0, cell: () => cell, isRankKnown: false };
    return;
  }
  const count = words.length;
  const common = new Map(cell.parts.map(({ match }) => [match, withCommonField(match, words, plan.fieldCount)]));
  const exactly = new Map(cell.parts.map(({ match }) => [match, withExactWord(match, plan, words.at(-1)!)]));
  const at = (attribute: number, known: { proximity?: number; whole?: number; exact?: number }) =>
    textRankKey({ proximity: count - 1, attribute, whole: 2, exact: count, ...known });
  const group = (bestRank: number, own: Cell, isRankKnown = false): ReadingGroup => ({ bestRank, cell: () => own, isRankKnown });

  for (const { sum, cell: build, isRest } of attributeGroups(cell, words, plan.fieldCount)) {
    let others: Cell | null = null;
    yield {
      bestRank: at(sum, { whole: 0 }),
      isRankKnown: false,
      cell: () => {
        const own = build();
        if (isRest || own.count <= smallCell) return own;
        others = own;
        // Documents that may have a field equal to the query are read first, because they can outrank all others in the group.
        const near = partition(own, ({ match }) => common.get(match)!).inside;
        return partition(near, ({ match }) => mayBeWholeField(match.segment, plan)).inside;
      },
    };
    if (others === null) continue;
    const { inside: near, outside: apart } = partition(others, ({ match }) => common.get(match)!);
    const far = partition(apart, ({ match }) => exactly.get(match)!);
    const proximity = farApart * (count - 1);
    if (far.inside.count > 0) yield group(at(sum, { proximity }), far.inside, true);
    if (far.outside.count > 0) yield group(at(sum, { proximity, exact: count - 1 }), far.outside, true);
    if (near.count === 0) continue;
    const rest = partition(near, ({ match }) => mayBeWholeField(match.segment, plan)).outside;
    const read = partition(rest, ({ match }) => exactly.get(match)!);
    if (read.inside.count > 0) yield group(at(sum, {}), read.inside);
    if (read.outside.count > 0) yield group(at(sum, { exact: count - 1 }), read.outside);
  }
}

/** Splits a cell into the documents inside and outside of a bitmap. A null bitmap means all documents of the part. */
function partition(cell: Cell, bitmapOf: (part: CellPart) => number | null): { inside: Cell; outside: Cell } {
  const inside: CellPart[] = [];
  const outside: CellPart[] = [];
  for (const part of cell.parts) {
    const bitmap = bitmapOf(part);
    inside.push(bitmap === null ? part : intersect(part, bitmap));
    if (bitmap !== null) outside.push(subtract(part, bitmap));
  }
  return { inside: { ...cell, ...createCell(inside, cell.levelSum) }, outside: { ...cell, ...createCell(outside, cell.levelSum) } };
}

/** Documents in which at least one pair of neighbouring words shares a field. */
function withCommonField(match: SegmentMatch, words: readonly number[], fieldCount: number): number {
  const { segment } = match;
  const { kernels, blocks } = segment;
  const found = emptyBitmap(segment);
  const both = segment.scratch.bitmap();
  for (let pair = 1; pair < words.length; pair++) {
    const left = match.levels[words[pair - 1]!]!.byField(0);
    const right = match.levels[words[pair]!]!.byField(0);
    for (let field = 0; field < fieldCount; field++) {
      if (left[field] === null || right[field] === null) continue;
      kernels.and(both, left[field]!, right[field]!, blocks);
      kernels.or(found, found, both, blocks);
    }
  }
  return found;
}

/** Documents that contain a prefix word exactly, not only as the start of a longer term. Null for other words, where this holds for all. */
function withExactWord({ segment, expansions }: SegmentMatch, plan: TextPlan, word: number): number | null {
  if (!plan.words[word]!.prefix) return null;
  const bitmap = emptyBitmap(segment);
  const { exact } = expansions[word]!;
  if (exact >= 0) segment.kernels.orPacked(segment.postingOffsets, exact, exact + 1, segment.postings, plan.searchedFields, bitmap);
  return bitmap;
}

/**
 * Caches, per segment, the documents that have a searched field with as many tokens as the query has words. Only these can have a field
 * that equals the query. Segments are immutable, so entries never expire.
 */
const maxCached = 8;
const cache = new WeakMap<Segment, Map<string, Uint32Array>>();

/** Returns a bitmap in the query's scratch memory. */
function mayBeWholeField(segment: Segment, { searchedFields, words }: TextPlan): number {
  const own = cache.get(segment) ?? new Map<string, Uint32Array>();
  cache.set(segment, own);
  const { kernels, blocks, documents, forward, forwardStarts } = segment;
  const bitmap = segment.scratch.bitmap();
  const start = bitmap >>> 2;
  const key = `${searchedFields}:${words.length}`;
  const rankIsKnown = own.get(key);
  own.delete(key);
  if (rankIsKnown) segment.u32.set(rankIsKnown, start);
  else {
    kernels.clear(bitmap, blocks);
    kernels.setLengths(bitmap, documents, forward, forwardStarts, searchedFields, words.length);
    if (own.size >= maxCached) own.delete(own.keys().next().value!);
  }
  own.set(key, rankIsKnown ?? segment.u32.slice(start, start + blocks * 4));
  return bitmap;
}

interface AttributeGroup {
  /** The sum of field indexes that all documents of the group share. */
  sum: number;
  /** True for the group of all remaining documents. Their sums are unknown, and `sum` is 0. */
  isRest: boolean;
  cell(): Cell;
}

/** The number of sums that get a group of their own; documents with larger sums are read together. */
const maxSums = 24;

/**
 * Divides a cell by the attribute rule (sum of field indexes), smallest first, using only postings. All documents of the cell must contain
 * these words at level 0. Each group is built on request.
 */
function* attributeGroups(cell: Cell, words: readonly number[], fieldCount: number): Iterable<AttributeGroup> {
  const parts = cell.parts.map((part) => ({
    rest: partFromBitmap(part.match, toBitmap(part)),
    firsts: words.map((word) => firstFields(part, word, fieldCount)),
  }));
  const possible = new Set(parts.flatMap(({ firsts }) => possibleSums(firsts)));
  for (const sum of [...possible].sort((a, b) => a - b).slice(0, maxSums)) {
    let built: Cell | null = null;
    const build = () => {
      const found = parts.flatMap((part) => {
        const own = withSum(part.rest, part.firsts, sum);
        if (own !== null) part.rest = subtract(part.rest, toBitmap(own));
        return own ?? [];
      });
      return { ...cell, ...createCell(found, cell.levelSum) };
    };
    yield {
      sum,
      isRest: false,
      cell: () => {
        built ??= build();
        return built;
      },
    };
    built ??= build();
    if (parts.every(({ rest }) => rest.count === 0)) return;
  }
  yield {
    sum: 0,
    isRest: true,
    cell: () => ({
      ...cell,
      ...createCell(
        parts.map(({ rest }) => rest),
        cell.levelSum,
      ),
    }),
  };
}

/** For each field, the documents that contain the word there and in no earlier field. */
function firstFields(part: CellPart, word: number, fieldCount: number): (CellPart | null)[] {
  const byField = part.match.levels[word]!.byField(0);
  let rest = partFromBitmap(part.match, toBitmap(part));
  return Array.from({ length: fieldCount }, (_, field) => {
    const bitmap = byField[field]!;
    if (bitmap === null || rest.count === 0) return null;
    const own = intersect(rest, bitmap);
    if (own.count === 0) return null;
    rest = subtract(rest, bitmap);
    return own;
  });
}

function possibleSums(firsts: readonly (CellPart | null)[][]): number[] {
  return firsts.reduce<number[]>(
    (sums, own) => [...new Set(sums.flatMap((sum) => own.flatMap((part, field) => (part === null ? [] : sum + field))))],
    [0],
  );
}

/** The documents whose first fields add up to `sum`. */
function withSum(documents: CellPart, firsts: readonly (CellPart | null)[][], sum: number): CellPart | null {
  const [own, ...others] = firsts;
  if (own === undefined) return sum === 0 ? documents : null;
  let found: CellPart | null = null;
  for (let field = 0; field <= sum && field < own.length; field++) {
    if (own[field] === null) continue;
    const here = intersect(documents, own[field]!.bitmap!);
    if (here.count === 0) continue;
    const both = withSum(here, others, sum - field);
    if (both !== null) found = found === null ? both : union(found, both);
  }
  return found;
}

function union(a: CellPart, b: CellPart): CellPart {
  const { segment } = a.match;
  const bitmap = segment.scratch.bitmap();
  segment.kernels.or(bitmap, toBitmap(a), toBitmap(b), segment.blocks);
  return partFromBitmap(a.match, bitmap);
}
