import type { View } from '../segment/types.ts';
import { EngineError } from '../errors.ts';
import { vectorRow } from '../segment/columns.ts';
import type { SearchResult, Hit, Query } from '../types.ts';
import { quantise } from '../segment/write-columns.ts';
import { matchSegment, type SegmentMatch } from './match.ts';
import { type Entry, hasBit } from './cells/types.ts';
import { startDeadline, planText, type TextPlan } from './plan.ts';
import { defaultLimit, rankedEntries } from './ranking/page.ts';
import { countFacets } from './facets.ts';
import { matchedTerms } from './matched-terms.ts';
import { countNumbers } from './stats.ts';
import { placeOfString } from './filters/values.ts';
import { scoreOf } from './ranking/rank.ts';
import { idOf } from './ranking/id-rule.ts';
import { rankOf } from './ranking/rank-kernel.ts';

/** At least this many neighbours take part in a mix of words and vectors, however short the page. */
const leastNeighbours = 100;

/** RULES.md §7: nearest by vector, or a mix of words and vectors. */
export function searchVectors(view: View, query: Query): SearchResult {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const like = query.likeId === undefined ? null : vectorOfId(view, query.likeId);
  const vector = like?.vector ?? query.vector!.near;
  const ratio = like ? 1 : query.vector!.ratio;
  const wordPlan = planText(view.schema, query);
  const hasWords = ratio < 1 && wordPlan.words.length > 0;
  const plan = hasWords ? wordPlan : planText(view.schema, {});
  const offset = query.offset ?? 0;
  const limit = query.limit ?? defaultLimit;
  const wanted = Math.max(leastNeighbours, offset + limit + 1);

  // Neighbours need only pass the filter; the words decide about the rest.
  const passing = view.segments.map((segment) => matchSegment(segment, view.schema, planText(view.schema, {}), query.filter, deadline));
  const neighbours = nearest(passing, vector, wanted + 1).filter(
    ({ match, doc }) => !(like && match.segment === like.segment && doc === like.doc),
  );
  const near = neighbours.slice(0, wanted).map(({ match, doc }) => ({ segment: match.segment, doc }));
  const matches = view.segments.map((segment) => matchSegment(segment, view.schema, plan, query.filter, deadline));
  try {
    const unit = normalised(vector);
    if (!hasWords) restrict(matches, near);
    const byWords = hasWords
      ? rankedEntries(view, { ...query, after: undefined, offset: 0, limit: wanted }, plan, matches, deadline).entries
      : [];
    const entries = [...byWords, ...near.flatMap(({ segment, doc }) => entryOf(matches, segment, doc, byWords))];
    const scored = entries.map((entry) => ({ entry, score: mixedScore(entry, plan, hasWords, ratio, unit) }));
    scored.sort((a, b) => b.score - a.score || (idOf(a.entry) < idOf(b.entry) ? -1 : 1));
    const beyond = hasWords ? near.filter(({ segment, doc }) => !isMatch(matches, segment, doc)).length : 0;
    return {
      hits: scored.slice(offset, offset + limit).map(({ entry, score }) => hitOf(entry, score, view, query, plan, hasWords)),
      total: matches.reduce((sum, match) => sum + match.count, 0) + beyond,
      facets: countFacets(matches, view.schema, query.facets),
      ...countNumbers(matches, view.schema, query),
      after: null,
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}

function vectorOfId(view: View, id: string): { vector: Float32Array; segment: SegmentMatch['segment']; doc: number } {
  for (const segment of view.segments) {
    const doc = placeOfString(segment.ids, id);
    if (doc < 0 || ((segment.u32[(segment.live >>> 2) + (doc >>> 5)]! >>> (doc & 31)) & 1) === 0) continue;
    const row = rowOfDocument({ segment }, doc);
    if (row < 0) throw new EngineError('bad_query', `Document "${id}" has no vector to compare.`);
    return { vector: vectorRow(segment, row).slice(), segment, doc };
  }
  throw new EngineError('bad_query', `There is no document "${id}".`);
}

/** Without words the matches are the neighbours themselves. */
function restrict(matches: readonly SegmentMatch[], near: readonly { segment: SegmentMatch['segment']; doc: number }[]): void {
  for (const match of matches) {
    const { segment } = match;
    segment.kernels.clear(match.matches, segment.blocks);
    const own = near.filter((each) => each.segment === segment);
    for (const { doc } of own) segment.u32[(match.matches >>> 2) + (doc >>> 5)]! |= 1 << (doc & 31);
    match.count = own.length;
  }
}

function isMatch(matches: readonly SegmentMatch[], segment: SegmentMatch['segment'], doc: number): boolean {
  const match = matches.find((each) => each.segment === segment)!;
  return ((segment.u32[(match.matches >>> 2) + (doc >>> 5)]! >>> (doc & 31)) & 1) === 1;
}

function entryOf(matches: readonly SegmentMatch[], segment: SegmentMatch['segment'], doc: number, known: readonly Entry[]): Entry[] {
  const match = matches.find((each) => each.segment === segment)!;
  if (known.some((entry) => entry.match === match && entry.doc === doc)) return [];
  return [{ match, doc, rank: null, id: null, distance: null }];
}

function mixedScore(entry: Entry, plan: TextPlan, hasWords: boolean, ratio: number, unit: Float32Array): number {
  const byVector = vectorScore(entry.match, entry.doc, unit);
  if (!hasWords) return byVector;
  const byWords = isMatch([entry.match], entry.match.segment, entry.doc) ? scoreOf(rankOf(entry, plan), plan) : 0;
  return (1 - ratio) * byWords + ratio * byVector;
}

function hitOf(entry: Entry, score: number, view: View, query: Query, plan: TextPlan, hasWords: boolean): Hit {
  const hit: Hit = { id: idOf(entry), score };
  if (query.matches && hasWords) hit.matchedTerms = matchedTerms(entry, view.schema, query.matches, plan);
  return hit;
}

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
