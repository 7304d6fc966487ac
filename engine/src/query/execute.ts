import type { View } from '../segment/types.ts';
import type { SearchResult, Query } from '../types.ts';
import { foldText, prefixRange } from '../text/index.ts';
import { matchSegment } from './match.ts';
import { startDeadline, planText } from './plan.ts';
import { countFacets } from './facets.ts';
import { countNumbers } from './stats.ts';
import { rankedHits, defaultLimit, hitOf, rankedEntries } from './ranking/page.ts';
import type { Mark, MarkOrder } from './ranking/sort-values.ts';
import { searchVectors } from './vectors.ts';

/** Answers a checked query on a view. */
export function searchView(view: View, query: Query): SearchResult {
  const byVector = query.likeId !== undefined || (query.vector !== undefined && query.vector.ratio > 0);
  return byVector ? searchVectors(view, query) : searchWords(view, query);
}

/** Answers a checked query by words, filters and sorting. */
export function searchWords(view: View, query: Query): SearchResult {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const plan = planText(view.schema, query);
  const matches = view.segments.map((segment) => matchSegment(segment, view.schema, plan, query.filter, deadline));
  try {
    return {
      ...rankedHits(view, query, plan, matches, deadline),
      total: matches.reduce((sum, match) => sum + match.count, 0),
      facets: countFacets(matches, view.schema, query.facets),
      ...countNumbers(matches, view.schema, query),
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}

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

const mostLooked = 20_000;

/** Terms of the index that begin with what was typed, those in most documents first. */
export function suggestTerms(view: View, word: string, limit: number): string[] {
  const prefix = foldText(word.trim().toWellFormed());
  if (prefix === '' || limit <= 0) return [];
  const sums = new Map<string, number>();
  for (const segment of view.segments) {
    const { dictionary, u32 } = segment;
    const { from, to } = prefixRange(dictionary, prefix);
    const offsets = segment.postingOffsets >>> 2;
    const text = Buffer.from(dictionary.bytes.buffer, dictionary.bytes.byteOffset, dictionary.bytes.byteLength);
    // The bytes of a term's postings stand for the number of its documents.
    let places = Array.from({ length: Math.min(to - from, mostLooked) }, (_, at) => from + at);
    const weight = (place: number) => u32[offsets + place + 1]! - u32[offsets + place]!;
    places = places.sort((a, b) => weight(b) - weight(a) || a - b).slice(0, limit * 4);
    for (const place of places) {
      const term = text.toString('utf8', dictionary.offsets[place]!, dictionary.offsets[place + 1]!);
      sums.set(term, (sums.get(term) ?? 0) + weight(place));
    }
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term);
}
