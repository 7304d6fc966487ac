// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot

import { byCodeUnits } from '../segment/string-order.ts';
import type { KeywordColumn, Segment } from '../segment/types.ts';
import type { Query, Schema, SearchResult } from '../types.ts';
import { stringLowerBound } from './filters/values.ts';
import { type DocumentList, listBits, listMatches, type SegmentMatch } from './match.ts';

export const defaultFacetLimit = 100;

type Counted = SearchResult['facets'][string];

export function countFacets(matches: readonly SegmentMatch[], schema: Schema, facets: Query['facets']): SearchResult['facets'] {
  const counted: SearchResult['facets'] = {};
  const lists: ComplementLists = new Map();
  for (const facet of facets ?? []) {
    const { field, limit, prefix } = typeof facet === 'string' ? { field: facet, limit: undefined, prefix: undefined } : facet;
    const index = schema.keyword.findIndex(({ name }) => name === field);
    counted[field] = countFacet(matches, index, limit ?? defaultFacetLimit, prefix ?? '', lists);
  }
  return counted;
}

/** For queries that match nearly everything: the documents of each segment that do not match, shared by all facets. */
type ComplementLists = Map<SegmentMatch, DocumentList>;

function countFacet(matches: readonly SegmentMatch[], field: number, limit: number, prefix: string, lists: ComplementLists): Counted {
  const numbers = facetValues(
    matches.map(({ segment }) => segment),
    field,
  );
  const countsBySegment = matches.map((match) => countValues(match, field, prefix, lists));
  if (numbers === null) return mergeByValue(matches, field, countsBySegment, limit);
  const { values, valueIndexes } = numbers;
  const sums = new Uint32Array(values.length);
  countsBySegment.forEach((own, index) => {
    if (own === null) return;
    const { u32 } = matches[index]!.segment;
    const ownIndexes = valueIndexes[index]!;
    for (let code = own.from; code < own.to; code++) sums[ownIndexes[code]!]! += u32[own.counts + code]!;
  });
  return mostFrequent(sums, limit).map(({ index, count }) => ({ value: values[index]!, count }));
}

/** Count and index are packed into one double, which is exact up to 2^32 documents and 2^20 values. */
const maxFacetIndexes = 2 ** 20;

/** Returns the values with the largest counts, largest first; equal counts are in order of value. */
function mostFrequent(sums: Uint32Array, limit: number): { index: number; count: number }[] {
  const keys = new Float64Array(sums.length);
  let filled = 0;
  for (let index = 0; index < sums.length; index++) {
    if (sums[index]! > 0) keys[filled++] = sums[index]! * maxFacetIndexes + (maxFacetIndexes - 1 - index);
  }
  const sorted = keys.subarray(0, filled).sort();
  const found: { index: number; count: number }[] = [];
  for (let at = filled - 1; at >= Math.max(0, filled - limit); at--) {
    const count = Math.floor(sorted[at]! / maxFacetIndexes);
    found.push({ index: maxFacetIndexes - 1 - (sorted[at]! - count * maxFacetIndexes), count });
  }
  return found;
}

/** For fields with very many values, few of which occur among the matches. */
function mergeByValue(
  matches: readonly SegmentMatch[],
  field: number,
  countsBySegment: readonly (ValueCounts | null)[],
  limit: number,
): Counted {
  const sums = new Map<string, number>();
  countsBySegment.forEach((own, index) => {
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

interface ValueCounts {
  /** Position of the counters in the segment's u32 view, indexed by code. Only codes from … to − 1 are valid. */
  counts: number;
  from: number;
  to: number;
}

/** Counts each value among the matches of a segment with the cheapest method. Returns null when there is nothing to count. */
function countValues(match: SegmentMatch, field: number, prefix: string, lists: ComplementLists): ValueCounts | null {
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
  const list = isFew ? listMatches(match) : (lists.get(match) ?? listBits(match, nonMatching(match), fewest));
  if (!isFew) lists.set(match, list);
  const counts = byColumn(segment, list, column);
  // When nearly everything matches, count the other documents and subtract them from the frequencies of the segment.
  const { u32 } = segment;
  if (!isFew) for (let code = from; code < to; code++) u32[counts + code] = u32[frequency + code]! - u32[counts + code]!;
  return { counts, from, to };
}

function nonMatching({ segment, matches }: SegmentMatch): number {
  const { kernels, scratch, blocks, documents } = segment;
  const rest = scratch.bitmap();
  kernels.clear(rest, blocks);
  kernels.setRange(rest, 0, documents);
  kernels.andNot(rest, rest, matches, blocks);
  return rest;
}

function codesWithPrefix(column: KeywordColumn, prefix: string): { from: number; to: number } {
  const start = prefix.toWellFormed();
  const from = stringLowerBound(column.strings, start);
  let low = from;
  let high = column.values;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column.strings.get(middle).startsWith(start)) low = middle + 1;
    else high = middle;
  }
  return { from: from + 1, to: low + 1 };
}

/** Allocates zeroed counters, one per code. */
function counters(segment: Segment, column: KeywordColumn): number {
  const out = segment.scratch.bytes((column.values + 1) * 4);
  segment.u32.fill(0, out >>> 2, (out >>> 2) + column.values + 1);
  return out;
}

/** Counts by reading the code of each listed document. */
function byColumn(segment: Segment, { at, count }: DocumentList, column: KeywordColumn): number {
  const { kernels } = segment;
  const out = counters(segment, column);
  if (column.multi) kernels.histogramMany(at, count, column.starts, column.codes, column.width, out);
  else kernels.histogram(at, count, column.codes, column.width, out);
  return out >>> 2;
}

/** Counts by value: frequent values by bitmap, rare values by posting list. */
function byValue(match: SegmentMatch, column: KeywordColumn, from: number, to: number): number {
  const { segment, matches } = match;
  const { kernels, scratch, blocks } = segment;
  const out = counters(segment, column);
  // Frequent values have no list.
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

/** The sorted distinct values of a field across several segments, and the index of each segment's codes among them. */
interface FacetValues {
  values: string[];
  /** By segment, then by code (from 1). */
  valueIndexes: Uint32Array[];
}

/** Fields with more values are merged by string instead, which is then cheaper. */
const maxValues = 4000;
const maxCached = 32;
const cache = new Map<string, FacetValues>();

/** Returns null for fields with very many values. Cached by segment files, which never change. */
function facetValues(segments: readonly Segment[], field: number): FacetValues | null {
  if (segments.reduce((sum, segment) => sum + segment.keywords[field]!.values, 0) > maxValues) return null;
  const key = segments.reduce((names, { shared }) => `${names}:${shared.path}`, String(field));
  const found = cache.get(key) ?? numberValues(segments, field);
  cache.delete(key);
  cache.set(key, found);
  if (cache.size > maxCached) cache.delete(cache.keys().next().value!);
  return found;
}

function numberValues(segments: readonly Segment[], field: number): FacetValues {
  const own = segments.map(({ keywords }) => {
    const { strings, values } = keywords[field]!;
    return values === 0 ? [] : strings.slice(0, values);
  });
  const values = [...new Set(own.flat())].sort(byCodeUnits);
  const indexOfValue = new Map(values.map((value, index) => [value, index]));
  return {
    values,
    valueIndexes: own.map((strings) => Uint32Array.from(['', ...strings], (value, code) => (code === 0 ? 0 : indexOfValue.get(value)!))),
  };
}
