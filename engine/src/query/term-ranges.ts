import type { Segment } from '../segment/open-segment.ts';

/** Terms of a segment as `count` pairs (from, to) of places in its dictionary, ascending and apart: u32 in the query's scratch. */
export interface TermRanges {
  at: number;
  count: number;
}

/** Collects ranges whose number is not known before. It is used again by every question: an infix may be in thousands of terms. */
export interface RangeCollector {
  clear(): void;
  /** Ranges come in ascending order. */
  add(from: number, to: number): void;
  /** What was collected, in the segment's memory. */
  keep(segment: Segment): TermRanges;
}

export function createRangeCollector(): RangeCollector {
  let items = new Uint32Array(512);
  let length = 0;
  return {
    clear() {
      length = 0;
    },
    add(from, to) {
      if (length > 0 && items[length - 1] === from) {
        items[length - 1] = to;
        return;
      }
      if (length === items.length) {
        const grown = new Uint32Array(length * 2);
        grown.set(items);
        items = grown;
      }
      items[length++] = from;
      items[length++] = to;
    },
    keep(segment) {
      const at = segment.scratch.bytes(length * 4);
      const place = at >>> 2;
      const { u32 } = segment;
      for (let each = 0; each < length; each++) u32[place + each] = items[each]!;
      return { at, count: length >>> 1 };
    },
  };
}

/** One range; none when it is empty. */
export function rangeOf(segment: Segment, from: number, to: number): TermRanges {
  const at = segment.scratch.bytes(8);
  segment.u32[at >>> 2] = from;
  segment.u32[(at >>> 2) + 1] = to;
  return { at, count: to > from ? 1 : 0 };
}
