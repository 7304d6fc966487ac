import type { Segment } from '../segment/open-segment.ts';
import type { Filter } from '../types.ts';

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
