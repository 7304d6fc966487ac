// biome-ignore-all lint/style/noNonNullAssertion: callers check that the segment has vectors; rows are below their number

import { rowOfDocument, vectorRow } from '../segment/columns.ts';
import type { SegmentMatch } from './match.ts';
import { allRows, closestByCode, matchingRows, nthLargest, probedShare } from './vector-candidates.ts';

/** A document near a vector. The score is the cosine scaled to 0..1. */
interface Neighbour {
  match: SegmentMatch;
  doc: number;
  score: number;
}

/**
 * How many rows are compared by their full vectors for each wanted neighbour. Measured with `npm run bench -- meaning`: with a million
 * vectors, fewer lose neighbours and more take time without finding any.
 */
const rescoredPerWanted = 3;
const minRescored = 200;

/** Threads compare more rows than their share by full vectors, because the nearest are not spread evenly. */
const unevenness = 1.25;

/**
 * Returns the `wanted` nearest documents among the matches, nearest first, and those of other segments that are as near as the last, because
 * only their ids decide which come first. Ties are in order of segment and document.
 */
export function nearest(
  matches: readonly SegmentMatch[],
  unit: Float32Array,
  wanted: number,
  share = allRows,
  probed = probedShare,
): Neighbour[] {
  const used = matches.filter(({ segment }) => segment.vectors !== null && segment.vectors.count > 0);
  const isQuantised = used.some(({ segment }) => segment.vectors!.codes !== null);
  const most = Math.max(wanted * rescoredPerWanted, minRescored);
  const own = share.parts === 1 ? most : Math.ceil((most * unevenness) / share.parts);
  const candidates = isQuantised
    ? closestByCode(used, unit, own, share, probed)
    : used.map((match) => ({ match, rows: matchingRows(match, share) }));
  const found = candidates.flatMap(({ match, rows }, segment) => bestRows(match, rows, unit, wanted).map((each) => ({ ...each, segment })));
  found.sort((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc);
  return found.slice(0, endOfTies(found, wanted));
}

/** The number of the first `wanted` together with those that have the same score as the last of them. */
export function endOfTies(sorted: readonly { score: number }[], wanted: number): number {
  let end = Math.min(wanted, sorted.length);
  while (end < sorted.length && sorted[end]!.score === sorted[wanted - 1]!.score) end++;
  return end;
}

export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((each) => each * scale);
}

/** Compares full vectors, in ascending order of rows because they are read from disk. Of equally near documents, the first are returned. */
function bestRows(match: SegmentMatch, rows: Uint32Array, unit: Float32Array, wanted: number): Neighbour[] {
  const { segment } = match;
  const { codes, dimension } = segment.vectors!;
  const products = codes === null && dimension % 4 === 0 ? productsInMemory(match, rows, unit) : productsRead(match, rows, unit);
  const least = rows.length > wanted ? nthLargest(products.slice(), wanted) : Number.NEGATIVE_INFINITY;
  const documents = segment.vectors!.documents >>> 2;
  const best: Neighbour[] = [];
  for (let at = 0; at < rows.length; at++)
    if (products[at]! >= least) best.push({ match, doc: segment.u32[documents + rows[at]!]!, score: scoreOfProduct(products[at]!) });
  // Documents are numbered in order of their ids.
  return best.length > wanted ? best.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, wanted) : best;
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
