// biome-ignore-all lint/style/noNonNullAssertion: callers check that the segment has vectors; rows are below their number

import { EngineError } from '../errors.ts';
import { vectorRow } from '../segment/columns.ts';
import type { IndexSnapshot } from '../segment/types.ts';
import type { Hit, Query, SearchResult } from '../types.ts';
import type { Candidate } from './cells/types.ts';
import { countFacets } from './facets.ts';
import { indexOfString } from './filters/values.ts';
import { matchSegment, type SegmentMatch } from './match.ts';
import { matchedTerms } from './matched-terms.ts';
import { nearest, normalised, rowOfDocument, vectorScore } from './nearest.ts';
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
  const unit = normalised(vector);
  const neighbours = nearest(passing, unit, wanted + 1).filter(
    ({ match, doc }) => !(source && match.segment === source.segment && doc === source.doc),
  );
  const near = neighbours.slice(0, wanted).map(({ match, doc }) => ({ segment: match.segment, doc }));
  const matches = hasWords
    ? snapshot.segments.map((segment) => matchSegment(segment, snapshot.schema, plan, query.filter, deadline))
    : passing;
  try {
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
