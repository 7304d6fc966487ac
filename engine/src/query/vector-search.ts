import { vectorRow } from '../segment/merge-segments.ts';
import { quantise } from '../segment/write-columns.ts';
import type { SegmentMatch } from './candidates.ts';
import { hasBit } from './cells.ts';

/** A document near a vector; the score is its cosine brought to 0..1. */
export interface Neighbour {
  match: SegmentMatch;
  doc: number;
  score: number;
}

/** With 1-bit codes, this many times the wanted neighbours are taken by differing bits and then compared by their real vectors. */
const rescored = 20;
const leastRescored = 400;

/** The nearest `wanted` documents among the matches, nearest first, equal ones by segment and document. */
export function nearest(matches: readonly SegmentMatch[], vector: Float32Array, wanted: number): Neighbour[] {
  const unit = normalised(vector);
  const found = matches.flatMap((match) => (match.segment.vectors ? nearestIn(match, unit, wanted) : []));
  return found.sort((a, b) => b.score - a.score).slice(0, wanted);
}

export function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((each) => each * scale);
}

function nearestIn(match: SegmentMatch, unit: Float32Array, wanted: number): Neighbour[] {
  const rows = match.segment.vectors!.codes ? promisingRows(match, unit, Math.max(wanted * rescored, leastRescored)) : matchingRows(match);
  const documents = match.segment.vectors!.documents >>> 2;
  const scored = Array.from(rows, (row) => ({ match, doc: match.segment.u32[documents + row]!, score: scoreOfRow(match, row, unit) }));
  return scored.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, wanted);
}

function matchingRows(match: SegmentMatch): Uint32Array {
  const { vectors, u32 } = match.segment;
  const documents = vectors!.documents >>> 2;
  const rows: number[] = [];
  for (let row = 0; row < vectors!.count; row++) if (hasBit(match, match.matches, u32[documents + row]!)) rows.push(row);
  return Uint32Array.from(rows);
}

/** The rows that differ from the query in the fewest bits: a counting sort over the distances. */
function promisingRows(match: SegmentMatch, unit: Float32Array, most: number): Uint32Array {
  const { segment } = match;
  const { count, codes, dimension } = segment.vectors!;
  const { at, bytes } = codes!;
  const query = segment.scratch.bytes(bytes);
  const out = segment.scratch.bytes(count * 2);
  segment.u8.fill(0, query, query + bytes);
  quantise(unit, segment.u8.subarray(query, query + bytes));
  segment.kernels.hamming(query, at, count, bytes / 16, out);
  const rows = matchingRows(match);
  const distances = segment.u16.subarray(out >>> 1, (out >>> 1) + count);
  const counts = new Uint32Array(dimension + 2);
  for (const row of rows) counts[distances[row]! + 1]!++;
  let limit = 0;
  let sum = 0;
  while (limit <= dimension && sum < most) sum += counts[++limit]!;
  return rows.filter((row) => distances[row]! < limit);
}

function scoreOfRow(match: SegmentMatch, row: number, unit: Float32Array): number {
  const vector = vectorRow(match.segment, row);
  let product = 0;
  for (let at = 0; at < unit.length; at++) product += unit[at]! * vector[at]!;
  return Math.min(1, Math.max(0, (1 + product) / 2));
}

/** The score of one document, 0 when it has no vector. */
export function vectorScore(match: SegmentMatch, doc: number, unit: Float32Array): number {
  const row = rowOfDocument(match, doc);
  return row < 0 ? 0 : scoreOfRow(match, row, unit);
}

export function rowOfDocument({ segment }: Pick<SegmentMatch, 'segment'>, doc: number): number {
  const { vectors, u32 } = segment;
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
