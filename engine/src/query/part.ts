import type { Answer, Hit, Query } from '../types.ts';
import { matchSegment } from './candidates.ts';
import type { Mark } from './cells.ts';
import { startDeadline } from './deadline.ts';
import { defaultLimit, hitOf, rankedEntries, type View } from './execute.ts';
import { countFacets } from './facets.ts';
import type { MarkOrder } from './mark-order.ts';
import { countHistograms, numberStats } from './numbers.ts';
import { planText } from './plan.ts';

/** What one thread finds in its share of the segments; merge-parts.ts makes the answer of all of them. */
export interface AnswerPart extends Pick<Answer, 'total' | 'stats' | 'histograms' | 'degraded' | 'tookMs'> {
  /** The first `offset + limit` of the share, with the marks by which they are ordered. */
  hits: Hit[];
  marks: Mark[][];
  orders: MarkOrder[];
  more: boolean;
  /** Every value that occurs, not just the most frequent: those of all shares together may be others. */
  facets: Record<string, { values: string[]; counts: number[] }>;
  /** Fields with more values than are worth handing over. Then the question is answered by one thread. */
  wide: string[];
}

export const mostFacetValues = 4096;

export function searchPart(view: View, query: Query, share: readonly number[]): AnswerPart {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const plan = planText(view.schema, query);
  const own: View = { ...view, segments: share.map((index) => view.segments[index]!) };
  const limit = (query.after === undefined ? (query.offset ?? 0) : 0) + (query.limit ?? defaultLimit);
  const matches = own.segments.map((segment) => matchSegment(segment, view.schema, plan, query.filter, deadline));
  try {
    const { entries, stages, more } = rankedEntries(own, { ...query, offset: 0, limit }, plan, matches, deadline);
    const all = (query.facets ?? []).map((facet) => ({
      ...(typeof facet === 'string' ? { field: facet } : facet),
      limit: mostFacetValues + 1,
    }));
    const counted = Object.entries(countFacets(matches, view.schema, all));
    return {
      hits: entries.map((entry) => hitOf(entry, view.schema, query, plan)),
      marks: entries.map((entry) => stages.map((stage) => stage.mark(entry))),
      orders: stages.map((stage) => stage.marks),
      more,
      total: matches.reduce((sum, match) => sum + match.count, 0),
      facets: Object.fromEntries(
        counted.map(([field, found]) => [field, { values: found.map(({ value }) => value), counts: found.map(({ count }) => count) }]),
      ),
      wide: counted.filter(([, found]) => found.length > mostFacetValues).map(([field]) => field),
      stats: numberStats(matches, view.schema, query.stats),
      histograms: countHistograms(matches, view.schema, query.histograms),
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}
