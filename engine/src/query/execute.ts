// biome-ignore-all lint/style/noNonNullAssertion: fields were validated against the schema, and indexes come from the same snapshot
import type { IndexSnapshot } from '../segment/types.ts';
import { caseFold, prefixRange } from '../text/index.ts';
import type { Query, SearchResult } from '../types.ts';
import { countFacets } from './facets.ts';
import { matchSegments } from './match.ts';
import { planText, startDeadline, type TextPlan } from './plan.ts';
import { defaultLimit, hitOf, rankedCandidates, rankedHits } from './ranking/page.ts';
import type { SortValue, SortValueOrder } from './ranking/sort-values.ts';
import { countNumbers } from './stats.ts';
import { searchVectors } from './vectors.ts';

/** Runs a validated query on a snapshot. */
export function searchSnapshot(snapshot: IndexSnapshot, query: Query): SearchResult {
  return isByVector(query) ? searchVectors(snapshot, query) : searchWords(snapshot, query);
}

export function isByVector({ likeId, vector }: Query): boolean {
  return likeId !== undefined || (vector !== undefined && vector.ratio > 0);
}

/** Runs a query of words, filters and sort keys. */
function searchWords(snapshot: IndexSnapshot, query: Query): SearchResult {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const plan = planText(snapshot.schema, query);
  const matches = matchSegments(snapshot.segments, snapshot.schema, plan, query.filter, deadline);
  const filter = filterAlone(query, plan);
  try {
    return {
      ...rankedHits(snapshot, query, plan, matches, deadline),
      total: matches.reduce((sum, match) => sum + match.count, 0),
      facets: countFacets(matches, snapshot.schema, query.facets, filter),
      ...countNumbers(matches, snapshot.schema, query, filter),
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}

const maxFilterText = 2000;

/** The filter as text when it alone decides what matches; null when there are words, or when it is too long to be kept. */
function filterAlone({ filter }: Query, { words, excludedWords, excludedPhrases }: TextPlan): string | null {
  if (words.length + excludedWords.length + excludedPhrases.length > 0) return null;
  const text = JSON.stringify(filter ?? null);
  return text.length <= maxFilterText ? text : null;
}

/** The result of one thread for its share of the segments. `mergePartialResults` combines the shares. */
export interface PartialResult extends Omit<SearchResult, 'after'> {
  /** The sort values of each hit. The hits are the first `offset + limit` of the share. */
  sortValues: SortValue[][];
  valueOrders: SortValueOrder[];
  hasMore: boolean;
  /**
   * Fields with so many facet values that merging shares would be slower than running the query on one thread. All other facets are
   * complete, because the most frequent values overall need not be the most frequent of one share.
   */
  wideFacets: string[];
}

const maxSharedFacetValues = 4096;

export function searchShare(snapshot: IndexSnapshot, query: Query, share: readonly number[]): PartialResult {
  const started = performance.now();
  const deadline = startDeadline(query.deadlineMs);
  const plan = planText(snapshot.schema, query);
  const own: IndexSnapshot = { ...snapshot, segments: share.map((index) => snapshot.segments[index]!) };
  const limit = (query.after === undefined ? (query.offset ?? 0) : 0) + (query.limit ?? defaultLimit);
  const matches = matchSegments(own.segments, snapshot.schema, plan, query.filter, deadline);
  try {
    const { candidates, rules, hasMore } = rankedCandidates(own, { ...query, offset: 0, limit }, plan, matches, deadline);
    const all = (query.facets ?? []).map((facet) => ({
      ...(typeof facet === 'string' ? { field: facet } : facet),
      limit: maxSharedFacetValues + 1,
    }));
    const filter = filterAlone(query, plan);
    const facets = countFacets(matches, snapshot.schema, all, filter);
    return {
      hits: candidates.map((candidate) => hitOf(candidate, snapshot.schema, query, plan)),
      sortValues: candidates.map((candidate) => rules.map((rule) => rule.sortValue(candidate))),
      valueOrders: rules.map((rule) => rule.valueOrder),
      hasMore,
      total: matches.reduce((sum, match) => sum + match.count, 0),
      facets,
      wideFacets: Object.keys(facets).filter((field) => facets[field]!.length > maxSharedFacetValues),
      ...countNumbers(matches, snapshot.schema, query, filter),
      degraded: deadline.passed(),
      tookMs: performance.now() - started,
    };
  } finally {
    for (const match of matches) match.release();
  }
}

const maxTermsRead = 20_000;

/** Terms of the index that start with the given text, most frequent first. */
export function suggestTerms(snapshot: IndexSnapshot, word: string, limit: number): string[] {
  const prefix = caseFold(word.trim().toWellFormed());
  if (prefix === '' || limit <= 0) return [];
  const sums = new Map<string, number>();
  for (const segment of snapshot.segments) {
    const { dictionary, u32 } = segment;
    const { from, to } = prefixRange(dictionary, prefix);
    const offsets = segment.postingOffsets >>> 2;
    const text = Buffer.from(dictionary.bytes.buffer, dictionary.bytes.byteOffset, dictionary.bytes.byteLength);
    // The size of a term's postings approximates its number of documents.
    let indexes = Array.from({ length: Math.min(to - from, maxTermsRead) }, (_, at) => from + at);
    const weight = (index: number) => u32[offsets + index + 1]! - u32[offsets + index]!;
    indexes = indexes.sort((a, b) => weight(b) - weight(a) || a - b).slice(0, limit * 4);
    for (const index of indexes) {
      const term = text.toString('utf8', dictionary.offsets[index]!, dictionary.offsets[index + 1]!);
      sums.set(term, (sums.get(term) ?? 0) + weight(index));
    }
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term);
}
