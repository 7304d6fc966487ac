import type { SearchResult, Query } from '../types.ts';
import { matchSegment } from './candidates.ts';
import type { Mark } from './cells.ts';
import { startDeadline } from './deadline.ts';
import { defaultLimit, hitOf, rankedEntries, type View } from './execute.ts';
import { countFacets } from './facets.ts';
import type { MarkOrder } from './mark-order.ts';
import { countNumbers } from './numbers.ts';
import { planText } from './plan.ts';

/** What one thread finds in its share of the segments; merge-parts.ts makes the answer of all of them. */
export interface AnswerPart extends Omit<SearchResult, 'after'> {
  /** Of the hits, which are the first `offset + limit` of the share. */
  marks: Mark[][];
  orders: MarkOrder[];
  more: boolean;
  /** The facets hold every value that occurs, as the most frequent of all shares may be others. These fields have more than are worth handing over. */
  wide: string[];
}

const mostFacetValues = 4096;

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
    const facets = countFacets(matches, view.schema, all);
    return {
      hits: entries.map((entry) => hitOf(entry, view.schema, query, plan)),
      marks: entries.map((entry) => stages.map((stage) => stage.mark(entry))),
      orders: stages.map((stage) => stage.marks),
      more,
      total: matches.reduce((sum, match) => sum + match.count, 0),
      facets,
      wide: Object.keys(facets).filter((field) => facets[field]!.length > mostFacetValues),
      ...countNumbers(matches, view.schema, query),
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}
