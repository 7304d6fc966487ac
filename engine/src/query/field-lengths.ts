import type { Segment } from '../segment/open-segment.ts';
import type { TextPlan } from './plan.ts';

/**
 * The documents that have a searched field of as many tokens as the query has words: only these can hold a field that is the query. A
 * segment never changes, so neither do they; each bitmap is made when it is first wanted.
 */
const mostKept = 8;
const kept = new WeakMap<Segment, Map<string, Uint32Array>>();

/** A bitmap of the query's scratch. */
export function perhapsWhole(segment: Segment, { searched, words }: TextPlan): number {
  const own = kept.get(segment) ?? new Map<string, Uint32Array>();
  kept.set(segment, own);
  const { kernels, blocks, documents, forward, forwardStarts } = segment;
  const bitmap = segment.scratch.bitmap();
  const start = bitmap >>> 2;
  const key = `${searched}:${words.length}`;
  const known = own.get(key);
  own.delete(key);
  if (known) segment.u32.set(known, start);
  else {
    kernels.clear(bitmap, blocks);
    kernels.setLengths(bitmap, documents, forward, forwardStarts, searched, words.length);
    if (own.size >= mostKept) own.delete(own.keys().next().value!);
  }
  own.set(key, known ?? segment.u32.slice(start, start + blocks * 4));
  return bitmap;
}
