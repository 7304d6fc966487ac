// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query
import {
  type Candidate,
  type Cell,
  type CellPart,
  createCell,
  hasDocument,
  listDocuments,
  partFromList,
  type RankingRule,
  toBitmap,
} from '../cells/types.ts';
import { metresBetween } from '../filters/geo.ts';
import { type KeyIterator, mergeIterators } from './field-rule.ts';
import { compareSortValues, type SortValue } from './sort-values.ts';

/** Sorts by distance from a point; documents without a point come last in both directions. */
export function distanceRule(centre: { lat: number; lng: number }, descending: boolean): RankingRule {
  const sign = descending ? -1 : 1;
  const valueOrder = descending ? 'descending' : 'ascending';
  const compare = (a: SortValue, b: SortValue): number => compareSortValues(valueOrder, a, b);
  const sortValue = (candidate: Candidate): SortValue => distanceOf(candidate, centre);
  return {
    valueOrder,
    compare: (a, b) => compare(sortValue(a), sortValue(b)),
    sortValue,
    compareToCursor: (candidate, other) => compare(sortValue(candidate), other),
    *split(cell: Cell, wanted, from) {
      if (from !== null) {
        const iterators = cell.parts.map((part) =>
          createDistanceIterator(part, centre, sign, from === undefined ? null : (from as number)),
        );
        yield* mergeIterators(iterators, cell, wanted, compare);
      }
      const missing = cell.parts.map((part) =>
        partFromList(
          part.match,
          listDocuments(part).filter((doc) => rowOf(part, doc) < 0),
        ),
      );
      yield { cell: createCell(missing, cell.levelSum), needsSorting: false, compareToCursor: (other) => compare(null, other) };
    },
  };
}

/** In metres; null without a point. */
export function distanceOf(candidate: Candidate, centre: { lat: number; lng: number }): number | null {
  const { geo, f64 } = candidate.match.segment;
  const row = rowOf(candidate, candidate.doc);
  if (row < 0) return null;
  return metresBetween(f64[(geo!.lat >>> 3) + row]!, f64[(geo!.lng >>> 3) + row]!, centre.lat, centre.lng);
}

function rowOf({ match }: Pick<CellPart, 'match'>, doc: number): number {
  const { geo, u32 } = match.segment;
  const documents = geo!.documents >>> 2;
  let low = 0;
  let high = geo!.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (u32[documents + middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low < geo!.count && u32[documents + low] === doc ? low : -1;
}

/** A heap yields the nearest documents one at a time, because a page needs only a few of them. */
function createDistanceIterator(part: CellPart, centre: { lat: number; lng: number }, sign: number, from: number | null): KeyIterator {
  const { segment } = part.match;
  const bitmap = toBitmap(part);
  const { geo, u32, f64 } = segment;
  const keys: number[] = [];
  const documents: number[] = [];
  for (let row = 0; row < geo!.count; row++) {
    const doc = u32[(geo!.documents >>> 2) + row]!;
    if (!hasDocument(part.match, bitmap, doc)) continue;
    const key = sign * metresBetween(f64[(geo!.lat >>> 3) + row]!, f64[(geo!.lng >>> 3) + row]!, centre.lat, centre.lng);
    if (from !== null && key < sign * from) continue;
    keys.push(key);
    documents.push(doc);
  }
  const heap = createHeap(keys, documents);
  const distances: number[] = [];
  const iterator: KeyIterator = {
    part,
    ordinal: 0,
    doc: 0,
    next() {
      const popped = heap();
      if (popped === null) {
        iterator.ordinal = 0;
        return;
      }
      const distance = sign * popped.key;
      if (distances.length === 0 || distances.at(-1) !== distance) distances.push(distance);
      iterator.doc = popped.doc;
      iterator.ordinal = distances.length;
    },
    value: () => distances[iterator.ordinal - 1]!,
    valueAt: (ordinal) => distances[ordinal - 1]!,
  };
  iterator.next();
  return iterator;
}

/** A binary heap over two parallel lists. Each call removes the smallest key. */
function createHeap(keys: number[], documents: number[]): () => { key: number; doc: number } | null {
  let size = keys.length;
  const sink = (start: number) => {
    const key = keys[start]!;
    const doc = documents[start]!;
    let at = start;
    for (let child = at * 2 + 1; child < size; child = at * 2 + 1) {
      if (child + 1 < size && keys[child + 1]! < keys[child]!) child++;
      if (keys[child]! >= key) break;
      keys[at] = keys[child]!;
      documents[at] = documents[child]!;
      at = child;
    }
    keys[at] = key;
    documents[at] = doc;
  };
  for (let at = (size >>> 1) - 1; at >= 0; at--) sink(at);
  return () => {
    if (size === 0) return null;
    const top = { key: keys[0]!, doc: documents[0]! };
    size--;
    keys[0] = keys[size]!;
    documents[0] = documents[size]!;
    if (size > 0) sink(0);
    return top;
  };
}
