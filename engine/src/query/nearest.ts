// biome-ignore-all lint/style/noNonNullAssertion: callers check that the segment has vectors; rows are below their number

import { vectorRow } from '../segment/columns.ts';
import { quantise } from '../segment/write-columns.ts';
import { hasDocument } from './cells/types.ts';
import type { SegmentMatch } from './match.ts';

/** A document near a vector. The score is the cosine scaled to 0..1. */
interface Neighbour {
  match: SegmentMatch;
  doc: number;
  score: number;
}

/** Rows of one segment that may be near the query. */
interface Rows {
  match: SegmentMatch;
  rows: Uint32Array;
}

/**
 * How many rows are compared by their full vectors, and how many of them are estimated before, for each wanted neighbour. Measured with
 * `npm run bench -- meaning`: with a million vectors, fewer lose neighbours and more take time without finding any.
 */
const rescoredPerWanted = 3;
const estimatedPerRescored = 24;
const minRescored = 200;

/** The part of the rows of every segment that one of several threads compares. */
export interface RowShare {
  part: number;
  parts: number;
}
const allRows: RowShare = { part: 0, parts: 1 };

/** Threads compare more rows than their share by full vectors, because the nearest are not spread evenly. */
const unevenness = 1.25;

/** Returns the `wanted` nearest documents among the matches, nearest first; ties are in order of segment and document. */
export function nearest(matches: readonly SegmentMatch[], unit: Float32Array, wanted: number, share = allRows): Neighbour[] {
  const used = matches.filter(({ segment }) => segment.vectors !== null && segment.vectors.count > 0);
  const isQuantised = used.some(({ segment }) => segment.vectors!.codes !== null);
  const most = Math.max(wanted * rescoredPerWanted, minRescored);
  const candidates = isQuantised
    ? closestByCode(used, unit, share.parts === 1 ? most : Math.ceil((most * unevenness) / share.parts), share)
    : used.map((match) => ({ match, rows: matchingRows(match, share) }));
  const found = candidates.flatMap(({ match, rows }) => bestRows(match, rows, unit, wanted));
  return found.sort((a, b) => b.score - a.score).slice(0, wanted);
}

export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((each) => each * scale);
}

/** The first row of a share, and the first that follows it. */
function rangeOf({ segment }: SegmentMatch, { part, parts }: RowShare): [from: number, to: number] {
  const { count } = segment.vectors!;
  return [Math.floor((count * part) / parts), Math.floor((count * (part + 1)) / parts)];
}

function matchingRows(match: SegmentMatch, share: RowShare): Uint32Array {
  const { vectors, u32 } = match.segment;
  const [from, to] = rangeOf(match, share);
  const documents = vectors!.documents >>> 2;
  const rows = new Uint32Array(to - from);
  let found = 0;
  for (let row = from; row < to; row++) if (hasDocument(match, match.matches, u32[documents + row]!)) rows[found++] = row;
  return rows.subarray(0, found);
}

/**
 * Selects `most` rows of all segments in two steps: by the number of differing signs, which is fast but coarse, and among those by the product
 * of the query with the signs and strengths of the row.
 */
function closestByCode(matches: readonly SegmentMatch[], unit: Float32Array, most: number, share: RowShare): Rows[] {
  const compared = matches.map((match) => compareCodes(match, unit, share));
  const sums = new Float64Array(unit.length + 1);
  for (const { counts } of compared) for (let at = 0; at < sums.length; at++) sums[at]! += counts[at]!;
  let limit = 0;
  for (let sum = 0; limit < sums.length && sum < most * estimatedPerRescored; limit++) sum += sums[limit]!;
  const coarse = compared.map((each) => ({ match: each.match, rows: rowsBelow(each, limit) }));
  return bestEstimates(coarse, unit, most);
}

interface ComparedCodes {
  match: SegmentMatch;
  /** The rows that were compared, and the address of their distances. */
  range: [from: number, to: number];
  distances: number;
  /** The number of matching rows by distance. */
  counts: Uint32Array;
}

function compareCodes(match: SegmentMatch, unit: Float32Array, share: RowShare): ComparedCodes {
  const { segment } = match;
  const { codes, dimension, documents } = segment.vectors!;
  const { at, bytes } = codes!;
  const range = rangeOf(match, share);
  const [from, to] = range;
  const count = to - from;
  const query = segment.scratch.bytes(Math.max(48, bytes));
  const distances = segment.scratch.bytes(count * 2 + 16);
  const counts = segment.scratch.bytes((dimension + 1) * 4);
  segment.u8.fill(0, query, query + bytes);
  quantise(unit, segment.u8.subarray(query, query + bytes));
  segment.u32.fill(0, counts >>> 2, (counts >>> 2) + dimension + 1);
  segment.kernels.hamming(query, at + from * bytes, count, bytes / 16, documents + from * 4, match.matches, distances, counts);
  return { match, range, distances, counts: segment.u32.slice(counts >>> 2, (counts >>> 2) + dimension + 1) };
}

function rowsBelow({ match: { segment }, range: [from, to], distances }: ComparedCodes, limit: number): Uint32Array {
  const out = segment.scratch.bytes((to - from) * 4);
  const found = segment.kernels.rowsBelow(distances, to - from, limit, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + found).map((row) => row + from);
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
  return candidates.map(({ match, rows }, index) => {
    const own = estimates[index]!;
    const kept: number[] = [];
    for (let at = 0; at < rows.length; at++) if (own[at]! >= least) kept.push(rows[at]!);
    return { match, rows: Uint32Array.from(kept) };
  });
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
function nthLargest(values: Float32Array, n: number): number {
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

/** Compares full vectors. Ascending rows give ascending documents. */
function bestRows(match: SegmentMatch, rows: Uint32Array, unit: Float32Array, wanted: number): Neighbour[] {
  const { segment } = match;
  const { codes, dimension } = segment.vectors!;
  const products = codes === null && dimension % 4 === 0 ? productsInMemory(match, rows, unit) : productsRead(match, rows, unit);
  const least = rows.length > wanted ? nthLargest(products.slice(), wanted) : Number.NEGATIVE_INFINITY;
  const documents = segment.vectors!.documents >>> 2;
  const best: Neighbour[] = [];
  for (let at = 0; at < rows.length; at++)
    if (products[at]! >= least) best.push({ match, doc: segment.u32[documents + rows[at]!]!, score: scoreOfProduct(products[at]!) });
  return best;
}

function productsInMemory({ segment }: SegmentMatch, rows: Uint32Array, unit: Float32Array): Float32Array {
  const query = segment.scratch.bytes(unit.byteLength);
  const list = segment.scratch.bytes(rows.byteLength);
  const out = segment.scratch.bytes(rows.length * 4);
  segment.f32.set(unit, query >>> 2);
  segment.u32.set(rows, list >>> 2);
  segment.kernels.dotRows(query, segment.vectors!.floats, unit.length / 4, list, rows.length, out);
  return segment.f32.slice(out >>> 2, (out >>> 2) + rows.length);
}

function productsRead({ segment }: SegmentMatch, rows: Uint32Array, unit: Float32Array): Float32Array {
  const buffer = new Float32Array(unit.length);
  return Float32Array.from(rows, (row) => product(vectorRow(segment, row, buffer), unit));
}

function product(vector: Float32Array, unit: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < unit.length; at++) sum += unit[at]! * vector[at]!;
  return sum;
}

function scoreOfProduct(value: number): number {
  return Math.min(1, Math.max(0, (1 + value) / 2));
}

/** Returns the score of one document, 0 when it has no vector. */
export function vectorScore({ segment }: Pick<SegmentMatch, 'segment'>, doc: number, unit: Float32Array): number {
  const row = rowOfDocument(segment, doc);
  return row < 0 ? 0 : scoreOfProduct(product(vectorRow(segment, row), unit));
}

/** Returns the row of a document in the vectors of its segment, or -1. */
export function rowOfDocument({ vectors, u32 }: SegmentMatch['segment'], doc: number): number {
  if (!vectors) return -1;
  const documents = vectors.documents >>> 2;
  let low = 0;
  let high = vectors.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (u32[documents + middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < vectors.count && u32[documents + low] === doc ? low : -1;
}
