import type { Mark } from '../ranking/sort-values.ts';
import type { SegmentMatch } from '../match.ts';
import type { MarkOrder } from '../ranking/sort-values.ts';
import type { Rank } from '../ranking/rank.ts';

/**
 * Ranking divides the matches into cells: documents that are equal by every rule applied so far. A cell is split by the next rule only
 * when the page asked for lies in it; cells before the page are stepped over by their size, cells after it are never looked into.
 * A small cell is ordered by comparing its documents one by one.
 */
export interface Cell {
  parts: CellPart[];
  count: number;
  /** Sum of levels of all its documents, once that is known. */
  levels: number | null;
  /** How many plain words all its documents have, once that is known. */
  words?: number | null;
}

/** The documents of one segment: either a bitmap or an ascending list. */
export interface CellPart {
  match: SegmentMatch;
  bitmap: number | null;
  list: Uint32Array | null;
  count: number;
}

/** A document that is being compared with others. */
export interface Entry {
  match: SegmentMatch;
  doc: number;
  rank: Rank | null;
  id: string | null;
  distance: number | null;
}

export interface Split {
  cell: Cell;
  /** True when its documents still differ by this rule: a stretch of the order, small enough to be compared one by one. */
  mixed: boolean;
  /** Where the cell stands against a cursor's mark: before (below 0), the same, after. */
  against(mark: Mark): number;
}

/** One rule of the order. */
export interface Stage {
  /** It divides documents without reading them, so that of a small cell only those near the page need be read. */
  beforeReading?: boolean;
  /** Told which entries are about to be compared, so that what costs less for many at once is done for all. */
  prepare?(entries: readonly Entry[]): void;
  /** How its marks are ordered. */
  marks: MarkOrder;
  order(a: Entry, b: Entry): number;
  mark(entry: Entry): Mark;
  against(entry: Entry, mark: Mark): number;
  /** Divides a large cell in order; `wanted` documents are needed at least, none before the mark `from`. `next` is the rule after this one. */
  split(cell: Cell, wanted: number, from: Mark | undefined, next: Stage | undefined): Iterable<Split>;
  /** Ascending documents of a segment in the order of the rule, some at a time; within each of these they are in any order. */
  inOrder?(match: SegmentMatch, documents: Uint32Array): Iterable<Uint32Array>;
}

/** A cell whose documents are all equal by a rule over numbers. */
export const uniform = (cell: Cell, value: number): Split => ({ cell, mixed: false, against: (mark) => value - (mark as number) });

export function cellOf(parts: CellPart[], levels: number | null): Cell {
  const filled = parts.filter((part) => part.count > 0);
  return { parts: filled, count: filled.reduce((sum, part) => sum + part.count, 0), levels };
}

export function bitmapPart(match: SegmentMatch, bitmap: number): CellPart {
  return { match, bitmap, list: null, count: match.segment.kernels.popcount(bitmap, match.segment.blocks) };
}

export function listPart(match: SegmentMatch, list: Uint32Array): CellPart {
  return { match, bitmap: null, list, count: list.length };
}

/** The documents of a part, ascending. */
export function documentsOf(part: CellPart): Uint32Array {
  if (part.list) return part.list;
  const { segment } = part.match;
  const out = segment.scratch.bytes(part.count * 4);
  segment.kernels.takeBits(part.bitmap!, segment.blocks, 0, part.count, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + part.count);
}

/** The part as a bitmap of the query's scratch. */
export function asBitmap(part: CellPart): number {
  if (part.bitmap !== null) return part.bitmap;
  const { segment } = part.match;
  const bitmap = segment.scratch.bitmap();
  segment.kernels.clear(bitmap, segment.blocks);
  for (const doc of part.list!) segment.u32[(bitmap >>> 2) + (doc >>> 5)]! |= 1 << (doc & 31);
  return bitmap;
}

export function intersect(part: CellPart, bitmap: number): CellPart {
  const { segment } = part.match;
  if (part.list)
    return listPart(
      part.match,
      part.list.filter((doc) => hasBit(part.match, bitmap, doc)),
    );
  const both = segment.scratch.bitmap();
  return { match: part.match, bitmap: both, list: null, count: segment.kernels.andCount(both, part.bitmap!, bitmap, segment.blocks) };
}

export function without(part: CellPart, bitmap: number): CellPart {
  const { segment } = part.match;
  if (part.list)
    return listPart(
      part.match,
      part.list.filter((doc) => !hasBit(part.match, bitmap, doc)),
    );
  const rest = segment.scratch.bitmap();
  return { match: part.match, bitmap: rest, list: null, count: segment.kernels.andNotCount(rest, part.bitmap!, bitmap, segment.blocks) };
}

export function hasBit(match: SegmentMatch, bitmap: number, doc: number): boolean {
  return ((match.segment.u32[(bitmap >>> 2) + (doc >>> 5)]! >>> (doc & 31)) & 1) === 1;
}
