import type { View } from '../../segment/types.ts';
import type { SearchResult, Hit, Query, Schema } from '../../types.ts';
import type { SegmentMatch } from '../match.ts';
import { type CellPart, cellOf, type Entry, type Stage } from '../cells/types.ts';
import type { Deadline, TextPlan } from '../plan.ts';
import { matchedTerms } from '../matched-terms.ts';
import { type Collector, walkCell } from '../cells/walk.ts';
import { type Mark, decodeCursor, encodeCursor } from './sort-values.ts';
import { scoreOf } from './rank.ts';
import { distanceStage } from './distance-rule.ts';
import { idOf, idStage } from './id-rule.ts';
import { keyStage } from './field-rule.ts';
import { rankEntries, rankOf } from './rank-kernel.ts';
import { standingStage, typoStage, wordsStage } from './text-rules.ts';

export const defaultLimit = 20;

export function rankedHits(
  view: View,
  query: Query,
  plan: TextPlan,
  matches: readonly SegmentMatch[],
  deadline: Deadline,
): Pick<SearchResult, 'hits' | 'after'> {
  const { entries, stages, more } = rankedEntries(view, query, plan, matches, deadline);
  const last = entries.at(-1);
  const marks = () => stages.map((stage): Mark => stage.mark(last!));
  return {
    hits: entries.map((entry) => hitOf(entry, view.schema, query, plan)),
    after: last && more ? encodeCursor(query, marks()) : null,
  };
}

/** The page asked for, in order, the rules of that order, and whether another page follows. */
export function rankedEntries(
  view: View,
  query: Query,
  plan: TextPlan,
  matches: readonly SegmentMatch[],
  deadline: Deadline,
): { entries: Entry[]; stages: Stage[]; more: boolean } {
  const stages = stagesOf(view.schema, query, plan, deadline);
  const cursor = query.after === undefined ? null : decodeCursor(query, query.after, stages.length);
  const limit = query.limit ?? defaultLimit;
  // One more than asked for tells whether another page follows.
  const collector: Collector = { skip: cursor ? 0 : (query.offset ?? 0), need: limit === 0 ? 0 : limit + 1, hits: [] };
  const parts = matches
    .filter((match) => match.count > 0)
    .map((match): CellPart => ({ match, bitmap: match.matches, list: null, count: match.count }));
  walkCell(cellOf(parts, null), stages, 0, cursor, collector);
  const entries = collector.hits.slice(0, limit);
  rankEntries(entries, plan);
  return { entries, stages, more: collector.hits.length > limit };
}

function stagesOf(schema: Schema, query: Query, plan: TextPlan, deadline: Deadline): Stage[] {
  const stages: Stage[] = (query.sort ?? []).map((key) => {
    const descending = key.order === 'desc';
    if ('geo' in key) return distanceStage(key.geo, descending);
    const number = schema.number.indexOf(key.field);
    return number >= 0 ? keyStage('number', number, descending) : keyStage('string', schema.sortable.indexOf(key.field), descending);
  });
  if (plan.words.length > 0) {
    if (plan.lastMayDrop && plan.plain.length > 1) stages.push(wordsStage(plan));
    stages.push(typoStage(plan), standingStage(plan, deadline));
  }
  if (query.tieBreak) stages.push(keyStage('number', schema.number.indexOf(query.tieBreak.field), query.tieBreak.order === 'desc'));
  stages.push(idStage);
  return stages;
}

export function hitOf(entry: Entry, schema: Schema, query: Query, plan: TextPlan): Hit {
  const score = plan.words.length === 0 ? 1 : scoreOf(rankOf(entry, plan), plan);
  const hit: Hit = { id: idOf(entry), score };
  if (entry.distance !== null) hit.distance = entry.distance;
  if (query.matches) hit.matchedTerms = matchedTerms(entry, schema, query.matches, plan);
  return hit;
}
