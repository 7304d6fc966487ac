import type { KeywordColumn } from '../segment/columns.ts';
import type { Segment } from '../segment/open-segment.ts';
import { byCodeUnits } from '../segment/sort-values.ts';
import type { Answer, Query, Schema } from '../types.ts';
import type { SegmentMatch } from './candidates.ts';
import { type DocumentList, listOf, matchList } from './match-list.ts';
import { lowerString } from './ordinals.ts';

export const defaultFacetLimit = 100;

export function countFacets(matches: readonly SegmentMatch[], schema: Schema, facets: Query['facets']): Answer['facets'] {
  const counted: Answer['facets'] = {};
  const lists: Lists = new Map();
  for (const facet of facets ?? []) {
    const { field, limit, prefix } = typeof facet === 'string' ? { field: facet, limit: undefined, prefix: undefined } : facet;
    const index = schema.keyword.findIndex(({ name }) => name === field);
    counted[field] = countFacet(matches, index, limit ?? defaultFacetLimit, prefix ?? '', lists);
  }
  return counted;
}

/** Where nearly everything matches, the other documents of each segment: all facets use the same list. */
type Lists = Map<SegmentMatch, DocumentList>;

function countFacet(
  matches: readonly SegmentMatch[],
  field: number,
  limit: number,
  prefix: string,
  lists: Lists,
): { value: string; count: number }[] {
  const tallies = matches.filter((match) => match.count > 0).map((match) => ({ match, ...tally(match, field, prefix, lists) }));
  if (tallies.length === 1) {
    const { match, counts, from, to } = tallies[0]!;
    const { strings } = match.segment.keywords[field]!;
    return largest(counts, from, to, limit).map((code) => ({ value: strings.get(code - 1), count: counts[code]! }));
  }
  const sums = new Map<string, number>();
  for (const { match, counts, from, to } of tallies) {
    const { strings } = match.segment.keywords[field]!;
    for (let code = from; code < to; code++) {
      if (counts[code] === 0) continue;
      const value = strings.get(code - 1);
      sums.set(value, (sums.get(value) ?? 0) + counts[code]!);
    }
  }
  const listed = [...sums].map(([value, count]) => ({ value, count }));
  return listed.sort((a, b) => b.count - a.count || byCodeUnits(a.value, b.value)).slice(0, limit);
}

/** The codes with the most documents, most first; codes ascend with their values, so ties are in order of value. */
function largest(counts: Uint32Array, from: number, to: number, limit: number): number[] {
  const codes: number[] = [];
  for (let code = from; code < to; code++) if (counts[code]! > 0) codes.push(code);
  return codes.sort((a, b) => counts[b]! - counts[a]! || a - b).slice(0, limit);
}

interface Tally {
  /** By code. Only from … to − 1 are counted for certain. */
  counts: Uint32Array;
  from: number;
  to: number;
}

/** How often each value occurs among the matches of one segment, by whichever way touches least memory. */
function tally(match: SegmentMatch, field: number, prefix: string, lists: Lists): Tally {
  const { segment } = match;
  const column = segment.keywords[field]!;
  const { from, to } = prefix === '' ? { from: 1, to: column.values + 1 } : codesWithPrefix(column, prefix);
  if (match.count === segment.documents) {
    return { counts: segment.u32.slice(column.frequency >>> 2, (column.frequency >>> 2) + column.values + 1), from, to };
  }
  const fewest = Math.min(match.count, segment.documents - match.count);
  const rows = column.multi ? fewest * 2 : fewest;
  const listBytes = segment.u32[(column.listOffsets >>> 2) + column.values + 1]!;
  const byValues = column.dense.length * segment.blocks + listBytes * 2;
  if (rows > byValues + 4096 && column.values <= 50_000) return byValue(match, column, from, to);
  const isFew = fewest === match.count;
  const list = isFew ? matchList(match) : (lists.get(match) ?? listOf(match, others(match), fewest));
  if (!isFew) lists.set(match, list);
  const counts = byColumn(segment, list, column);
  // Where nearly everything matches, the rest is counted and taken off the frequencies of the whole segment.
  const frequency = column.frequency >>> 2;
  if (!isFew) for (let code = from; code < to; code++) counts[code] = segment.u32[frequency + code]! - counts[code]!;
  return { counts, from, to };
}

/** The documents that do not match. */
function others({ segment, matches }: SegmentMatch): number {
  const { kernels, scratch, blocks, documents } = segment;
  const rest = scratch.bitmap();
  kernels.clear(rest, blocks);
  kernels.setRange(rest, 0, documents);
  kernels.andNot(rest, rest, matches, blocks);
  return rest;
}

function codesWithPrefix(column: KeywordColumn, prefix: string): { from: number; to: number } {
  const start = prefix.toWellFormed();
  const from = lowerString(column.strings, start);
  let low = from;
  let high = column.values;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column.strings.get(middle).startsWith(start)) low = middle + 1;
    else high = middle;
  }
  return { from: from + 1, to: low + 1 };
}

/** Document by document through the column of codes. */
function byColumn(segment: Segment, { at, count }: DocumentList, column: KeywordColumn): Uint32Array {
  const { kernels, scratch } = segment;
  const out = scratch.bytes((column.values + 1) * 4);
  segment.u32.fill(0, out >>> 2, (out >>> 2) + column.values + 1);
  if (column.multi) kernels.histogramMany(at, count, column.starts, column.codes, column.width, out);
  else kernels.histogram(at, count, column.codes, column.width, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + column.values + 1);
}

/** Value by value: frequent ones by their bitmaps, rare ones by their lists. */
function byValue(match: SegmentMatch, column: KeywordColumn, from: number, to: number): Tally {
  const { segment, matches } = match;
  const { kernels, scratch, blocks } = segment;
  const out = scratch.bytes((column.values + 1) * 4);
  const denseOut = scratch.bytes(column.dense.length * 4);
  segment.u32.fill(0, out >>> 2, (out >>> 2) + column.values + 1);
  segment.u32.fill(0, denseOut >>> 2, (denseOut >>> 2) + column.dense.length);
  // Frequent values have empty lists.
  kernels.countLists(column.listOffsets, from, to, column.lists, matches, out);
  if (column.dense.length > 0) kernels.countDense(column.bitmaps, column.dense.length, matches, blocks, denseOut);
  const counts = segment.u32.slice(out >>> 2, (out >>> 2) + column.values + 1);
  column.dense.forEach((code, index) => {
    counts[code] = segment.u32[(denseOut >>> 2) + index]!;
  });
  return { counts, from, to };
}
