import type { IndexSnapshot } from '../../segment/types.ts';
import type { Hit, Query, Schema, SearchResult } from '../../types.ts';
import { type Candidate, type CellPart, createCell, type RankingRule } from '../cells/types.ts';
import { collectPage, type PageCollector } from '../cells/walk.ts';
import type { SegmentMatch } from '../match.ts';
import { matchedTerms } from '../matched-terms.ts';
import type { Deadline, TextPlan } from '../plan.ts';
import { distanceOf, distanceRule } from './distance-rule.ts';
import { fieldRule } from './field-rule.ts';
import { idOf, idRule } from './id-rule.ts';
import { scoreOf } from './rank.ts';
import { rankCandidates, rankOf } from './rank-kernel.ts';
import { decodeSearchCursor, encodeSearchCursor } from './sort-values.ts';
import { textRankRule, typoRule, wordsRule } from './text-rules.ts';

export const defaultLimit = 20;

export function rankedHits(
  snapshot: IndexSnapshot,
  query: Query,
  plan: TextPlan,
  matches: readonly SegmentMatch[],
  deadline: Deadline,
): Pick<SearchResult, 'hits' | 'after'> {
  const { candidates, rules, hasMore } = rankedCandidates(snapshot, query, plan, matches, deadline);
  const last = candidates.at(-1);
  const lastValues = last && hasMore ? rules.map((rule) => rule.sortValue(last)) : null;
  return {
    hits: candidates.map((candidate) => hitOf(candidate, snapshot.schema, query, plan)),
    after: lastValues && encodeSearchCursor(query, lastValues),
  };
}

/** Returns the requested page in order, the rules of that order, and whether another page follows. */
export function rankedCandidates(
  snapshot: IndexSnapshot,
  query: Query,
  plan: TextPlan,
  matches: readonly SegmentMatch[],
  deadline: Deadline,
): { candidates: Candidate[]; rules: RankingRule[]; hasMore: boolean } {
  const rules = rankingRules(snapshot.schema, query, plan, deadline);
  const cursor = query.after === undefined ? null : decodeSearchCursor(query, query.after, rules.length);
  const limit = query.limit ?? defaultLimit;
  // One hit more than requested shows whether another page follows.
  const collector: PageCollector = { skip: cursor ? 0 : (query.offset ?? 0), remaining: limit === 0 ? 0 : limit + 1, hits: [] };
  const parts = matches
    .filter((match) => match.count > 0)
    .map((match): CellPart => ({ match, bitmap: match.matches, list: null, count: match.count }));
  collectPage(createCell(parts, null), rules, 0, cursor, collector);
  const candidates = collector.hits.slice(0, limit);
  rankCandidates(candidates, plan);
  return { candidates, rules, hasMore: collector.hits.length > limit };
}

function rankingRules(schema: Schema, query: Query, plan: TextPlan, deadline: Deadline): RankingRule[] {
  const rules: RankingRule[] = (query.sort ?? []).map((key) => {
    const descending = key.order === 'desc';
    if ('geo' in key) return distanceRule(key.geo, descending);
    const number = schema.number.indexOf(key.field);
    return number >= 0 ? fieldRule('number', number, descending) : fieldRule('string', schema.sortable.indexOf(key.field), descending);
  });
  if (plan.words.length > 0) {
    if (plan.allowsMissingWords && plan.plainWords.length > 1) rules.push(wordsRule(plan));
    rules.push(typoRule(plan), textRankRule(plan, deadline));
  }
  if (query.tieBreak) rules.push(fieldRule('number', schema.number.indexOf(query.tieBreak.field), query.tieBreak.order === 'desc'));
  rules.push(idRule);
  return rules;
}

export function hitOf(candidate: Candidate, schema: Schema, query: Query, plan: TextPlan): Hit {
  const score = plan.words.length === 0 ? 1 : scoreOf(rankOf(candidate, plan), plan);
  const hit: Hit = { id: idOf(candidate), score };
  const byDistance = query.sort?.find((key) => 'geo' in key);
  const distance = byDistance ? distanceOf(candidate, byDistance.geo) : null;
  if (distance !== null) hit.distance = distance;
  if (query.matches) hit.matchedTerms = matchedTerms(candidate, schema, query.matches, plan);
  return hit;
}
