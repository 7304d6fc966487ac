// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot

import { dirname } from 'node:path';
import { byCodeUnits } from '../segment/string-order.ts';
import type { KeywordColumn, Segment } from '../segment/types.ts';
import type { Query, Schema, SearchResult } from '../types.ts';
import { stringLowerBound } from './filters/values.ts';
import { type DocumentList, listBits, listMatches, type SegmentMatch } from './match.ts';

export const defaultFacetLimit = 100;

type Counted = SearchResult['facets'][string];

/** With `filter`, which then alone decides what matches, counts are kept for the next query with the same filter. */
export function countFacets(
  matches: readonly SegmentMatch[],
  schema: Schema,
  facets: Query['facets'],
  filter: string | null,
): SearchResult['facets'] {
  const counted: SearchResult['facets'] = {};
  const lists: ComplementLists = new Map();
  for (const facet of facets ?? []) {
    const { field, limit, prefix } = typeof facet === 'string' ? { field: facet, limit: undefined, prefix: undefined } : facet;
    const index = schema.keyword.findIndex(({ name }) => name === field);
    counted[field] = countFacet({ matches, filter, lists }, index, limit ?? defaultFacetLimit, prefix ?? '');
  }
  return counted;
}

/** For queries that match nearly everything: the documents of each segment that do not match, shared by all facets. */
type ComplementLists = Map<SegmentMatch, DocumentList>;

interface Counting {
  matches: readonly SegmentMatch[];
  filter: string | null;
  lists: ComplementLists;
}

function countFacet({ matches, filter, lists }: Counting, field: number, limit: number, prefix: string): Counted {
  const segments = matches.map(({ segment }) => segment);
  const countsBySegment = matches.map((match) => keptValues(match, field, prefix, filter, lists));
  const numbering = numberValues(segments, field);
  if (numbering === null) return mergeByValue(matches, field, countsBySegment, limit);
  const { values, numbers } = numbering;
  const sums = new Uint32Array(values.length);
  countsBySegment.forEach((own, index) => {
    if (own === null) return;
    const ownNumbers = numbers.get(matches[index]!.segment.shared.path)!;
    const { counts, at, from, to } = own;
    for (let code = from; code < to; code++) sums[ownNumbers[code]!]! += counts[at + code]!;
  });
  return mostFrequent(sums, values, limit);
}

/** Count and number are packed into one double, which is exact up to 2^32 documents and 2^20 values. */
const maxNumbers = 2 ** 20;

/** Returns the values with the largest counts, largest first; equal counts are in order of value. */
function mostFrequent(sums: Uint32Array, values: readonly string[], limit: number): Counted {
  const keys = new Float64Array(sums.length);
  let filled = 0;
  for (let number = 0; number < sums.length; number++) if (sums[number]! > 0) keys[filled++] = sums[number]! * maxNumbers + number;
  const sorted = keys.subarray(0, filled).sort();
  const found: Counted = [];
  // Values are numbered in no order, so those with equal counts are sorted here; also the ones that the limit cuts through.
  for (let end = filled; end > 0 && found.length < limit; ) {
    const count = Math.floor(sorted[end - 1]! / maxNumbers);
    let start = end - 1;
    while (start > 0 && Math.floor(sorted[start - 1]! / maxNumbers) === count) start -= 1;
    const equal: string[] = [];
    for (let at = start; at < end; at++) equal.push(values[sorted[at]! - count * maxNumbers]!);
    if (equal.length > 1) equal.sort(byCodeUnits);
    for (const value of equal.slice(0, limit - found.length)) found.push({ value, count });
    end = start;
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
      const count = own.counts[own.at + code]!;
      if (count === 0) continue;
      const value = strings.get(code - 1);
      sums.set(value, (sums.get(value) ?? 0) + count);
    }
  });
  const listed = [...sums].map(([value, count]) => ({ value, count }));
  return listed.sort((a, b) => b.count - a.count || byCodeUnits(a.value, b.value)).slice(0, limit);
}

interface ValueCounts {
  /** The counters start at this position and are indexed by code. Only codes from … to − 1 are valid. */
  counts: Uint32Array;
  at: number;
  from: number;
  to: number;
}

/** Counts of columns with more values are not kept, because they would take too much memory. */
const maxKeptValues = 4096;

function keptValues(match: SegmentMatch, field: number, prefix: string, filter: string | null, lists: ComplementLists): ValueCounts | null {
  const { segment } = match;
  const { values } = segment.keywords[field]!;
  const isAll = match.count === 0 || match.count === segment.documents;
  if (filter === null || isAll || values === 0 || values > maxKeptValues) return countValues(match, field, prefix, lists);
  const key = JSON.stringify([field, prefix, filter]);
  const kept = segment.keptCounts.get(key);
  if (kept !== undefined) return { counts: kept, at: 0, ...codesOf(segment.keywords[field]!, prefix) };
  const counted = countValues(match, field, prefix, lists)!;
  const counts = counted.counts.slice(counted.at, counted.at + values + 1);
  segment.keptCounts.keep(key, counts);
  return { ...counted, counts, at: 0 };
}

const codesOf = (column: KeywordColumn, prefix: string): { from: number; to: number } =>
  prefix === '' ? { from: 1, to: column.values + 1 } : codesWithPrefix(column, prefix);

/** Counts each value among the matches of a segment with the cheapest method. Returns null when there is nothing to count. */
function countValues(match: SegmentMatch, field: number, prefix: string, lists: ComplementLists): ValueCounts | null {
  const { segment } = match;
  const column = segment.keywords[field]!;
  if (match.count === 0 || column.values === 0) return null;
  const { from, to } = codesOf(column, prefix);
  const frequency = column.frequency >>> 2;
  if (match.count === segment.documents) return { counts: segment.u32, at: frequency, from, to };
  const fewest = Math.min(match.count, segment.documents - match.count);
  const rows = column.multi ? fewest * 2 : fewest;
  const listBytes = segment.u32[(column.listOffsets >>> 2) + column.values + 1]!;
  const byValues = column.dense.length * segment.blocks + listBytes * 2;
  if (rows > byValues + 4096 && column.values <= 50_000) return { at: byValue(match, column, from, to), counts: segment.u32, from, to };
  const isFew = fewest === match.count;
  const list = isFew ? listMatches(match) : (lists.get(match) ?? listBits(match, nonMatching(match), fewest));
  if (!isFew) lists.set(match, list);
  const at = byColumn(segment, list, column);
  // Counting may have grown the memory, which renews the views.
  const { u32 } = segment;
  // When nearly everything matches, count the other documents and subtract them from the frequencies of the segment.
  if (!isFew) for (let code = from; code < to; code++) u32[at + code] = u32[frequency + code]! - u32[at + code]!;
  return { counts: u32, at, from, to };
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

/**
 * Numbers for the values of a field, the same in all segments of an index, so that counts of several segments are added without comparing
 * texts. Segments never change, so a new one only adds its own values.
 */
interface Numbering {
  values: string[];
  numberOf: Map<string, number>;
  /** By path of the segment, then by code (from 1). */
  numbers: Map<string, Uint32Array>;
}

/** Fields with more values in a segment, or in all segments together, are merged by text instead. */
const maxOwnValues = 50_000;
const maxValues = 500_000;
const maxCached = 32;
const numberings = new Map<string, Numbering>();

/** Returns null for fields with very many values. */
function numberValues(segments: readonly Segment[], field: number): Numbering | null {
  const values = segments.map(({ keywords }) => keywords[field]!.values);
  if (values.some((own) => own > maxOwnValues) || values.reduce((sum, own) => sum + own, 0) > maxValues) return null;
  const key = `${field}:${dirname(segments[0]?.shared.path ?? '')}`;
  const known = numberings.get(key);
  // Rebuilt when most of its entries belong to segments that no longer exist.
  const keep = known && known.values.length <= 2 * maxValues && known.numbers.size <= 2 * segments.length + 16;
  const numbering = keep ? known : { values: [], numberOf: new Map<string, number>(), numbers: new Map<string, Uint32Array>() };
  for (const segment of segments)
    if (!numbering.numbers.has(segment.shared.path)) numbering.numbers.set(segment.shared.path, numberSegment(numbering, segment, field));
  numberings.delete(key);
  numberings.set(key, numbering);
  if (numberings.size > maxCached) numberings.delete(numberings.keys().next().value!);
  return numbering;
}

function numberSegment({ values, numberOf }: Numbering, segment: Segment, field: number): Uint32Array {
  const column = segment.keywords[field]!;
  const own = new Uint32Array(column.values + 1);
  const texts = column.values === 0 ? [] : column.strings.slice(0, column.values);
  texts.forEach((text, at) => {
    let number = numberOf.get(text);
    if (number === undefined) {
      number = values.push(text) - 1;
      numberOf.set(text, number);
    }
    own[at + 1] = number;
  });
  return own;
}
