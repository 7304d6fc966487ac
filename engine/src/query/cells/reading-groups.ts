import type { SegmentMatch } from '../match.ts';
import { emptyBitmap } from '../filters/values.ts';
import { type TextPlan, smallCell } from '../plan.ts';
import { standing } from '../ranking/rank.ts';
import type { Segment } from '../../segment/types.ts';
import { type Cell, type CellPart, cellOf, intersect, without, asBitmap, bitmapPart } from './types.ts';

/** Documents of a cell that stand alike, or are read together. */
export interface ReadingGroup {
  /** What none of them, nor of the groups after this one that are to be read, stands before. */
  best: number;
  cell(): Cell;
  /** They all stand at `best`, and that is known without reading them; it says nothing of later groups. */
  known: boolean;
}

const mostGroupedWords = 4;
const farApart = 8;

/**
 * Divides a large cell by what its documents can reach at best, as far as postings tell: the sum of fields; that neighbouring words have
 * no field in common, so that they are as far apart as can be; that no field can be the query; that the prefix word is there itself. Each
 * group is made when it is asked for.
 */
export function* readingGroups(cell: Cell, plan: TextPlan, counted: number): Iterable<ReadingGroup> {
  const words = plan.words.flatMap((_, word) => (((counted >>> word) & 1) === 1 ? [word] : []));
  if (words.length < 2 || words.length > mostGroupedWords || cell.count <= smallCell * 5) {
    yield { best: 0, cell: () => cell, known: false };
    return;
  }
  const count = words.length;
  const common = new Map(cell.parts.map(({ match }) => [match, withCommonField(match, words, plan.fieldCount)]));
  const exactly = new Map(cell.parts.map(({ match }) => [match, withExactWord(match, plan, words.at(-1)!)]));
  const at = (attribute: number, place: { proximity?: number; whole?: boolean; exact?: number }) =>
    standing({ proximity: count - 1, attribute, whole: false, exact: count, ...place });
  const group = (best: number, own: Cell, known = false): ReadingGroup => ({ best, cell: () => own, known });

  for (const { sum, cell: make, isRest } of attributeGroups(cell, words, plan.fieldCount)) {
    let others: Cell | null = null;
    yield {
      best: at(sum, { whole: true }),
      known: false,
      cell: () => {
        const own = make();
        if (isRest || own.count <= smallCell) return own;
        others = own;
        // Those that may hold a field which is the query are read first: then nothing of the others can stand before them unseen.
        const near = divide(own, ({ match }) => common.get(match)!).with;
        return divide(near, ({ match }) => perhapsWhole(match.segment, plan)).with;
      },
    };
    if (others === null) continue;
    const { with: near, without: apart } = divide(others, ({ match }) => common.get(match)!);
    const far = divide(apart, ({ match }) => exactly.get(match)!);
    const proximity = farApart * (count - 1);
    if (far.with.count > 0) yield group(at(sum, { proximity }), far.with, true);
    if (far.without.count > 0) yield group(at(sum, { proximity, exact: count - 1 }), far.without, true);
    if (near.count === 0) continue;
    const rest = divide(near, ({ match }) => perhapsWhole(match.segment, plan)).without;
    const read = divide(rest, ({ match }) => exactly.get(match)!);
    if (read.with.count > 0) yield group(at(sum, {}), read.with);
    if (read.without.count > 0) yield group(at(sum, { exact: count - 1 }), read.without);
  }
}

/** A cell in two: the documents in a bitmap and the others. Null stands for all. */
function divide(cell: Cell, bitmapOf: (part: CellPart) => number | null): { with: Cell; without: Cell } {
  const inside: CellPart[] = [];
  const outside: CellPart[] = [];
  for (const part of cell.parts) {
    const bitmap = bitmapOf(part);
    inside.push(bitmap === null ? part : intersect(part, bitmap));
    if (bitmap !== null) outside.push(without(part, bitmap));
  }
  return { with: { ...cell, ...cellOf(inside, cell.levels) }, without: { ...cell, ...cellOf(outside, cell.levels) } };
}

/** The documents in which some two neighbouring words stand in one field. */
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

/** The documents that have a prefix word itself and not only as the beginning of others; null for other words, which all have. */
function withExactWord({ segment, expansions }: SegmentMatch, plan: TextPlan, word: number): number | null {
  if (!plan.words[word]!.prefix) return null;
  const bitmap = emptyBitmap(segment);
  const { exact } = expansions[word]!;
  if (exact >= 0) segment.kernels.orPacked(segment.postingOffsets, exact, exact + 1, segment.postings, plan.searched, bitmap);
  return bitmap;
}

/**
 * The documents that have a searched field of as many tokens as the query has words: only these can hold a field that is the query. A
 * segment never changes, so neither do they; each bitmap is made when it is first wanted.
 */
const mostKept = 8;
const kept = new WeakMap<Segment, Map<string, Uint32Array>>();

/** A bitmap of the query's scratch. */
export function perhapsWhole(segment: Segment, { searched, words }: TextPlan): number {
  const own = kept.get(segment) ?? new Map<string, Uint32Array>();
  kept.set(segment, own);
  const { kernels, blocks, documents, forward, forwardStarts } = segment;
  const bitmap = segment.scratch.bitmap();
  const start = bitmap >>> 2;
  const key = `${searched}:${words.length}`;
  const known = own.get(key);
  own.delete(key);
  if (known) segment.u32.set(known, start);
  else {
    kernels.clear(bitmap, blocks);
    kernels.setLengths(bitmap, documents, forward, forwardStarts, searched, words.length);
    if (own.size >= mostKept) own.delete(own.keys().next().value!);
  }
  own.set(key, known ?? segment.u32.slice(start, start + blocks * 4));
  return bitmap;
}

export interface AttributeGroup {
  /** The sum of fields that all its documents have. */
  sum: number;
  /** Those that were left over: their sums are unknown, and `sum` is 0. */
  isRest: boolean;
  cell(): Cell;
}

/** Sums of fields that get a group of their own; all others are read together. */
const mostSums = 24;

/**
 * Divides a cell whose documents have all these words at level 0 by rule 4's sum of fields, smallest first: the postings tell it without
 * a look at the documents. Each group is made when it is asked for.
 */
export function* attributeGroups(cell: Cell, words: readonly number[], fieldCount: number): Iterable<AttributeGroup> {
  const parts = cell.parts.map((part) => ({
    rest: bitmapPart(part.match, asBitmap(part)),
    firsts: words.map((word) => firstFields(part, word, fieldCount)),
  }));
  const possible = new Set(parts.flatMap(({ firsts }) => possibleSums(firsts)));
  for (const sum of [...possible].sort((a, b) => a - b).slice(0, mostSums)) {
    let made: Cell | null = null;
    const make = () => {
      const found = parts.flatMap((part) => {
        const own = withSum(part.rest, part.firsts, sum);
        if (own !== null) part.rest = without(part.rest, asBitmap(own));
        return own ?? [];
      });
      return { ...cell, ...cellOf(found, cell.levels) };
    };
    yield {
      sum,
      isRest: false,
      cell: () => {
        made ??= make();
        return made;
      },
    };
    made ??= make();
    if (parts.every(({ rest }) => rest.count === 0)) return;
  }
  yield {
    sum: 0,
    isRest: true,
    cell: () => ({
      ...cell,
      ...cellOf(
        parts.map(({ rest }) => rest),
        cell.levels,
      ),
    }),
  };
}

/** By field: the documents that have the word there and in no field before it. */
function firstFields(part: CellPart, word: number, fieldCount: number): (CellPart | null)[] {
  const byField = part.match.levels[word]!.byField(0);
  let rest = bitmapPart(part.match, asBitmap(part));
  return Array.from({ length: fieldCount }, (_, field) => {
    const bitmap = byField[field]!;
    if (bitmap === null || rest.count === 0) return null;
    const own = intersect(rest, bitmap);
    if (own.count === 0) return null;
    rest = without(rest, bitmap);
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
  segment.kernels.or(bitmap, asBitmap(a), asBitmap(b), segment.blocks);
  return bitmapPart(a.match, bitmap);
}
