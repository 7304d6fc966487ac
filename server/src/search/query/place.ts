import { encodeCursor, decodeCursor } from '../../platform/schemas.ts';
import { problem, fieldProblem } from '../../platform/problem.ts';
import type { SearchResult, Hit, Query } from '@catalog/engine';
import { hash } from 'node:crypto';
import type { Db } from '../../platform/database/index.ts';

import type { SearchReader } from '../engines/index.ts';
import { type PartitionStart, readMergedPage, splitOffset } from './merge-shares.ts';
import type { SearchParams } from './schemas.ts';
import { searchPartition, type Partition } from './shares.ts';

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
  shares: readonly Partition[],
): string {
  return hash('sha256', JSON.stringify([params, shares]), 'base64url').slice(0, 16);
}

export interface Page {
  counts: Omit<SearchResult, 'hits' | 'after'>;
  hits: Hit[];
  next_cursor: string | null;
}

export async function readPage(
  { db, reader, shares, now }: { db: Db; reader: SearchReader; shares: readonly Partition[]; now: Date },
  query: Query,
  { place, offset = 0, key }: { place: PagePosition | null; offset?: number | undefined; key: string },
): Promise<Page> {
  if (place && place.k !== key) throw problem('cursor_invalid');
  const cursor = (a: string | null): string | null => (a === null ? null : encodeCursor({ k: key, a, n: now.getTime() }));
  const [first, second] = shares as [Partition, Partition?];
  if (!second) {
    const { hits, after, ...counts } = await searchPartition(reader, first, { ...query, ...(place ? { after: place.a } : { offset }) });
    return { counts, hits, next_cursor: cursor(after) };
  }
  const from = place ? readStarts(place.a) : offset === 0 ? [0, 0] : await splitOffset(db, reader, [first, second], query, offset);
  const { counts, hits, next } = await readMergedPage(db, reader, shares, query, from);
  return { counts, hits, next_cursor: cursor(next && JSON.stringify(next)) };
}

/** Where both shares go on. Of numbers only the very beginning is ever written into a cursor. */
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
