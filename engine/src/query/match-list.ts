import type { SegmentMatch } from './candidates.ts';

/** Documents of a segment as a list of u32 in the query's scratch. */
export interface DocumentList {
  at: number;
  count: number;
}

const known = new WeakMap<SegmentMatch, DocumentList>();

/** The matches of a segment in ascending order. Facets, statistics and histograms of a query use the same list. */
export function matchList(match: SegmentMatch): DocumentList {
  const found = known.get(match) ?? listOf(match, match.matches, match.count);
  known.set(match, found);
  return found;
}

export function listOf({ segment }: SegmentMatch, bitmap: number, count: number): DocumentList {
  const at = segment.scratch.bytes(count * 4);
  segment.kernels.takeBits(bitmap, segment.blocks, 0, count, at);
  return { at, count };
}
