// biome-ignore-all lint/style/noNonNullAssertion: words, fields and documents are indexed within lengths known from the plan and the segment

import type { SegmentMatch } from '../match.ts';
import type { Rank } from '../ranking/rank.ts';
import type { SortValue, SortValueOrder } from '../ranking/sort-values.ts';

/**
 * A cell is a set of matching documents that are equal by every ranking rule applied so far.
 *
 * Ranking starts with one cell that holds all matches. Each rule splits a cell into smaller cells in rank order, but only where the
 * requested page needs it: cells before the page are skipped by their size, cells after it are never split. A small cell is sorted by
 * comparing its documents.
 */
export interface Cell {
  parts: CellPart[];
  count: number;
  /** The sum of word levels (RULES.md §3) that all its documents share, or null while unknown. */
  levelSum: number | null;
  /** The number of plain words that all its documents contain, or null while unknown. */
  wordCount?: number | null;
}

/** The documents of a cell in one segment, either as a bitmap or as an ascending list. */
export interface CellPart {
  match: SegmentMatch;
  bitmap: number | null;
  list: Uint32Array | null;
  count: number;
}

/** A document that is being ranked. `rank` and `id` are filled in when first needed. */
export interface Candidate {
  match: SegmentMatch;
  doc: number;
  rank: Rank | null;
  id: string | null;
}

export interface Split {
  cell: Cell;
  /** True when the documents of the cell still differ by this rule. Such a cell is small enough to be sorted by comparison. */
  needsSorting: boolean;
  /** Below 0 when the cell comes before the cursor, 0 when it has the cursor's value, above 0 when it comes after. */
  compareToCursor(cursorValue: SortValue): number;
}

/** One criterion of the result order: a sort key, a rule of RULES.md §4, or the document id. */
export interface RankingRule {
  /** Set when `split` does not read documents. It is then used for small cells too, so that only documents near the page are read. */
  splitsWithoutReading?: boolean;
  /** Called with all candidates about to be compared, for work that is cheaper in bulk. */
  prepare?(candidates: readonly Candidate[]): void;
  /** How the sort values of this rule are ordered. */
  valueOrder: SortValueOrder;
  compare(a: Candidate, b: Candidate): number;
  sortValue(candidate: Candidate): SortValue;
  compareToCursor(candidate: Candidate, cursorValue: SortValue): number;
  /** Splits a large cell in rank order into at least `wanted` documents, none before the value `from`. `next` is the following rule. */
  split(cell: Cell, wanted: number, from: SortValue | undefined, next: RankingRule | undefined): Iterable<Split>;
  /** Yields ascending documents of one segment in batches that follow the order of the rule. The order within a batch is arbitrary. */
  batchesInOrder?(match: SegmentMatch, documents: Uint32Array): Iterable<Uint32Array>;
}

/** A cell whose documents all have the same numeric sort value. */
export const uniformSplit = (cell: Cell, value: number): Split => ({
  cell,
  needsSorting: false,
  compareToCursor: (cursorValue) => value - (cursorValue as number),
});

export function createCell(parts: CellPart[], levels: number | null): Cell {
  const filled = parts.filter((part) => part.count > 0);
  return { parts: filled, count: filled.reduce((sum, part) => sum + part.count, 0), levelSum: levels };
}

export function partFromBitmap(match: SegmentMatch, bitmap: number): CellPart {
  return { match, bitmap, list: null, count: match.segment.kernels.popcount(bitmap, match.segment.blocks) };
}

export function partFromList(match: SegmentMatch, list: Uint32Array): CellPart {
  return { match, bitmap: null, list, count: list.length };
}

/** Returns the documents of a part in ascending order. */
export function listDocuments(part: CellPart): Uint32Array {
  if (part.list) return part.list;
  const { segment } = part.match;
  const out = segment.scratch.bytes(part.count * 4);
  segment.kernels.takeBits(part.bitmap!, segment.blocks, 0, part.count, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + part.count);
}

/** Returns the part as a bitmap, in the query's scratch memory if it has to be built. */
export function toBitmap(part: CellPart): number {
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
    return partFromList(
      part.match,
      part.list.filter((doc) => hasDocument(part.match, bitmap, doc)),
    );
  const both = segment.scratch.bitmap();
  return { match: part.match, bitmap: both, list: null, count: segment.kernels.andCount(both, part.bitmap!, bitmap, segment.blocks) };
}

export function subtract(part: CellPart, bitmap: number): CellPart {
  const { segment } = part.match;
  if (part.list)
    return partFromList(
      part.match,
      part.list.filter((doc) => !hasDocument(part.match, bitmap, doc)),
    );
  const rest = segment.scratch.bitmap();
  return { match: part.match, bitmap: rest, list: null, count: segment.kernels.andNotCount(rest, part.bitmap!, bitmap, segment.blocks) };
}

export function hasDocument(match: SegmentMatch, bitmap: number, doc: number): boolean {
  return ((match.segment.u32[(bitmap >>> 2) + (doc >>> 5)]! >>> (doc & 31)) & 1) === 1;
}
