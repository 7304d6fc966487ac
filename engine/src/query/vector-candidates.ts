// biome-ignore-all lint/style/noNonNullAssertion: callers check that the segment has vectors; rows are below their number

import { rowOfDocument } from '../segment/columns.ts';
import { quantise } from '../segment/write-vectors.ts';
import type { SegmentMatch } from './match.ts';

/** Rows of one segment that may be near the query, in ascending order. */
interface Rows {
  match: SegmentMatch;
  rows: Uint32Array;
}

/** The part of the matching rows, or of the rows of every list, that one of several threads compares. */
export interface RowShare {
  part: number;
  parts: number;
}
export const allRows: RowShare = { part: 0, parts: 1 };

/**
 * The lists nearest to the query are compared until they contain this share of the matching documents. Measured with
 * `npm run bench -- meaning`.
 */
export const probedShare = 0.2;
/** How many rows are estimated for each one compared by its full vector. */
const estimatedPerRescored = 24;
/** At most this many matching documents are estimated one by one; reading all signs would take longer. */
const maxEstimated = 20_000;

/**
 * Selects about `most` rows of all segments by their codes. Few matching documents are estimated from signs and strengths. Otherwise the rows
 * of the nearest lists are compared by the number of differing signs, which is fast but coarse, and the best of them are estimated. Segments
 * without lists are compared completely.
 */
export function closestByCode(matches: readonly SegmentMatch[], unit: Float32Array, most: number, share: RowShare, probed: number): Rows[] {
  const coarse =
    matchingVectors(matches) <= maxEstimated
      ? matches.map((match) => ({ match, rows: matchingRows(match, share) }))
      : closestBySigns(matches, unit, most * estimatedPerRescored, share, probed);
  return bestEstimates(coarse, unit, most);
}

/** An upper limit of the number of matching documents with a vector. */
function matchingVectors(matches: readonly SegmentMatch[]): number {
  return matches.reduce((sum, { segment, count }) => sum + Math.min(count, segment.vectors!.count), 0);
}

/** The share of a range of rows or documents. */
function shareOf(from: number, to: number, { part, parts }: RowShare): [from: number, to: number] {
  const size = to - from;
  return [from + Math.floor((size * part) / parts), from + Math.floor((size * (part + 1)) / parts)];
}

/** The rows of the matching documents. */
export function matchingRows({ segment, matches, count }: SegmentMatch, share: RowShare): Uint32Array {
  const [from, to] = shareOf(0, count, share);
  const list = segment.scratch.bytes((to - from) * 4);
  const taken = segment.kernels.takeBits(matches, segment.blocks, from, to - from, list);
  const rows = segment.u32.slice(list >>> 2, (list >>> 2) + taken);
  let found = 0;
  for (const doc of rows) {
    const row = rowOfDocument(segment, doc);
    if (row >= 0) rows[found++] = row;
  }
  return rows.subarray(0, found).sort();
}

/** Rows next to each other: a list, or all rows of a segment without lists. */
interface Range {
  signs: ComparedSigns;
  from: number;
  to: number;
  /** The product of the query with the centre of the list. */
  closeness: number;
}

interface ComparedSigns {
  match: SegmentMatch;
  /** Addresses of the signs of the query and of the number of rows by distance. */
  query: number;
  counts: number;
}

/** Selects at least `target` rows, or all, by the number of differing signs. */
function closestBySigns(matches: readonly SegmentMatch[], unit: Float32Array, target: number, share: RowShare, probed: number): Rows[] {
  const compared = matches.map((match) => prepareSigns(match, unit));
  const ranges = compared.flatMap((signs) => rangesOf(signs, unit)).sort((a, b) => b.closeness - a.closeness);
  const enough = Math.max(target, (matchingVectors(matches) / share.parts) * probed);
  const distances: (Range & { at: number })[] = [];
  let matching = 0;
  for (const range of ranges) {
    if (matching >= enough && range.closeness < Number.POSITIVE_INFINITY) break;
    const [from, to] = shareOf(range.from, range.to, share);
    const { at, found } = compareSigns(range.signs, from, to);
    distances.push({ ...range, from, to, at });
    matching += found;
  }
  const limit = limitFor(compared, unit.length, target);
  return compared.map((signs) => {
    const own = distances.filter((each) => each.signs === signs);
    return { match: signs.match, rows: joined(own.map(({ from, to, at }) => rowsBelow(signs.match, from, to, at, limit))).sort() };
  });
}

function prepareSigns(match: SegmentMatch, unit: Float32Array): ComparedSigns {
  const { segment } = match;
  const { codes, dimension } = segment.vectors!;
  const query = segment.scratch.bytes(Math.max(48, codes!.bytes));
  const counts = segment.scratch.bytes((dimension + 1) * 4);
  segment.u8.fill(0, query, query + codes!.bytes);
  quantise(unit, segment.u8.subarray(query, query + codes!.bytes));
  segment.u32.fill(0, counts >>> 2, (counts >>> 2) + dimension + 1);
  return { match, query, counts };
}

function rangesOf(signs: ComparedSigns, unit: Float32Array): Range[] {
  const { segment } = signs.match;
  const { lists, count } = segment.vectors!;
  if (!lists) return [{ signs, from: 0, to: count, closeness: Number.POSITIVE_INFINITY }];
  const quads = Math.ceil(unit.length / 4);
  const query = segment.scratch.bytes(quads * 16);
  const order = segment.scratch.bytes(lists.count * 4);
  const products = segment.scratch.bytes(lists.count * 4);
  segment.f32.fill(0, query >>> 2, (query >>> 2) + quads * 4);
  segment.f32.set(unit, query >>> 2);
  for (let list = 0; list < lists.count; list++) segment.u32[(order >>> 2) + list] = list;
  segment.kernels.dotRows(query, lists.centres, quads, order, lists.count, products);
  const { u32, f32 } = segment;
  return Array.from({ length: lists.count }, (_, list) => ({
    signs,
    from: u32[(lists.starts >>> 2) + list]!,
    to: u32[(lists.starts >>> 2) + list + 1]!,
    closeness: f32[(products >>> 2) + list]!,
  }));
}

/** Writes the distances of some rows, and returns their address and how many of the rows match. */
function compareSigns({ match, query, counts }: ComparedSigns, from: number, to: number): { at: number; found: number } {
  const { segment, matches } = match;
  const { codes, documents } = segment.vectors!;
  const { at: signs, bytes } = codes!;
  const at = segment.scratch.bytes((to - from) * 2 + 16);
  const found = segment.kernels.hamming(query, signs + from * bytes, to - from, bytes / 16, documents + from * 4, matches, at, counts);
  return { at, found };
}

/** The smallest distance above which no row is needed to have `target` rows. */
function limitFor(compared: readonly ComparedSigns[], dimension: number, target: number): number {
  let limit = 0;
  for (let sum = 0; limit <= dimension && sum < target; limit++)
    for (const { match, counts } of compared) sum += match.segment.u32[(counts >>> 2) + limit]!;
  return limit;
}

function rowsBelow({ segment }: SegmentMatch, from: number, to: number, distances: number, limit: number): Uint32Array {
  const out = segment.scratch.bytes((to - from) * 4);
  const found = segment.kernels.rowsBelow(distances, to - from, limit, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + found).map((row) => row + from);
}

function joined(parts: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function bestEstimates(candidates: readonly Rows[], unit: Float32Array, most: number): Rows[] {
  const total = candidates.reduce((sum, { rows }) => sum + rows.length, 0);
  if (total <= most) return [...candidates];
  const query = toBytes(unit);
  const estimates = candidates.map(({ match, rows }) => estimateRows(match, rows, query));
  const all = new Float32Array(total);
  estimates.reduce((at, each) => {
    all.set(each, at);
    return at + each.length;
  }, 0);
  const least = nthLargest(all, most);
  return candidates.map(({ match, rows }, index) => ({ match, rows: rows.filter((_, at) => estimates[index]![at]! >= least) }));
}

/** The query as whole numbers from -127 to 127. The order of estimates does not depend on the scale. */
function toBytes(unit: Float32Array): Int8Array {
  const largest = unit.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  return Int8Array.from(unit, (each) => Math.round((each / largest) * 127));
}

/**
 * Estimates the products of the query with full vectors from their signs and strengths. The sizes that stand for weak and strong components
 * have the proportion of the averages of both in normally distributed vectors; the error is half of that with signs alone.
 */
function estimateRows({ segment }: SegmentMatch, rows: Uint32Array, query: Int8Array): Float32Array {
  const { at, strengths, bytes } = segment.vectors!.codes!;
  const near = segment.scratch.bytes(bytes * 8);
  const list = segment.scratch.bytes(rows.byteLength);
  const out = segment.scratch.bytes(rows.length * 4);
  segment.u8.fill(0, near, near + bytes * 8);
  segment.u8.set(new Uint8Array(query.buffer), near);
  segment.u32.set(rows, list >>> 2);
  segment.kernels.estimateRows(near, at, strengths, bytes / 16, list, rows.length, out);
  return segment.f32.slice(out >>> 2, (out >>> 2) + rows.length);
}

/** Returns the n-th largest value; n is from 1 to the number of values, which are reordered. Quickselect: sorting all takes ten times as long. */
export function nthLargest(values: Float32Array, n: number): number {
  let low = 0;
  let high = values.length - 1;
  const target = values.length - n;
  while (low < high) {
    const pivot = values[(low + high) >>> 1]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      const swapped = values[left]!;
      values[left++] = values[right]!;
      values[right--] = swapped;
    }
    if (target <= right) high = right;
    else if (target >= left) low = left;
    else break;
  }
  return values[target]!;
}
