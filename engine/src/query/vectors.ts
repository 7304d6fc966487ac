// biome-ignore-all lint/style/noNonNullAssertion: callers check that the segment has vectors; rows are below their number

import { EngineError } from '../errors.ts';
import { vectorRow } from '../segment/columns.ts';
import type { IndexSnapshot } from '../segment/types.ts';
import { quantise } from '../segment/write-columns.ts';
import type { Hit, Query, SearchResult } from '../types.ts';
import { type Candidate, hasDocument } from './cells/types.ts';
import { countFacets } from './facets.ts';
import { indexOfString } from './filters/values.ts';
import { matchSegment, type SegmentMatch } from './match.ts';
import { matchedTerms } from './matched-terms.ts';
import { planText, startDeadline, type TextPlan } from './plan.ts';
import { idOf } from './ranking/id-rule.ts';
import { defaultLimit, rankedCandidates } from './ranking/page.ts';
import { scoreOf } from './ranking/rank.ts';
import { rankOf } from './ranking/rank-kernel.ts';
import { countNumbers } from './stats.ts';

/** Minimum number of neighbours considered in a mix of words and vectors, however short the page. */
const minNeighbours = 100;

/** Implements RULES.md §7: nearest by vector, or a mix of words and vectors. */
export function searchVectors(snapshot: IndexSnapshot, query: Query): SearchResult {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const source = query.likeId === undefined ? null : vectorOfId(snapshot, query.likeId);
  const vector = source?.vector ?? query.vector!.near;
  const ratio = source ? 1 : query.vector!.ratio;
  const wordPlan = planText(snapshot.schema, query);
  const hasWords = ratio < 1 && wordPlan.words.length > 0;
  const plan = hasWords ? wordPlan : planText(snapshot.schema, {});
  const offset = query.offset ?? 0;
  const limit = query.limit ?? defaultLimit;
  const wanted = Math.max(minNeighbours, offset + limit + 1);

  // Neighbours need to pass the filter only; they need not match the words.
  const passing = snapshot.segments.map((segment) =>
    matchSegment(segment, snapshot.schema, planText(snapshot.schema, {}), query.filter, deadline),
  );
  const neighbours = nearest(passing, vector, wanted + 1).filter(
    ({ match, doc }) => !(source && match.segment === source.segment && doc === source.doc),
  );
  const near = neighbours.slice(0, wanted).map(({ match, doc }) => ({ segment: match.segment, doc }));
  const matches = snapshot.segments.map((segment) => matchSegment(segment, snapshot.schema, plan, query.filter, deadline));
  try {
    const unit = normalised(vector);
    if (!hasWords) restrictToNeighbours(matches, near);
    const byWords = hasWords
      ? rankedCandidates(snapshot, { ...query, after: undefined, offset: 0, limit: wanted }, plan, matches, deadline).candidates
      : [];
    const candidates = [...byWords, ...near.flatMap(({ segment, doc }) => entryOf(matches, segment, doc, byWords))];
    const scored = candidates.map((candidate) => {
      const parts = partsOf(candidate, plan, hasWords, unit);
      return { candidate, parts, score: hasWords ? (1 - ratio) * parts.words + ratio * parts.vector : parts.vector };
    });
    scored.sort((a, b) => b.score - a.score || (idOf(a.candidate) < idOf(b.candidate) ? -1 : 1));
    const beyond = hasWords ? near.filter(({ segment, doc }) => !isMatch(matches, segment, doc)).length : 0;
    return {
      hits: scored.slice(offset, offset + limit).map((each) => hitOf(each, snapshot, query, plan, hasWords)),
      total: matches.reduce((sum, match) => sum + match.count, 0) + beyond,
      facets: countFacets(matches, snapshot.schema, query.facets),
      ...countNumbers(matches, snapshot.schema, query),
      after: null,
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}

function vectorOfId(snapshot: IndexSnapshot, id: string): { vector: Float32Array; segment: SegmentMatch['segment']; doc: number } {
  for (const segment of snapshot.segments) {
    const doc = indexOfString(segment.ids, id);
    if (doc < 0 || ((segment.u32[(segment.live >>> 2) + (doc >>> 5)]! >>> (doc & 31)) & 1) === 0) continue;
    const row = rowOfDocument({ segment }, doc);
    if (row < 0) throw new EngineError('bad_query', `Document "${id}" has no vector to compare.`);
    return { vector: vectorRow(segment, row).slice(), segment, doc };
  }
  throw new EngineError('bad_query', `There is no document "${id}".`);
}

/** Without words, the neighbours are the matches. */
function restrictToNeighbours(matches: readonly SegmentMatch[], near: readonly { segment: SegmentMatch['segment']; doc: number }[]): void {
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

function entryOf(
  matches: readonly SegmentMatch[],
  segment: SegmentMatch['segment'],
  doc: number,
  known: readonly Candidate[],
): Candidate[] {
  const match = matches.find((each) => each.segment === segment)!;
  if (known.some((candidate) => candidate.match === match && candidate.doc === doc)) return [];
  return [{ match, doc, rank: null, id: null, distance: null }];
}

interface ScoredCandidate {
  candidate: Candidate;
  score: number;
  parts: NonNullable<Hit['parts']>;
}

function partsOf(candidate: Candidate, plan: TextPlan, hasWords: boolean, unit: Float32Array): ScoredCandidate['parts'] {
  const matches = hasWords && isMatch([candidate.match], candidate.match.segment, candidate.doc);
  return { words: matches ? scoreOf(rankOf(candidate, plan), plan) : 0, vector: vectorScore(candidate.match, candidate.doc, unit) };
}

function hitOf(
  { candidate, score, parts }: ScoredCandidate,
  snapshot: IndexSnapshot,
  query: Query,
  plan: TextPlan,
  hasWords: boolean,
): Hit {
  const hit: Hit = { id: idOf(candidate), score, parts };
  if (query.matches && hasWords) hit.matchedTerms = matchedTerms(candidate, snapshot.schema, query.matches, plan);
  return hit;
}

/** A document near a vector. The score is the cosine scaled to 0..1. */
interface Neighbour {
  match: SegmentMatch;
  doc: number;
  score: number;
}

/** With 1-bit codes, this many times the wanted neighbours are selected by code and then compared by their full vectors. */
const rescoreFactor = 20;
const minRescored = 400;

/** Returns the `wanted` nearest documents among the matches, nearest first; ties are in order of segment and document. */
function nearest(matches: readonly SegmentMatch[], vector: Float32Array, wanted: number): Neighbour[] {
  const unit = normalised(vector);
  const found = matches.flatMap((match) => (match.segment.vectors ? nearestIn(match, unit, wanted) : []));
  return found.sort((a, b) => b.score - a.score).slice(0, wanted);
}

function normalised(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  const scale = 1 / Math.sqrt(squares);
  return vector.map((each) => each * scale);
}

function nearestIn(match: SegmentMatch, unit: Float32Array, wanted: number): Neighbour[] {
  const rows = match.segment.vectors!.codes
    ? closestRowsByCode(match, unit, Math.max(wanted * rescoreFactor, minRescored))
    : matchingRows(match);
  const documents = match.segment.vectors!.documents >>> 2;
  const scored = Array.from(rows, (row) => ({ match, doc: match.segment.u32[documents + row]!, score: scoreOfRow(match, row, unit) }));
  return scored.sort((a, b) => b.score - a.score || a.doc - b.doc).slice(0, wanted);
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

/** The distance of rows that do not match: farther than any vector can be. */
const notMatching = 0xffff;

/**
 * Selects the rows whose codes differ from the query in the fewest bits, by a counting sort. Plain loops over typed arrays: with a million
 * vectors, a list of the matching rows would take longer than comparing all codes.
 */
function closestRowsByCode(match: SegmentMatch, unit: Float32Array, most: number): Uint32Array {
  const { segment } = match;
  const { count, codes, dimension, documents } = segment.vectors!;
  const { at, bytes } = codes!;
  const query = segment.scratch.bytes(bytes);
  const out = segment.scratch.bytes(count * 2);
  segment.u8.fill(0, query, query + bytes);
  quantise(unit, segment.u8.subarray(query, query + bytes));
  segment.kernels.hamming(query, at, count, bytes / 16, out);
  const distances = segment.u16.subarray(out >>> 1, (out >>> 1) + count);
  const owners = segment.u32.subarray(documents >>> 2, (documents >>> 2) + count);
  const matching = segment.u32.subarray(match.matches >>> 2, (match.matches >>> 2) + segment.blocks * 4);
  const counts = new Uint32Array(dimension + 2);
  for (let row = 0; row < count; row++) {
    const doc = owners[row]!;
    if (((matching[doc >>> 5]! >>> (doc & 31)) & 1) === 1) counts[distances[row]! + 1]!++;
    else distances[row] = notMatching;
  }
  let limit = 0;
  let sum = 0;
  while (limit <= dimension && sum < most) sum += counts[++limit]!;
  const rows = new Uint32Array(sum);
  let found = 0;
  for (let row = 0; row < count; row++) if (distances[row]! < limit) rows[found++] = row;
  return rows.subarray(0, found);
}

function scoreOfRow(match: SegmentMatch, row: number, unit: Float32Array): number {
  const vector = vectorRow(match.segment, row);
  let product = 0;
  for (let at = 0; at < unit.length; at++) product += unit[at]! * vector[at]!;
  return Math.min(1, Math.max(0, (1 + product) / 2));
}

/** Returns the score of one document, 0 when it has no vector. */
function vectorScore(match: SegmentMatch, doc: number, unit: Float32Array): number {
  const row = rowOfDocument(match, doc);
  return row < 0 ? 0 : scoreOfRow(match, row, unit);
}

function rowOfDocument({ segment }: Pick<SegmentMatch, 'segment'>, doc: number): number {
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
