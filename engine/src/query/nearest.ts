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
const rescoredPerWanted = 8;
const estimatedPerRescored = 16;
const minRescored = 400;

/** Returns the `wanted` nearest documents among the matches, nearest first; ties are in order of segment and document. */
export function nearest(matches: readonly SegmentMatch[], unit: Float32Array, wanted: number): Neighbour[] {
  const used = matches.filter(({ segment }) => segment.vectors !== null && segment.vectors.count > 0);
  const isQuantised = used.some(({ segment }) => segment.vectors!.codes !== null);
  const candidates = isQuantised
    ? closestByCode(used, unit, Math.max(wanted * rescoredPerWanted, minRescored))
    : used.map((match) => ({ match, rows: matchingRows(match) }));
  const found = candidates.flatMap(({ match, rows }) => bestRows(match, rows, unit, wanted));
  return found.sort((a, b) => b.score - a.score).slice(0, wanted);
}

export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((each) => each * scale);
}

function matchingRows(match: SegmentMatch): Uint32Array {
  const { vectors, u32 } = match.segment;
  const { count } = vectors!;
  const documents = vectors!.documents >>> 2;
  const rows = new Uint32Array(count);
  let found = 0;
  for (let row = 0; row < count; row++) if (hasDocument(match, match.matches, u32[documents + row]!)) rows[found++] = row;
  return rows.subarray(0, found);
}

/**
 * Selects `most` rows of all segments in two steps: by the number of differing bits, which is fast but coarse, and among those by the product
 * of the query with the signs of the row.
 */
function closestByCode(matches: readonly SegmentMatch[], unit: Float32Array, most: number): Rows[] {
  const compared = matches.map((match) => compareCodes(match, unit));
  const sums = new Float64Array(unit.length + 1);
  for (const { counts } of compared) for (let at = 0; at < sums.length; at++) sums[at]! += counts[at]!;
  let limit = 0;
  for (let sum = 0; limit < sums.length && sum < most * estimatedPerRescored; limit++) sum += sums[limit]!;
  const coarse = compared.map(({ match, distances }) => ({ match, rows: rowsBelow(match, distances, limit) }));
  return bestEstimates(coarse, unit, most);
}

interface ComparedCodes {
  match: SegmentMatch;
  /** Address of the distances of all rows. */
  distances: number;
  /** The number of matching rows by distance. */
  counts: Uint32Array;
}

function compareCodes(match: SegmentMatch, unit: Float32Array): ComparedCodes {
  const { segment } = match;
  const { count, codes, dimension, documents } = segment.vectors!;
  const { at, bytes } = codes!;
  const query = segment.scratch.bytes(Math.max(48, bytes));
  const distances = segment.scratch.bytes(count * 2 + 16);
  const counts = segment.scratch.bytes((dimension + 1) * 4);
  segment.u8.fill(0, query, query + bytes);
  quantise(unit, segment.u8.subarray(query, query + bytes));
  segment.u32.fill(0, counts >>> 2, (counts >>> 2) + dimension + 1);
  segment.kernels.hamming(query, at, count, bytes / 16, documents, match.matches, distances, counts);
  return { match, distances, counts: segment.u32.slice(counts >>> 2, (counts >>> 2) + dimension + 1) };
}

function rowsBelow({ segment }: SegmentMatch, distances: number, limit: number): Uint32Array {
  const { count } = segment.vectors!;
  const out = segment.scratch.bytes(count * 4);
  const found = segment.kernels.rowsBelow(distances, count, limit, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + found);
}

function bestEstimates(candidates: readonly Rows[], unit: Float32Array, most: number): Rows[] {
  const total = candidates.reduce((sum, { rows }) => sum + rows.length, 0);
  if (total <= most) return [...candidates];
  const table = signProducts(unit);
  const estimates = candidates.map(({ match, rows }) => estimateRows(match, rows, table));
  const ordered = new Float32Array(total);
  estimates.reduce((at, each) => {
    ordered.set(each, at);
    return at + each.length;
  }, 0);
  const least = ordered.sort()[total - most]!;
  return candidates.map(({ match, rows }, index) => ({ match, rows: rows.filter((_, at) => estimates[index]![at]! >= least) }));
}

/** For every byte of a code and each of its 256 values: the sum of the query's components, positive where the bit is set. */
function signProducts(unit: Float32Array): Float32Array {
  const table = new Float32Array(Math.ceil(unit.length / 8) * 256);
  for (let first = 0; first < unit.length; first += 8) {
    const at = first * 32;
    for (let bit = 0; bit < 8; bit++) table[at]! -= unit[first + bit] ?? 0;
    for (let value = 1; value < 256; value++) {
      const low = 31 - Math.clz32(value & -value);
      table[at + value] = table[at + (value & (value - 1))]! + 2 * (unit[first + low] ?? 0);
    }
  }
  return table;
}

function estimateRows({ segment }: SegmentMatch, rows: Uint32Array, table: Float32Array): Float32Array {
  const { at, bytes } = segment.vectors!.codes!;
  const { u8 } = segment;
  const used = table.length >>> 8;
  const estimates = new Float32Array(rows.length);
  for (let index = 0; index < rows.length; index++) {
    const from = at + rows[index]! * bytes;
    let sum = 0;
    for (let byte = 0; byte < used; byte++) sum += table[(byte << 8) + u8[from + byte]!]!;
    estimates[index] = sum;
  }
  return estimates;
}

/** Compares full vectors. Ascending rows give ascending documents. */
function bestRows(match: SegmentMatch, rows: Uint32Array, unit: Float32Array, wanted: number): Neighbour[] {
  const { segment } = match;
  const { codes, dimension } = segment.vectors!;
  const products = codes === null && dimension % 4 === 0 ? productsInMemory(match, rows, unit) : productsRead(match, rows, unit);
  const least = rows.length > wanted ? products.slice().sort()[rows.length - wanted]! : Number.NEGATIVE_INFINITY;
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
