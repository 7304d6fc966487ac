import type { Hit, Query, SearchResult } from '@catalog/engine';
import type { Db } from '../../platform/database/index.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { cursorKeyOf, decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import type { SearchReader } from '../engines/index.ts';
import { hitComparator } from './hit-order.ts';
import type { MeaningReport } from './meaning.ts';
import { type Partition, searchPartition } from './partitions.ts';
import type { SearchParams } from './schemas.ts';

/** What a cursor contains: the end of the previous page (`a`), the key of the query (`k`) and the time of the first page (`n`). */
interface PagePosition {
  k: string;
  a: string;
  n: number;
}

export function readPosition({ cursor, offset }: SearchParams): PagePosition | null {
  if (cursor !== undefined && offset !== undefined)
    throw fieldProblem(['query', 'offset'], 'Send either cursor or offset, not both.', 'cursor_and_offset');
  return decodeCursor(cursor, isPosition);
}

function isPosition(value: unknown): value is PagePosition {
  const { k, a, n } = (value ?? {}) as Partial<PagePosition>;
  return typeof k === 'string' && typeof a === 'string' && typeof n === 'number' && Math.abs(n) <= 8.64e15;
}

/** A cursor is valid only for the same parameters and rights; page size and facets may change. */
export function cursorKey(
  { cursor: _, limit: __, facets: ___, histograms: ____, offset: _____, ...params }: SearchParams,
  partitions: readonly Partition[],
): string {
  return cursorKeyOf([params, partitions]);
}

interface Page {
  counts: Omit<SearchResult, 'hits' | 'after'>;
  hits: Hit[];
  next_cursor: string | null;
}

export async function readPage(
  { db, reader, partitions, now }: { db: Db; reader: SearchReader; partitions: readonly Partition[]; now: Date },
  query: Query,
  { position, offset = 0, key }: { position: PagePosition | null; offset?: number | undefined; key: string },
): Promise<Page> {
  if (position && position.k !== key) throw problem('cursor_invalid');
  const cursor = (a: string | null): string | null => (a === null ? null : encodeCursor({ k: key, a, n: now.getTime() }));
  const [first, second] = partitions as [Partition, Partition?];
  if (query.vector) {
    const from = position ? offsetOf(position.a) : offset;
    const { counts, hits, next } = await readMixedPage(reader, partitions, query, from);
    return { counts, hits, next_cursor: cursor(next === null ? null : String(next)) };
  }
  if (!second) {
    const { hits, after, ...counts } = await searchPartition(reader, first, {
      ...query,
      ...(position ? { after: position.a } : { offset }),
    });
    return { counts, hits, next_cursor: cursor(after) };
  }
  const from = position ? readStarts(position.a) : offset === 0 ? [0, 0] : await splitOffset(db, reader, [first, second], query, offset);
  const { counts, hits, next } = await readMergedPage(db, reader, partitions, query, from);
  return { counts, hits, next_cursor: cursor(next && JSON.stringify(next)) };
}

/**
 * The query for the page at this position. Whether meaning counts may change between two pages, as a model loads or fails, but the cursors of
 * both orders differ: a list that began by words goes on by words, and one that began by meaning cannot.
 */
export function continueBy(
  position: PagePosition | null,
  query: Query,
  mixed: { query: Query; report: MeaningReport | null },
): { query: Query; report: MeaningReport | null } {
  if (!position || mixedOffset.test(position.a) === (mixed.query.vector !== undefined)) return mixed;
  if (!mixed.query.vector)
    throw problem('cursor_expired', 'Search by meaning is not available at the moment. Try again shortly, or start from the first page.');
  return { query, report: { applied: false, detail: 'The first page was found by words only, so this one is too.' } };
}

/** Hits by meaning have no end: every item is more or less similar. */
export const maxMixedHits = 1000;
const mixedOffset = /^\d{1,4}$/;

function offsetOf(encoded: string): number {
  const offset = mixedOffset.test(encoded) ? Number(encoded) : Number.NaN;
  if (!(offset <= maxMixedHits)) throw problem('cursor_invalid');
  return offset;
}

/** A page of a search by words and meaning: the index orders these by score and has no cursor for them. */
async function readMixedPage(
  reader: SearchReader,
  partitions: readonly Partition[],
  query: Query,
  offset: number,
): Promise<{ counts: Page['counts']; hits: Hit[]; next: number | null }> {
  const end = Math.min(maxMixedHits, offset + (query.limit ?? 20));
  const results = await Promise.all(
    partitions.map((partition) => searchPartition(reader, partition, { ...query, offset: 0, limit: Math.max(0, end) + 1 })),
  );
  const ranked = results.flatMap(({ hits }) => hits).sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const counts = mergeCounts(results, query.facets);
  return {
    // More are never listed, so that a client must not wait for them.
    counts: { ...counts, total: Math.min(counts.total, maxMixedHits) },
    hits: ranked.slice(offset, end),
    next: ranked.length > end && end < maxMixedHits && end > offset ? end : null,
  };
}

/** Where both partitions continue. The only number a cursor ever contains is 0. */
function readStarts(encoded: string): PartitionStart[] {
  try {
    const starts: unknown = JSON.parse(encoded);
    if (Array.isArray(starts) && starts.length === 2 && starts.every((each) => each === 0 || each === null || typeof each === 'string'))
      return starts as PartitionStart[];
  } catch {
    // Not JSON: rejected below like any other malformed cursor.
  }
  throw problem('cursor_invalid');
}

/** Values a facet shows; more are requested from each partition, so that the merged counts are complete. */
const shownValues = 100;
const requestedValues = 1000;

/** Adds up the counts of partitions, which do not overlap. */
function mergeCounts(results: readonly SearchResult[], requested: Query['facets'] = []): Omit<SearchResult, 'hits' | 'after'> {
  const [first, ...rest] = results as [SearchResult, ...SearchResult[]];
  if (rest.length === 0) return first;
  const facets: SearchResult['facets'] = {};
  for (const field of Object.keys(first.facets)) {
    const limited = requested.find((facet) => typeof facet === 'object' && facet.field === field) as { limit?: number } | undefined;
    const counts = new Map<string, number>();
    for (const { value, count } of results.flatMap((result) => result.facets[field] ?? []))
      counts.set(value, (counts.get(value) ?? 0) + count);
    facets[field] = [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, limited?.limit ?? shownValues);
  }
  const stats: SearchResult['stats'] = {};
  for (const field of Object.keys(first.stats)) {
    const each = results
      .map((result) => result.stats[field])
      .filter((stat) => stat !== undefined)
      .filter(({ count }) => count > 0);
    stats[field] = {
      min: Math.min(...each.map(({ min }) => min)),
      max: Math.max(...each.map(({ max }) => max)),
      sum: each.reduce((sum, one) => sum + one.sum, 0),
      count: each.reduce((sum, one) => sum + one.count, 0),
    };
  }
  const histograms = Object.fromEntries(
    Object.entries(first.histograms).map(([field, bars]) => [
      field,
      bars.map((_, at) => results.reduce((sum, result) => sum + (result.histograms[field]?.[at] ?? 0), 0)),
    ]),
  );
  return {
    total: results.reduce((sum, { total }) => sum + total, 0),
    facets,
    stats,
    histograms,
    degraded: results.some(({ degraded }) => degraded),
    tookMs: Math.max(...results.map(({ tookMs }) => tookMs)),
  };
}

/** Where a page starts in a partition: an offset, a cursor of the index, or null when the partition is exhausted. */
type PartitionStart = number | string | null;

interface MergedPage {
  counts: Omit<SearchResult, 'hits' | 'after'>;
  hits: Hit[];
  /** Where the next page starts in each partition; null when all are exhausted. */
  next: PartitionStart[] | null;
}

interface PartitionResult {
  partition: Partition;
  start: PartitionStart;
  result: SearchResult;
  /** How many of the hits are on the merged page. */
  taken: number;
}

/** Merges two sorted partitions into one page: both are read from where the previous page ended. */
async function readMergedPage(
  db: Db,
  reader: SearchReader,
  partitions: readonly Partition[],
  query: Query,
  starts: readonly PartitionStart[],
): Promise<MergedPage> {
  const limit = query.limit ?? 20;
  const facets = query.facets?.map((facet) => (typeof facet === 'string' ? { field: facet, limit: requestedValues } : facet));
  const sources: PartitionResult[] = await Promise.all(
    partitions.map(async (partition, at) => {
      const start = starts[at] ?? null;
      const result = await searchPartition(reader, partition, { ...query, ...(facets ? { facets } : {}), ...startParameters(start) });
      return { partition, start, result, taken: 0 };
    }),
  );
  const results = sources.map(({ result }) => result);
  const compare = await hitComparator(
    db,
    results.flatMap(({ hits }) => hits),
    query.sort ?? [],
  );
  const hits: Hit[] = [];
  while (hits.length < limit) {
    let best: { source: PartitionResult; head: Hit } | null = null;
    for (const source of sources) {
      const head = source.result.hits[source.taken];
      if (head && (best === null || compare(head, best.head) < 0)) best = { source, head };
    }
    if (best === null) break;
    hits.push(best.head);
    best.source.taken += 1;
  }
  const next = await Promise.all(sources.map((source) => nextStart(reader, source, query)));
  return { counts: mergeCounts(results, query.facets), hits, next: next.every((start) => start === null) ? null : next };
}

function startParameters(start: PartitionStart): Pick<Query, 'offset' | 'after' | 'limit'> {
  if (start === null) return { limit: 0 };
  return typeof start === 'number' ? { offset: start } : { after: start };
}

/** Where the next page starts. The index returns a cursor only for the end of a page, so a page used in part is read again up to there. */
async function nextStart(
  reader: SearchReader,
  { partition, start, result, taken }: PartitionResult,
  query: Query,
): Promise<PartitionStart> {
  if (start === null || (taken === 0 && result.hits.length === 0)) return null;
  if (taken === result.hits.length) return result.after;
  if (taken === 0 && (start === 0 || typeof start === 'string')) return start;
  const range = taken > 0 ? { ...startParameters(start), limit: taken } : { offset: Number(start) - 1, limit: 1 };
  return (await searchPartition(reader, partition, { ...hitsOnly(query), ...range })).after;
}

/** The same hits in the same order, without counts and matched terms. */
function hitsOnly(query: Query): Query {
  return { ...query, facets: [], stats: [], histograms: [], matches: [] };
}

/**
 * How many of the first `offset` hits are in each of two partitions. Binary search: at the right split no hit after it sorts before one in
 * front of it.
 */
async function splitOffset(
  db: Db,
  reader: SearchReader,
  [first, second]: readonly [Partition, Partition],
  query: Query,
  offset: number,
): Promise<[number, number]> {
  const plain = hitsOnly(query);
  const hitAt = async (partition: Partition, at: number): Promise<Hit | null> =>
    (await searchPartition(reader, partition, { ...plain, offset: at, limit: 1 })).hits[0] ?? null;
  const totalOf = async (partition: Partition) => (await searchPartition(reader, partition, { ...plain, limit: 0 })).total;
  const [firstTotal, secondTotal] = await Promise.all([totalOf(first), totalOf(second)]);
  let low = Math.max(0, Math.min(offset, firstTotal + secondTotal) - secondTotal);
  let high = Math.min(offset, firstTotal);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [next, last] = await Promise.all([hitAt(first, middle), hitAt(second, offset - middle - 1)]);
    const compare = await hitComparator(
      db,
      [next, last].filter((hit) => hit !== null),
      query.sort ?? [],
    );
    // The next hit of the first partition sorts before the last one taken from the second, so more of the first belong in front.
    if (next && last && compare(next, last) < 0) low = middle + 1;
    else high = middle;
  }
  return [low, offset - low];
}
