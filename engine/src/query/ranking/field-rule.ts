// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query

import { codesView } from '../../segment/columns.ts';
import { byCaseFold } from '../../segment/string-order.ts';
import type { OrderedColumn, Segment, StringColumn } from '../../segment/types.ts';
import {
  type Candidate,
  type Cell,
  type CellPart,
  createCell,
  hasDocument,
  listDocuments,
  partFromList,
  type RankingRule,
  type Split,
  toBitmap,
} from '../cells/types.ts';
import { orderLowerBound, ordinalAt, ordinalLowerBound, stringLowerBound } from '../filters/values.ts';
import type { SegmentMatch } from '../match.ts';
import { smallCell } from '../plan.ts';
import { compareSortValues, type SortValue } from './sort-values.ts';

/** Sorts by a number or string field; documents without a value come last in both directions. */
export function fieldRule(kind: 'number' | 'string', field: number, descending: boolean): RankingRule {
  const columnOf = (segment: Segment): OrderedColumn => (kind === 'number' ? segment.numbers[field]! : segment.sortables[field]!);
  const ordinalOf = ({ segment }: SegmentMatch, doc: number) => ordinalAt(segment, columnOf(segment), doc);
  const valueAt = (match: SegmentMatch, ordinal: number): number | string =>
    kind === 'number'
      ? match.segment.f64[(columnOf(match.segment).values >>> 3) + ordinal - 1]!
      : (columnOf(match.segment) as StringColumn).strings.get(ordinal - 1);
  const sign = descending ? -1 : 1;
  const numbers = descending ? 'descending' : 'ascending';
  const valueOrder = kind === 'number' ? numbers : descending ? 'text descending' : 'text ascending';
  const compareValues = (a: SortValue, b: SortValue): number => compareSortValues(valueOrder, a, b);
  const sortValue = ({ match, doc }: Candidate): SortValue => {
    const ordinal = ordinalOf(match, doc);
    return ordinal === 0 ? null : valueAt(match, ordinal);
  };
  /** The first ordinal at or after a value in sort direction. */
  const startOrdinal = (segment: Segment, value: number | string): number => {
    const column = columnOf(segment);
    if (kind === 'number')
      return descending
        ? ordinalLowerBound(segment, column, value as number, true) - 1
        : ordinalLowerBound(segment, column, value as number, false);
    const { strings } = column as StringColumn;
    const index = stringLowerBound(strings, value as string, byCaseFold);
    const same = index < strings.size && strings.get(index) === value;
    return descending && !same ? index : index + 1;
  };

  return {
    valueOrder,
    compare(a, b) {
      const left = ordinalOf(a.match, a.doc);
      const right = ordinalOf(b.match, b.doc);
      if (left === 0 || right === 0) return (left === 0 ? 1 : 0) - (right === 0 ? 1 : 0);
      return a.match === b.match ? sign * (left - right) : compareValues(valueAt(a.match, left), valueAt(b.match, right));
    },
    sortValue,
    compareToCursor: (candidate, other) => compareValues(sortValue(candidate), other),
    batchesInOrder: ({ segment }, documents) => batchesByValue(segment, columnOf(segment), documents, descending),
    *split(cell: Cell, wanted, from) {
      if (from !== null) {
        const iterators = cell.parts.map((part) => {
          const column = columnOf(part.match.segment);
          const start = from === undefined ? null : startOrdinal(part.match.segment, from);
          return createKeyIterator(part, column, descending, start, wanted, (ordinal) => valueAt(part.match, ordinal));
        });
        yield* mergeIterators(iterators, cell, wanted, compareValues);
      }
      const missing = cell.parts.map((part) =>
        partFromList(
          part.match,
          listDocuments(part).filter((doc) => ordinalOf(part.match, doc) === 0),
        ),
      );
      yield { cell: createCell(missing, cell.levelSum), needsSorting: false, compareToCursor: (other) => compareValues(null, other) };
    },
  };
}

const slices = 64;

/** Yields the documents in slices of the value range, documents without a value last. */
function* batchesByValue(segment: Segment, column: OrderedColumn, documents: Uint32Array, descending: boolean): Iterable<Uint32Array> {
  const ordinals = codesView(segment, column.ordinals, column.width);
  const width = Math.ceil((column.distinct + 1) / slices);
  const sliceOf = (doc: number) => {
    const ordinal = ordinals[doc]!;
    if (ordinal === 0) return slices;
    const slice = Math.floor(ordinal / width);
    return descending ? slices - 1 - slice : slice;
  };
  const ends = new Uint32Array(slices + 1);
  for (const doc of documents) ends[sliceOf(doc)]!++;
  for (let slice = 1; slice <= slices; slice++) ends[slice]! += ends[slice - 1]!;
  const starts = Uint32Array.from(ends, (_, slice) => (slice === 0 ? 0 : ends[slice - 1]!));
  const sorted = new Uint32Array(documents.length);
  const free = starts.slice();
  for (const doc of documents) sorted[free[sliceOf(doc)]!++] = doc;
  for (let slice = 0; slice <= slices; slice++) if (starts[slice]! < ends[slice]!) yield sorted.subarray(starts[slice], ends[slice]);
}

/** Iterates over the documents of one segment in sort order. */
export interface KeyIterator {
  part: CellPart;
  /** The ordinal of the current document; 0 past the end. */
  ordinal: number;
  doc: number;
  next(): void;
  value(): number | string;
  valueAt(ordinal: number): number | string;
}

function createKeyIterator(
  part: CellPart,
  column: OrderedColumn,
  descending: boolean,
  start: number | null,
  wanted: number,
  valueAt: (ordinal: number) => number | string,
): KeyIterator {
  const { match } = part;
  const { segment } = match;
  const step = descending ? -1 : 1;
  let known: { ordinal: number; value: number | string } | null = null;
  // Few documents are sorted; for many, the whole column order is walked and non-matching documents are skipped. Per wanted document the
  // walk skips about documents / count entries, and sorting costs about eight such steps per document.
  const few = part.list !== null || part.count * part.count * 8 < wanted * segment.documents;
  // A cursor can point anywhere in the order; without one, documents behind the page need not be sorted.
  const sorted = few ? sortByOrdinal(part, column, descending, start === null ? wanted : part.count) : null;
  const bitmap = few ? 0 : toBitmap(part);
  const length = sorted ? sorted.length : column.present;
  const docAt = (at: number) => (sorted ? sorted[at]! : segment.u32[(column.order >>> 2) + at]!);
  let at = descending ? length - 1 : 0;
  if (start !== null && !sorted)
    at = descending ? orderLowerBound(segment, column, start + 1) - 1 : orderLowerBound(segment, column, start);
  const iterator: KeyIterator = {
    part,
    ordinal: 0,
    doc: 0,
    next() {
      at += step;
      skipToMatch();
    },
    value() {
      if (known?.ordinal !== iterator.ordinal) known = { ordinal: iterator.ordinal, value: valueAt(iterator.ordinal) };
      return known.value;
    },
    valueAt,
  };
  const skipToMatch = () => {
    for (; at >= 0 && at < length; at += step) {
      const doc = docAt(at);
      if (!sorted && !hasDocument(match, bitmap, doc)) continue;
      iterator.doc = doc;
      iterator.ordinal = ordinalAt(segment, column, doc);
      if (start !== null && (descending ? iterator.ordinal > start : iterator.ordinal < start)) continue;
      return;
    }
    iterator.ordinal = 0;
  };
  skipToMatch();
  return iterator;
}

/** Returns documents in ascending key order: at least the `wanted` that come first in sort direction. */
function sortByOrdinal(part: CellPart, column: OrderedColumn, descending: boolean, wanted: number): Uint32Array {
  const documents = listDocuments(part);
  const ordinals = codesView(part.match.segment, column.ordinals, column.width);
  const keys = new Float64Array(documents.length);
  let present = 0;
  for (let at = 0; at < documents.length; at++) {
    const doc = documents[at]!;
    const ordinal = ordinals[doc]!;
    if (ordinal !== 0) keys[present++] = ordinal * 2 ** 32 + doc;
  }
  const found = firstKeys(keys.subarray(0, present), (column.distinct + 1) * 2 ** 32, descending, wanted).sort();
  const order = new Uint32Array(found.length);
  for (let at = 0; at < found.length; at++) order[at] = found[at]! % 2 ** 32;
  return order;
}

/** Returns the keys in those slices of the range that hold the first `wanted` keys. */
function firstKeys(keys: Float64Array, end: number, descending: boolean, wanted: number): Float64Array {
  if (keys.length < wanted * 4) return keys;
  // A slice must end where a value ends.
  const width = Math.ceil(end / 2 ** 32 / slices) * 2 ** 32;
  const counts = new Uint32Array(slices);
  for (const key of keys) counts[Math.floor(key / width)]!++;
  let slice = descending ? slices - 1 : 0;
  const step = descending ? -1 : 1;
  for (let sum = counts[slice]!; sum < wanted; sum += counts[slice]!) slice += step;
  const border = descending ? slice * width : (slice + 1) * width;
  return keys.filter((key) => (descending ? key >= border : key < border));
}

/** Merges the iterators into cells that end where a value ends. A value with very many documents becomes a cell of its own. */
export function* mergeIterators(
  all: KeyIterator[],
  cell: Cell,
  wanted: number,
  compare: (a: SortValue, b: SortValue) => number,
): Iterable<Split> {
  let iterators = all.filter((iterator) => iterator.ordinal !== 0);
  const target = Math.min(Math.max(wanted, 16), Math.max(smallCell, 1));
  let batch: { iterators: Map<KeyIterator, number[]>; size: number } = { iterators: new Map(), size: 0 };
  const close = function* (): Iterable<Split> {
    if (batch.size > 0) yield { cell: cellFromLists(batch.iterators, cell.levelSum), needsSorting: true, compareToCursor: () => 0 };
    batch = { iterators: new Map(), size: 0 };
  };
  while (iterators.length > 0) {
    const least =
      iterators.length === 1
        ? iterators[0]!
        : iterators.reduce((best, iterator) => (compare(iterator.value(), best.value()) < 0 ? iterator : best));
    const value = iterators.length === 1 ? null : least.value();
    const leastOrdinal = least.ordinal;
    const run = new Map<KeyIterator, number[]>();
    let size = 0;
    for (const iterator of iterators) {
      if (value !== null && iterator.value() !== value) continue;
      const { ordinal } = iterator;
      const list: number[] = [];
      while (iterator.ordinal === ordinal) {
        list.push(iterator.doc);
        iterator.next();
      }
      run.set(iterator, list);
      size += list.length;
    }
    if (size > smallCell) {
      const runValue = least.valueAt(leastOrdinal);
      yield* close();
      yield { cell: cellFromLists(run, cell.levelSum), needsSorting: false, compareToCursor: (sortValue) => compare(runValue, sortValue) };
    } else {
      for (const [iterator, list] of run) {
        const known = batch.iterators.get(iterator);
        if (known) known.push(...list);
        else batch.iterators.set(iterator, list);
      }
      batch.size += size;
      if (batch.size >= target) yield* close();
    }
    iterators = iterators.filter((iterator) => iterator.ordinal !== 0);
  }
  yield* close();
}

function cellFromLists(lists: Map<KeyIterator, number[]>, levels: number | null): Cell {
  return createCell(
    [...lists].map(([iterator, list]) => partFromList(iterator.part.match, Uint32Array.from(list).sort())),
    levels,
  );
}
