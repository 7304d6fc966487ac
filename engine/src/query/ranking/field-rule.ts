import type { OrderedColumn, Segment, StringColumn } from '../../segment/types.ts';
import { codesView } from '../../segment/columns.ts';
import { byReading } from '../../segment/string-order.ts';
import type { SegmentMatch } from '../match.ts';
import {
  asBitmap,
  type Cell,
  type CellPart,
  cellOf,
  documentsOf,
  type Entry,
  hasBit,
  listPart,
  type Split,
  type Stage,
} from '../cells/types.ts';
import type { Mark } from './sort-values.ts';
import { compareMarks } from './sort-values.ts';
import { bound, lowerOrdinal, lowerString, ordinalAt } from '../filters/values.ts';
import { smallCell } from '../plan.ts';

/** Sorting by a number or a string field; documents without a value come last either way. */
export function keyStage(kind: 'number' | 'string', field: number, descending: boolean): Stage {
  const columnOf = (segment: Segment): OrderedColumn => (kind === 'number' ? segment.numbers[field]! : segment.sortables[field]!);
  const ordinalOf = ({ segment }: SegmentMatch, doc: number) => ordinalAt(segment, columnOf(segment), doc);
  const valueAt = (match: SegmentMatch, ordinal: number): number | string =>
    kind === 'number'
      ? match.segment.f64[(columnOf(match.segment).values >>> 3) + ordinal - 1]!
      : (columnOf(match.segment) as StringColumn).strings.get(ordinal - 1);
  const sign = descending ? -1 : 1;
  const numbers = descending ? 'descending' : 'ascending';
  const marks = kind === 'number' ? numbers : descending ? 'reading back' : 'reading';
  const compareValues = (a: Mark, b: Mark): number => compareMarks(marks, a, b);
  const mark = ({ match, doc }: Entry): Mark => {
    const ordinal = ordinalOf(match, doc);
    return ordinal === 0 ? null : valueAt(match, ordinal);
  };
  /** The first ordinal at or after a value in the direction of the sort. */
  const startOrdinal = (segment: Segment, value: number | string): number => {
    const column = columnOf(segment);
    if (kind === 'number')
      return descending ? lowerOrdinal(segment, column, value as number, true) - 1 : lowerOrdinal(segment, column, value as number, false);
    const { strings } = column as StringColumn;
    const place = lowerString(strings, value as string, byReading);
    const same = place < strings.size && strings.get(place) === value;
    return descending && !same ? place : place + 1;
  };

  return {
    marks,
    order(a, b) {
      const left = ordinalOf(a.match, a.doc);
      const right = ordinalOf(b.match, b.doc);
      if (left === 0 || right === 0) return (left === 0 ? 1 : 0) - (right === 0 ? 1 : 0);
      return a.match === b.match ? sign * (left - right) : compareValues(valueAt(a.match, left), valueAt(b.match, right));
    },
    mark,
    against: (entry, other) => compareValues(mark(entry), other),
    inOrder: ({ segment }, documents) => inSlices(segment, columnOf(segment), documents, descending),
    *split(cell: Cell, wanted, from) {
      if (from !== null) {
        const heads = cell.parts.map((part) => {
          const column = columnOf(part.match.segment);
          const start = from === undefined ? null : startOrdinal(part.match.segment, from);
          return createHead(part, column, descending, start, wanted, (ordinal) => valueAt(part.match, ordinal));
        });
        yield* runs(heads, cell, wanted, compareValues);
      }
      const missing = cell.parts.map((part) =>
        listPart(
          part.match,
          documentsOf(part).filter((doc) => ordinalOf(part.match, doc) === 0),
        ),
      );
      yield { cell: cellOf(missing, cell.levels), mixed: false, against: (other) => compareValues(null, other) };
    },
  };
}

const slices = 64;

/** The documents in slices of the range of values, those without a value last. */
function* inSlices(segment: Segment, column: OrderedColumn, documents: Uint32Array, descending: boolean): Iterable<Uint32Array> {
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

/** Steps through the documents of one segment in the order of the key. */
export interface KeyHead {
  part: CellPart;
  /** Of the document at hand; 0 past the end. */
  ordinal: number;
  doc: number;
  next(): void;
  value(): number | string;
  valueAt(ordinal: number): number | string;
}

function createHead(
  part: CellPart,
  column: OrderedColumn,
  descending: boolean,
  start: number | null,
  wanted: number,
  valueAt: (ordinal: number) => number | string,
): KeyHead {
  const { match } = part;
  const { segment } = match;
  const step = descending ? -1 : 1;
  let known: { ordinal: number; value: number | string } | null = null;
  // Few documents are sorted themselves; for many, the whole order is walked and others are passed over. Per document wanted, the walk
  // passes over documents / count others; a sort takes about eight such steps for each document.
  const few = part.list !== null || part.count * part.count * 8 < wanted * segment.documents;
  // A cursor may stand anywhere in the order; without one, those beyond the page need not be sorted.
  const sorted = few ? sortedByOrdinal(part, column, descending, start === null ? wanted : part.count) : null;
  const bitmap = few ? 0 : asBitmap(part);
  const length = sorted ? sorted.length : column.present;
  const docAt = (at: number) => (sorted ? sorted[at]! : segment.u32[(column.order >>> 2) + at]!);
  let at = descending ? length - 1 : 0;
  if (start !== null && !sorted) at = descending ? bound(segment, column, start + 1) - 1 : bound(segment, column, start);
  const head: KeyHead = {
    part,
    ordinal: 0,
    doc: 0,
    next() {
      at += step;
      settle();
    },
    value() {
      if (known?.ordinal !== head.ordinal) known = { ordinal: head.ordinal, value: valueAt(head.ordinal) };
      return known.value;
    },
    valueAt,
  };
  const settle = () => {
    for (; at >= 0 && at < length; at += step) {
      const doc = docAt(at);
      if (!sorted && !hasBit(match, bitmap, doc)) continue;
      head.doc = doc;
      head.ordinal = ordinalAt(segment, column, doc);
      if (start !== null && (descending ? head.ordinal > start : head.ordinal < start)) continue;
      return;
    }
    head.ordinal = 0;
  };
  settle();
  return head;
}

/** Documents in ascending order of the key: at least the `wanted` that come first in the direction of the sort. */
function sortedByOrdinal(part: CellPart, column: OrderedColumn, descending: boolean, wanted: number): Uint32Array {
  const documents = documentsOf(part);
  const ordinals = codesView(part.match.segment, column.ordinals, column.width);
  const keys = new Float64Array(documents.length);
  let present = 0;
  for (let at = 0; at < documents.length; at++) {
    const doc = documents[at]!;
    const ordinal = ordinals[doc]!;
    if (ordinal !== 0) keys[present++] = ordinal * 2 ** 32 + doc;
  }
  const found = firstOf(keys.subarray(0, present), (column.distinct + 1) * 2 ** 32, descending, wanted).sort();
  const order = new Uint32Array(found.length);
  for (let at = 0; at < found.length; at++) order[at] = found[at]! % 2 ** 32;
  return order;
}

/** Of many keys below `end`, those in the slices of their range that hold the first `wanted`. */
function firstOf(keys: Float64Array, end: number, descending: boolean, wanted: number): Float64Array {
  if (keys.length < wanted * 4) return keys;
  // A slice ends where a value ends.
  const width = Math.ceil(end / 2 ** 32 / slices) * 2 ** 32;
  const counts = new Uint32Array(slices);
  for (const key of keys) counts[Math.floor(key / width)]!++;
  let slice = descending ? slices - 1 : 0;
  const step = descending ? -1 : 1;
  for (let sum = counts[slice]!; sum < wanted; sum += counts[slice]!) slice += step;
  const border = descending ? slice * width : (slice + 1) * width;
  return keys.filter((key) => (descending ? key >= border : key < border));
}

/** Merges the heads into stretches that end where a value ends. A value with very many documents is a cell of its own. */
export function* runs(all: KeyHead[], cell: Cell, wanted: number, compare: (a: Mark, b: Mark) => number): Iterable<Split> {
  let heads = all.filter((head) => head.ordinal !== 0);
  const target = Math.min(Math.max(wanted, 16), Math.max(smallCell, 1));
  let batch: { heads: Map<KeyHead, number[]>; size: number } = { heads: new Map(), size: 0 };
  const close = function* (): Iterable<Split> {
    if (batch.size > 0) yield { cell: partsOf(batch.heads, cell.levels), mixed: true, against: () => 0 };
    batch = { heads: new Map(), size: 0 };
  };
  while (heads.length > 0) {
    const least = heads.length === 1 ? heads[0]! : heads.reduce((best, head) => (compare(head.value(), best.value()) < 0 ? head : best));
    const value = heads.length === 1 ? null : least.value();
    const leastOrdinal = least.ordinal;
    const run = new Map<KeyHead, number[]>();
    let size = 0;
    for (const head of heads) {
      if (value !== null && head.value() !== value) continue;
      const { ordinal } = head;
      const list: number[] = [];
      while (head.ordinal === ordinal) {
        list.push(head.doc);
        head.next();
      }
      run.set(head, list);
      size += list.length;
    }
    if (size > smallCell) {
      const runValue = least.valueAt(leastOrdinal);
      yield* close();
      yield { cell: partsOf(run, cell.levels), mixed: false, against: (mark) => compare(runValue, mark) };
    } else {
      for (const [head, list] of run) {
        const known = batch.heads.get(head);
        if (known) known.push(...list);
        else batch.heads.set(head, list);
      }
      batch.size += size;
      if (batch.size >= target) yield* close();
    }
    heads = heads.filter((head) => head.ordinal !== 0);
  }
  yield* close();
}

function partsOf(lists: Map<KeyHead, number[]>, levels: number | null): Cell {
  return cellOf(
    [...lists].map(([head, list]) => listPart(head.part.match, Uint32Array.from(list).sort())),
    levels,
  );
}
