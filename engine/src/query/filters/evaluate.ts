import type { Segment } from '../../segment/types.ts';
import type { Filter, Schema } from '../../types.ts';
import { filterBox, filterRadius } from './geo.ts';
import { emptyBitmap, fillExisting, fillRange, fillValues, filterScope, placeOfString } from './values.ts';

/** The documents of a segment that pass a checked filter, alive or not: a bitmap of the query's scratch. */
export function filterBitmap(segment: Segment, schema: Schema, filter: Filter): number {
  if ('and' in filter) return combine(segment, schema, filter.and, 'and');
  if ('or' in filter) return combine(segment, schema, filter.or, 'or');
  if ('not' in filter) {
    const inner = filterBitmap(segment, schema, filter.not);
    segment.kernels.andNot(inner, segment.live, inner, segment.blocks);
    return inner;
  }
  const bitmap = emptyBitmap(segment);
  if (isWorthKeeping(filter)) fillOnce(segment, filter, bitmap, () => fillLeaf(segment, schema, filter, bitmap));
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
    const held = heldBitmap(segment, schema, part);
    const bitmap = held ?? filterBitmap(segment, schema, part);
    kernels[how](result, result, bitmap, blocks);
    if (held === null) scratch.release(bitmap);
  }
  return result;
}

/** The bitmap of a frequent value, which the segment holds; it is only read. */
function heldBitmap(segment: Segment, schema: Schema, filter: Filter): number | null {
  if (!('eq' in filter) || typeof filter.eq[1] !== 'string') return null;
  const column = segment.keywords[schema.keyword.findIndex(({ name }) => name === filter.eq[0])];
  const dense = column ? column.dense.indexOf(placeOfString(column.strings, filter.eq[1].toWellFormed()) + 1) : -1;
  return dense < 0 ? null : column!.bitmaps + dense * segment.bitmapBytes;
}

/**
 * Bitmaps of filters that cost much and come again: who may see which folders is asked with every question. A segment never changes,
 * so neither does the bitmap of a filter that does not look at which documents are alive. The least recently used is dropped.
 */
const mostKept = 12;
const manyValues = 8;
const kept = new WeakMap<Segment, Map<string, Uint32Array>>();

export function isWorthKeeping(filter: Filter): boolean {
  if ('scope' in filter) return filter.scope.length > 0 && !filter.scope.includes('');
  if ('in' in filter) return filter.in[1].length > manyValues;
  return 'range' in filter || 'geoRadius' in filter || 'geoBox' in filter;
}

/** Fills an empty bitmap by `fill`, or with what it was filled with before. */
export function fillOnce(segment: Segment, filter: Filter, bitmap: number, fill: () => void): void {
  const own = kept.get(segment) ?? new Map<string, Uint32Array>();
  kept.set(segment, own);
  // JSON has no infinity; a bound may have.
  const key = JSON.stringify(filter, (_, value: unknown) => (typeof value === 'number' && !Number.isFinite(value) ? `${value}` : value));
  const start = bitmap >>> 2;
  const known = own.get(key);
  own.delete(key);
  if (known) {
    segment.u32.set(known, start);
    own.set(key, known);
    return;
  }
  fill();
  if (own.size >= mostKept) own.delete(own.keys().next().value!);
  own.set(key, segment.u32.slice(start, start + segment.blocks * 4));
}
