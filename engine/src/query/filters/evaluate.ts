// biome-ignore-all lint/style/noNonNullAssertion: the filter was validated against the schema, and offsets come from verified segment sections
import type { Segment } from '../../segment/types.ts';
import type { Filter, Schema } from '../../types.ts';
import { filterBox, filterRadius } from './geo.ts';
import { emptyBitmap, fillExisting, fillRange, fillValues, filterScope, indexOfString } from './values.ts';

/** Evaluates a validated filter on one segment. Returns a bitmap in the query's scratch memory, which may include deleted documents. */
export function filterBitmap(segment: Segment, schema: Schema, filter: Filter): number {
  if ('and' in filter) return combine(segment, schema, filter.and, 'and');
  if ('or' in filter) return combine(segment, schema, filter.or, 'or');
  if ('not' in filter) {
    const inner = filterBitmap(segment, schema, filter.not);
    segment.kernels.andNot(inner, segment.live, inner, segment.blocks);
    return inner;
  }
  const bitmap = emptyBitmap(segment);
  if (isCacheable(filter)) fillCached(segment, filter, bitmap, () => fillLeaf(segment, schema, filter, bitmap));
  else fillLeaf(segment, schema, filter, bitmap);
  return bitmap;
}

type Leaf = Exclude<Filter, { and: Filter[] } | { or: Filter[] } | { not: Filter }>;

function fillLeaf(segment: Segment, schema: Schema, filter: Leaf, bitmap: number): void {
  if ('eq' in filter) fillValues(segment, schema, filter.eq[0], [filter.eq[1]], bitmap);
  else if ('in' in filter) fillValues(segment, schema, filter.in[0], filter.in[1], bitmap);
  else if ('range' in filter) fillRange(segment, segment.numbers[schema.number.indexOf(filter.range[0])]!, filter.range[1], bitmap);
  else if ('exists' in filter) fillExisting(segment, schema, filter.exists, bitmap);
  else if ('geoRadius' in filter) filterRadius(segment, filter.geoRadius, bitmap);
  else if ('geoBox' in filter) filterBox(segment, filter.geoBox, bitmap);
  else filterScope(segment, filter.scope, bitmap);
}

function combine(segment: Segment, schema: Schema, parts: readonly Filter[], how: 'and' | 'or'): number {
  const { kernels, blocks, scratch } = segment;
  const result = emptyBitmap(segment);
  if (how === 'and') kernels.or(result, result, segment.live, blocks);
  for (const part of parts) {
    const stored = storedBitmap(segment, schema, part);
    const bitmap = stored ?? filterBitmap(segment, schema, part);
    kernels[how](result, result, bitmap, blocks);
    if (stored === null) scratch.release(bitmap);
  }
  return result;
}

/** Returns the read-only bitmap that the segment stores for a frequent keyword value, or null. */
function storedBitmap(segment: Segment, schema: Schema, filter: Filter): number | null {
  if (!('eq' in filter) || typeof filter.eq[1] !== 'string') return null;
  const column = segment.keywords[schema.keyword.findIndex(({ name }) => name === filter.eq[0])];
  const dense = column ? column.dense.indexOf(indexOfString(column.strings, filter.eq[1].toWellFormed()) + 1) : -1;
  return dense < 0 ? null : column!.bitmaps + dense * segment.bitmapBytes;
}

/**
 * Caches, per segment, the bitmaps of expensive filters that recur: access scopes come with every query. Segments are immutable and cached
 * filters ignore deletes, so entries never expire; the least recently used is evicted.
 */
const maxCached = 12;
const manyValues = 8;
const cache = new WeakMap<Segment, Map<string, Uint32Array>>();

function isCacheable(filter: Filter): boolean {
  if ('scope' in filter) return filter.scope.length > 0 && !filter.scope.includes('');
  if ('in' in filter) return filter.in[1].length > manyValues;
  return 'range' in filter || 'geoRadius' in filter || 'geoBox' in filter;
}

/** Fills an empty bitmap from the cache, or by `fill` on a miss. */
function fillCached(segment: Segment, filter: Filter, bitmap: number, fill: () => void): void {
  const own = cache.get(segment) ?? new Map<string, Uint32Array>();
  cache.set(segment, own);
  // JSON cannot represent infinite bounds, so they become strings in the key.
  const key = JSON.stringify(filter, (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value));
  const start = bitmap >>> 2;
  const cached = own.get(key);
  own.delete(key);
  if (cached) {
    segment.u32.set(cached, start);
    own.set(key, cached);
    return;
  }
  fill();
  if (own.size >= maxCached) own.delete(own.keys().next().value!);
  own.set(key, segment.u32.slice(start, start + segment.blocks * 4));
}
