import { hash } from 'node:crypto';
import type { SearchResult, Hit, Query, SortKey } from '@catalog/engine';
import { sql } from 'kysely';
import { encodeCursor, decodeCursor } from '../../platform/schemas.ts';
import { problem, fieldProblem } from '../../platform/problem.ts';
import type { Db } from '../../platform/database/index.ts';
import type { SearchReader } from '../engines/index.ts';
import type { SearchParams } from './schemas.ts';
import { searchPartition, type Partition } from './partitions.ts';
import { foldText } from './highlight.ts';

/** Where a page begins: behind the last hit of the page before (`a`), under the question (`k`) and the moment (`n`) of the first page. */
export interface PagePosition {
  k: string;
  a: string;
  n: number;
}

export function readPosition({ cursor, offset }: SearchParams): PagePosition | null {
  if (cursor !== undefined && offset !== undefined)
    throw fieldProblem(['query', 'offset'], 'A page begins at a cursor or at an offset, not at both.', 'cursor_and_offset');
  return decodeCursor(cursor, isPosition);
}

function isPosition(value: unknown): value is PagePosition {
  const { k, a, n } = (value ?? {}) as Partial<PagePosition>;
  return typeof k === 'string' && typeof a === 'string' && typeof n === 'number' && Math.abs(n) <= 8.64e15;
}

/** A cursor belongs to one query of one caller: parameters and rights are part of it; how much is shown is not. */
export function cursorKey(
  { cursor: _, limit: __, facets: ___, histograms: ____, offset: _____, ...params }: SearchParams,
  partitions: readonly Partition[],
): string {
  return hash('sha256', JSON.stringify([params, partitions]), 'base64url').slice(0, 16);
}

export interface Page {
  counts: Omit<SearchResult, 'hits' | 'after'>;
  hits: Hit[];
  next_cursor: string | null;
}

export async function readPage(
  { db, reader, partitions, now }: { db: Db; reader: SearchReader; partitions: readonly Partition[]; now: Date },
  query: Query,
  { place, offset = 0, key }: { place: PagePosition | null; offset?: number | undefined; key: string },
): Promise<Page> {
  if (place && place.k !== key) throw problem('cursor_invalid');
  const cursor = (a: string | null): string | null => (a === null ? null : encodeCursor({ k: key, a, n: now.getTime() }));
  const [first, second] = partitions as [Partition, Partition?];
  if (!second) {
    const { hits, after, ...counts } = await searchPartition(reader, first, { ...query, ...(place ? { after: place.a } : { offset }) });
    return { counts, hits, next_cursor: cursor(after) };
  }
  const from = place ? readStarts(place.a) : offset === 0 ? [0, 0] : await splitOffset(db, reader, [first, second], query, offset);
  const { counts, hits, next } = await readMergedPage(db, reader, partitions, query, from);
  return { counts, hits, next_cursor: cursor(next && JSON.stringify(next)) };
}

/** Where both partitions go on. Of numbers only the very beginning is ever written into a cursor. */
function readStarts(written: string): PartitionStart[] {
  try {
    const begins: unknown = JSON.parse(written);
    if (Array.isArray(begins) && begins.length === 2 && begins.every((each) => each === 0 || each === null || typeof each === 'string'))
      return begins as PartitionStart[];
  } catch {
    // falls through to the problem below
  }
  throw problem('cursor_invalid');
}

/** Values a facet shows at most; partitions are asked for more, so that what is common to both is counted whole. */
const shownValues = 100;
const requestedValues = 1000;

/** The counts of several partitions as one: they do not overlap, so everything adds up. */
export function mergeCounts(answers: readonly SearchResult[]): Omit<SearchResult, 'hits' | 'after'> {
  const [first, ...rest] = answers as [SearchResult, ...SearchResult[]];
  if (rest.length === 0) return first;
  const facets: SearchResult['facets'] = {};
  for (const field of Object.keys(first.facets)) {
    const counts = new Map<string, number>();
    for (const { value, count } of answers.flatMap((answer) => answer.facets[field] ?? []))
      counts.set(value, (counts.get(value) ?? 0) + count);
    facets[field] = [...counts]
      .map(([value, count]) => ({ value, count }))
      .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      .slice(0, shownValues);
  }
  const stats: SearchResult['stats'] = {};
  for (const field of Object.keys(first.stats)) {
    const each = answers.map((answer) => answer.stats[field]!).filter(({ count }) => count > 0);
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
      bars.map((_, at) => answers.reduce((sum, answer) => sum + (answer.histograms[field]?.[at] ?? 0), 0)),
    ]),
  );
  return {
    total: answers.reduce((sum, { total }) => sum + total, 0),
    facets,
    stats,
    histograms,
    degraded: answers.some(({ degraded }) => degraded),
    tookMs: Math.max(...answers.map(({ tookMs }) => tookMs)),
  };
}

/** Where a page begins in a partition: so many hits on, behind the hit that a cursor of the index names, or nowhere: the partition is at its end. */
export type PartitionStart = number | string | null;

export interface MergedPage {
  counts: Omit<SearchResult, 'hits' | 'after'>;
  hits: Hit[];
  /** Where the next page begins in each partition; null when all are at their end. */
  next: PartitionStart[] | null;
}

/** One page over two partitions that each stand in order: both are read from where the page before ended, and the better head goes first. */
export async function readMergedPage(
  db: Db,
  reader: SearchReader,
  partitions: readonly Partition[],
  query: Query,
  starts: readonly PartitionStart[],
): Promise<MergedPage> {
  const limit = query.limit ?? 20;
  const facets = query.facets?.map((facet) => (typeof facet === 'string' ? { field: facet, limit: requestedValues } : facet));
  const answers = await Promise.all(
    partitions.map((partition, at) =>
      searchPartition(reader, partition, { ...query, ...(facets ? { facets } : {}), ...startParameters(starts[at]!) }),
    ),
  );
  const counts = mergeCounts(answers);
  const order = await hitComparator(
    db,
    answers.flatMap(({ hits }) => hits),
    query.sort ?? [],
  );
  const taken = partitions.map(() => 0);
  const hits: Hit[] = [];
  while (hits.length < limit) {
    let best = -1;
    for (const [at, answer] of answers.entries()) {
      const head = answer.hits[taken[at]!];
      if (head && (best < 0 || order(head, answers[best]!.hits[taken[best]!]!) < 0)) best = at;
    }
    if (best < 0) break;
    hits.push(answers[best]!.hits[taken[best]!]!);
    taken[best]! += 1;
  }
  const next = await Promise.all(
    partitions.map((partition, at) => nextStart(reader, partition, query, { begin: starts[at]!, taken: taken[at]!, answer: answers[at]! })),
  );
  return { counts, hits, next: next.every((begin) => begin === null) ? null : next };
}

function startParameters(begin: PartitionStart): Pick<Query, 'offset' | 'after' | 'limit'> {
  if (begin === null) return { limit: 0 };
  return typeof begin === 'number' ? { offset: begin } : { after: begin };
}

/** Behind the last hit taken of a partition. The index names only the end of a page, so a page that was taken in part is asked for once more. */
async function nextStart(
  reader: SearchReader,
  partition: Partition,
  query: Query,
  { begin, taken, answer }: { begin: PartitionStart; taken: number; answer: SearchResult },
): Promise<PartitionStart> {
  if (begin === null || (taken === 0 && answer.hits.length === 0)) return null;
  if (taken === answer.hits.length) return answer.after;
  if (taken === 0 && (begin === 0 || typeof begin === 'string')) return begin;
  const place = taken > 0 ? { ...startParameters(begin), limit: taken } : { offset: (begin as number) - 1, limit: 1 };
  return (await searchPartition(reader, partition, { ...hitsOnly(query), ...place })).after;
}

/** The same order without anything that is counted or marked. */
function hitsOnly(query: Query): Query {
  return { ...query, facets: [], stats: [], histograms: [], matches: [] };
}

/**
 * How many of the first `offset` hits lie in the first of two partitions. Found by halving: at the right split no hit before it stands behind
 * one after it.
 */
export async function splitOffset(
  db: Db,
  reader: SearchReader,
  partitions: readonly [Partition, Partition],
  query: Query,
  offset: number,
): Promise<[number, number]> {
  const plain = hitsOnly(query);
  const at = async (partition: Partition, place: number): Promise<Hit | null> =>
    (await searchPartition(reader, partition, { ...plain, offset: place, limit: 1 })).hits[0] ?? null;
  const totals = await Promise.all(
    partitions.map(async (partition) => (await searchPartition(reader, partition, { ...plain, limit: 0 })).total),
  );
  let low = Math.max(0, Math.min(offset, totals[0]! + totals[1]!) - totals[1]!);
  let high = Math.min(offset, totals[0]!);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [mine, theirs] = await Promise.all([at(partitions[0], middle), at(partitions[1], offset - middle - 1)]);
    const order = await hitComparator(
      db,
      [mine, theirs].filter((hit) => hit !== null),
      query.sort ?? [],
    );
    // My next one stands before the last one taken of the others: more of mine belong in front.
    if (mine && theirs && order(mine, theirs) < 0) low = middle + 1;
    else high = middle;
  }
  return [low, offset - low];
}

interface OrderRow {
  id: string;
  size: number;
  mtime: number;
  year: number | null;
  title: string;
  filename: string;
  path: string;
}

/** The order of the index over hits of different partitions: sort keys, then score, then the newest, then id. */
async function hitComparator(db: Db, hits: readonly Hit[], sort: readonly SortKey[]): Promise<(a: Hit, b: Hit) => number> {
  const { rows } = await sql<OrderRow>`select id, size, (mtime_ns / 1000000000)::float8 as mtime, coalesce(user_year, year) as year,
      coalesce(user_title, title, filename) as title, filename, rel_path as path from items where id = any(${hits.map(({ id }) => id)}::uuid[])`.execute(
    db,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const now = Date.now() / 1000;
  const newest = (hit: Hit): number => {
    const mtime = byId.get(hit.id)?.mtime ?? 0;
    return mtime > now + 172_800 ? 0 : mtime;
  };
  const value = (key: SortKey, hit: Hit): string | number | null => {
    if ('geo' in key) return hit.distance ?? null;
    const row = byId.get(hit.id);
    if (!row) return null;
    if (key.field === 'mtime_sort') return newest(hit);
    if (key.field === 'title_sort') return foldText(row.title);
    if (key.field === 'filename_sort') return foldText(row.filename);
    if (key.field === 'path_sort') return foldText(row.path);
    return row[key.field as 'size' | 'mtime' | 'year'];
  };
  return (a, b) => {
    for (const key of sort) {
      const [x, y] = [value(key, a), value(key, b)];
      if (x === y) continue;
      if (x === null) return 1;
      if (y === null) return -1;
      return x < y === (key.order === 'asc') ? -1 : 1;
    }
    return b.score - a.score || newest(b) - newest(a) || (a.id < b.id ? -1 : 1);
  };
}
