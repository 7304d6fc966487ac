// biome-ignore-all lint/style/noNonNullAssertion: callers check that the segment has vectors; rows are below their number

import { EngineError } from '../errors.ts';
import { rowOfDocument, vectorRow } from '../segment/columns.ts';
import { byCodeUnits } from '../segment/string-order.ts';
import type { IndexSnapshot } from '../segment/types.ts';
import type { Hit, Query, SearchResult } from '../types.ts';
import type { Candidate } from './cells/types.ts';
import { countFacets } from './facets.ts';
import { indexOfString } from './filters/values.ts';
import { matchSegments, type SegmentMatch } from './match.ts';
import { matchedTerms } from './matched-terms.ts';
import { endOfTies, nearest, normalised, vectorScore } from './nearest.ts';
import { type Deadline, planText, startDeadline, type TextPlan } from './plan.ts';
import { idOf } from './ranking/id-rule.ts';
import { defaultLimit, rankedCandidates } from './ranking/page.ts';
import { scoreOf } from './ranking/rank.ts';
import { rankOf } from './ranking/rank-kernel.ts';
import { countNumbers } from './stats.ts';
import type { RowShare } from './vector-candidates.ts';

/** Minimum number of neighbours considered in a mix of words and vectors, however short the page. */
const minNeighbours = 100;

/** A document near the vector of a query, as one thread passes it to another. */
export interface NearDocument {
  /** Position of the segment in the snapshot. */
  segment: number;
  doc: number;
  score: number;
}

/** The neighbours among a share of the rows. The nearest of all shares are the neighbours that `searchVectors` needs. */
export function nearestOfShare(snapshot: IndexSnapshot, query: Query, share: RowShare): NearDocument[] {
  const { vector, source } = vectorOf(snapshot, query);
  const matches = matchFilter(snapshot, query, startDeadline(query.deadlineMs));
  try {
    return neighboursOf(snapshot, matches, { vector, source, wanted: wantedNeighbours(query) }, share);
  } finally {
    for (const match of matches) match.release();
  }
}

/** The nearest documents of several shares, with all that are as near as the last. */
export function mergeNeighbours(query: Query, shares: readonly NearDocument[][]): NearDocument[] {
  const all = shares.flat().sort((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc);
  return all.slice(0, endOfTies(all, wantedNeighbours(query)));
}

/** Implements RULES.md §7: nearest by vector, or a mix of words and vectors. `found` are the neighbours if they are known. */
export function searchVectors(snapshot: IndexSnapshot, query: Query, found?: readonly NearDocument[]): SearchResult {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const { vector, source } = vectorOf(snapshot, query);
  const ratio = source ? 1 : query.vector!.ratio;
  const wordPlan = planText(snapshot.schema, query);
  const hasWords = ratio < 1 && wordPlan.words.length > 0;
  const plan = hasWords ? wordPlan : planText(snapshot.schema, {});
  const offset = query.offset ?? 0;
  const limit = query.limit ?? defaultLimit;
  const wanted = wantedNeighbours(query);

  // Neighbours need to pass the filter only; they need not match the words.
  const passing = found && hasWords ? [] : matchFilter(snapshot, query, deadline);
  const unit = normalised(vector);
  const neighbours = found ?? neighboursOf(snapshot, passing, { vector, source, wanted });
  const nearDocuments = firstById(snapshot, neighbours, wanted);
  const near = nearDocuments.map(({ segment, doc, score }) => ({ segment: snapshot.segments[segment]!, doc, score }));
  const matches = hasWords ? matchSegments(snapshot.segments, snapshot.schema, plan, query.filter, deadline) : passing;
  try {
    if (!hasWords) restrictToNeighbours(matches, near);
    const byWords = hasWords
      ? rankedCandidates(snapshot, { ...query, after: undefined, offset: 0, limit: wanted }, plan, matches, deadline).candidates
      : [];
    const candidates = [...byWords, ...near.flatMap(({ segment, doc }) => entryOf(matches, segment, doc, byWords))];
    const known = new Map(near.map(({ segment, doc, score }) => [keyOf(snapshot, segment, doc), score]));
    const scored = candidates.map((candidate) => {
      const { match, doc } = candidate;
      // The vectors of neighbours were compared before, and reading them again from disk takes time.
      const vectorPart = known.get(keyOf(snapshot, match.segment, doc)) ?? vectorScore(match, doc, unit);
      const parts = { words: wordScore(candidate, plan, hasWords), vector: vectorPart };
      return { candidate, parts, score: hasWords ? (1 - ratio) * parts.words + ratio * parts.vector : parts.vector };
    });
    scored.sort((a, b) => b.score - a.score || (idOf(a.candidate) < idOf(b.candidate) ? -1 : 1));
    const beyond = hasWords ? near.filter(({ segment, doc }) => !isMatch(matches, segment, doc)).length : 0;
    return {
      hits: scored.slice(offset, offset + limit).map((each) => hitOf(each, snapshot, query, plan, hasWords)),
      total: matches.reduce((sum, match) => sum + match.count, 0) + beyond,
      facets: countFacets(matches, snapshot.schema, query.facets, null),
      ...countNumbers(matches, snapshot.schema, query, null),
      after: null,
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}

interface SourceDocument {
  segment: SegmentMatch['segment'];
  doc: number;
}

const wantedNeighbours = ({ offset = 0, limit = defaultLimit }: Query): number => Math.max(minNeighbours, offset + limit + 1);

/** The vector of the query, and the document it was read from. */
function vectorOf(snapshot: IndexSnapshot, query: Query): { vector: Float32Array; source: SourceDocument | null } {
  if (query.likeId === undefined) return { vector: query.vector!.near, source: null };
  const { vector, ...source } = vectorOfId(snapshot, query.likeId);
  return { vector, source };
}

function matchFilter(snapshot: IndexSnapshot, query: Query, deadline: Deadline): SegmentMatch[] {
  const plan = planText(snapshot.schema, {});
  return matchSegments(snapshot.segments, snapshot.schema, plan, query.filter, deadline);
}

function neighboursOf(
  snapshot: IndexSnapshot,
  matches: readonly SegmentMatch[],
  { vector, source, wanted }: { vector: Float32Array; source: SourceDocument | null; wanted: number },
  share?: RowShare,
): NearDocument[] {
  // One more, because the source is among its own neighbours.
  return nearest(matches, normalised(vector), wanted + 1, share)
    .filter(({ match, doc }) => !(source && match.segment === source.segment && doc === source.doc))
    .map(({ match, doc, score }) => ({ segment: snapshot.segments.indexOf(match.segment), doc, score }));
}

/** The `wanted` nearest. Ids are read only where they decide which of equally near documents come first. */
function firstById({ segments }: IndexSnapshot, sorted: readonly NearDocument[], wanted: number): readonly NearDocument[] {
  const last = sorted[wanted - 1];
  const end = endOfTies(sorted, wanted);
  if (!last || end === wanted) return sorted.slice(0, wanted);
  const nearer = sorted.filter(({ score }) => score > last.score);
  const ties = sorted.slice(nearer.length, end).map((each) => ({ ...each, id: segments[each.segment]!.ids.get(each.doc) }));
  ties.sort((a, b) => byCodeUnits(a.id, b.id));
  return [...nearer, ...ties.slice(0, wanted - nearer.length)];
}

function vectorOfId(snapshot: IndexSnapshot, id: string): { vector: Float32Array; segment: SegmentMatch['segment']; doc: number } {
  for (const segment of snapshot.segments) {
    const doc = indexOfString(segment.ids, id);
    if (doc < 0 || ((segment.u32[(segment.live >>> 2) + (doc >>> 5)]! >>> (doc & 31)) & 1) === 0) continue;
    const row = rowOfDocument(segment, doc);
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
  return [{ match, doc, rank: null, id: null }];
}

interface ScoredCandidate {
  candidate: Candidate;
  score: number;
  parts: NonNullable<Hit['parts']>;
}

function wordScore(candidate: Candidate, plan: TextPlan, hasWords: boolean): number {
  const matches = hasWords && isMatch([candidate.match], candidate.match.segment, candidate.doc);
  return matches ? scoreOf(rankOf(candidate, plan), plan) : 0;
}

function keyOf({ segments }: IndexSnapshot, segment: SegmentMatch['segment'], doc: number): string {
  return `${segments.indexOf(segment)}:${doc}`;
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
