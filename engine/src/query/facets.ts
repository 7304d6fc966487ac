import type { KeywordColumn, Segment } from '../segment/types.ts';
import { byCodeUnits } from '../segment/string-order.ts';
import type { SearchResult, Query, Schema } from '../types.ts';
import { type SegmentMatch, type DocumentList, listOf, matchList } from './match.ts';
import { lowerString } from './filters/values.ts';

export const defaultFacetLimit = 100;

type Counted = SearchResult['facets'][string];

export function countFacets(matches: readonly SegmentMatch[], schema: Schema, facets: Query['facets']): SearchResult['facets'] {
  const counted: SearchResult['facets'] = {};
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

function countFacet(matches: readonly SegmentMatch[], field: number, limit: number, prefix: string, lists: Lists): Counted {
  const numbers = facetValues(
    matches.map(({ segment }) => segment),
    field,
  );
  const tallies = matches.map((match) => tally(match, field, prefix, lists));
  if (numbers === null) return mergeByValue(matches, field, tallies, limit);
  const { values, places } = numbers;
  const sums = new Uint32Array(values.length);
  tallies.forEach((own, index) => {
    if (own === null) return;
    const { u32 } = matches[index]!.segment;
    const ownPlaces = places[index]!;
    for (let code = own.from; code < own.to; code++) sums[ownPlaces[code]!]! += u32[own.counts + code]!;
  });
  return largest(sums, limit).map(({ place, count }) => ({ value: values[place]!, count }));
}

/** Places whose sums and numbers together are exact in a number: 2^32 documents of 2^20 values. */
const placeRoom = 2 ** 20;

/** The places with the largest sums, most first; equal ones in order of place, which is that of their values. */
function largest(sums: Uint32Array, limit: number): { place: number; count: number }[] {
  const keys = new Float64Array(sums.length);
  let filled = 0;
  for (let place = 0; place < sums.length; place++) {
    if (sums[place]! > 0) keys[filled++] = sums[place]! * placeRoom + (placeRoom - 1 - place);
  }
  const sorted = keys.subarray(0, filled).sort();
  const found: { place: number; count: number }[] = [];
  for (let at = filled - 1; at >= Math.max(0, filled - limit); at--) {
    const count = Math.floor(sorted[at]! / placeRoom);
    found.push({ place: placeRoom - 1 - (sorted[at]! - count * placeRoom), count });
  }
  return found;
}

/** For fields of very many values, of which few occur. */
function mergeByValue(matches: readonly SegmentMatch[], field: number, tallies: readonly (Tally | null)[], limit: number): Counted {
  const sums = new Map<string, number>();
  tallies.forEach((own, index) => {
    if (own === null) return;
    const { segment } = matches[index]!;
    const { strings } = segment.keywords[field]!;
    for (let code = own.from; code < own.to; code++) {
      const count = segment.u32[own.counts + code]!;
      if (count === 0) continue;
      const value = strings.get(code - 1);
      sums.set(value, (sums.get(value) ?? 0) + count);
    }
  });
  const listed = [...sums].map(([value, count]) => ({ value, count }));
  return listed.sort((a, b) => b.count - a.count || byCodeUnits(a.value, b.value)).slice(0, limit);
}

interface Tally {
  /** Where the counts stand in the segment's u32, by code. Only from … to − 1 are counted for certain. */
  counts: number;
  from: number;
  to: number;
}

/** How often each value occurs among the matches of one segment, by whichever way touches least memory; null when none can. */
function tally(match: SegmentMatch, field: number, prefix: string, lists: Lists): Tally | null {
  const { segment } = match;
  const column = segment.keywords[field]!;
  if (match.count === 0 || column.values === 0) return null;
  const { from, to } = prefix === '' ? { from: 1, to: column.values + 1 } : codesWithPrefix(column, prefix);
  const frequency = column.frequency >>> 2;
  if (match.count === segment.documents) return { counts: frequency, from, to };
  const fewest = Math.min(match.count, segment.documents - match.count);
  const rows = column.multi ? fewest * 2 : fewest;
  const listBytes = segment.u32[(column.listOffsets >>> 2) + column.values + 1]!;
  const byValues = column.dense.length * segment.blocks + listBytes * 2;
  if (rows > byValues + 4096 && column.values <= 50_000) return { counts: byValue(match, column, from, to), from, to };
  const isFew = fewest === match.count;
  const list = isFew ? matchList(match) : (lists.get(match) ?? listOf(match, others(match), fewest));
  if (!isFew) lists.set(match, list);
  const counts = byColumn(segment, list, column);
  // Where nearly everything matches, the rest is counted and taken off the frequencies of the whole segment.
  const { u32 } = segment;
  if (!isFew) for (let code = from; code < to; code++) u32[counts + code] = u32[frequency + code]! - u32[counts + code]!;
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

/** Empty counters for every code. */
function counters(segment: Segment, column: KeywordColumn): number {
  const out = segment.scratch.bytes((column.values + 1) * 4);
  segment.u32.fill(0, out >>> 2, (out >>> 2) + column.values + 1);
  return out;
}

/** Document by document through the column of codes. */
function byColumn(segment: Segment, { at, count }: DocumentList, column: KeywordColumn): number {
  const { kernels } = segment;
  const out = counters(segment, column);
  if (column.multi) kernels.histogramMany(at, count, column.starts, column.codes, column.width, out);
  else kernels.histogram(at, count, column.codes, column.width, out);
  return out >>> 2;
}

/** Value by value: frequent ones by their bitmaps, rare ones by their lists. */
function byValue(match: SegmentMatch, column: KeywordColumn, from: number, to: number): number {
  const { segment, matches } = match;
  const { kernels, scratch, blocks } = segment;
  const out = counters(segment, column);
  // Frequent values have empty lists.
  kernels.countLists(column.listOffsets, from, to, column.lists, matches, out);
  if (column.dense.length > 0) {
    const denseOut = scratch.bytes(column.dense.length * 4);
    segment.u32.fill(0, denseOut >>> 2, (denseOut >>> 2) + column.dense.length);
    kernels.countDense(column.bitmaps, column.dense.length, matches, blocks, denseOut);
    column.dense.forEach((code, index) => {
      segment.u32[(out >>> 2) + code] = segment.u32[(denseOut >>> 2) + index]!;
    });
  }
  return out >>> 2;
}

/** The values that a field has in several segments, each once and in order, and by segment the place of each code among them. */
export interface FacetValues {
  values: string[];
  /** By segment; by code, from 1. */
  places: Uint32Array[];
}

/** Fields with more values than these are not numbered: that would cost more than it saves. */
const mostValues = 4000;
const mostKept = 32;
const kept = new Map<string, FacetValues>();

/**
 * Null for fields of very many values. Segments never change, so neither does this: it is kept by the names of their files, the least
 * recently used is dropped.
 */
export function facetValues(segments: readonly Segment[], field: number): FacetValues | null {
  if (segments.reduce((sum, segment) => sum + segment.keywords[field]!.values, 0) > mostValues) return null;
  const key = segments.reduce((names, { shared }) => `${names}:${shared.path}`, String(field));
  const found = kept.get(key) ?? numbered(segments, field);
  kept.delete(key);
  kept.set(key, found);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  return found;
}

function numbered(segments: readonly Segment[], field: number): FacetValues {
  const own = segments.map(({ keywords }) => {
    const { strings, values } = keywords[field]!;
    return values === 0 ? [] : strings.slice(0, values);
  });
  const values = [...new Set(own.flat())].sort(byCodeUnits);
  const placeOf = new Map(values.map((value, place) => [value, place]));
  return {
    values,
    places: own.map((strings) => Uint32Array.from(['', ...strings], (value, code) => (code === 0 ? 0 : placeOf.get(value)!))),
  };
}
