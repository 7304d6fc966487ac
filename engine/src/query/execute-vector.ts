import { EngineError } from '../errors.ts';
import { vectorRow } from '../segment/merge-segments.ts';
import type { SearchResult, Hit, Query } from '../types.ts';
import { matchSegment, type SegmentMatch } from './candidates.ts';
import type { Entry } from './cells.ts';
import { startDeadline } from './deadline.ts';
import { defaultLimit, rankedEntries, type View } from './execute.ts';
import { countFacets } from './facets.ts';
import { matchedTerms } from './matched-terms.ts';
import { countNumbers } from './numbers.ts';
import { placeOfString } from './ordinals.ts';
import { planText, type TextPlan } from './plan.ts';
import { scoreOf } from './rank.ts';
import { idOf } from './stage-id.ts';
import { rankOf } from './rank-kernel.ts';
import { nearest, normalised, rowOfDocument, vectorScore } from './vector-search.ts';

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
