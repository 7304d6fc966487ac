import { type Cell, type CellPart, cellOf, documentsOf, type Entry, hasBit, asBitmap, listPart, type Stage } from '../cells/types.ts';
import type { Mark } from './sort-values.ts';
import { metresBetween } from '../filters/geo.ts';
import { compareMarks } from './sort-values.ts';
import { type KeyHead, runs } from './field-rule.ts';

/** Sorting by distance from a point; documents without a place come last either way. */
export function distanceStage(centre: { lat: number; lng: number }, descending: boolean): Stage {
  const sign = descending ? -1 : 1;
  const marks = descending ? 'descending' : 'ascending';
  const compare = (a: Mark, b: Mark): number => compareMarks(marks, a, b);
  const mark = (entry: Entry): Mark => distanceOf(entry, centre);
  return {
    marks,
    order: (a, b) => compare(mark(a), mark(b)),
    mark,
    against: (entry, other) => compare(mark(entry), other),
    *split(cell: Cell, wanted, from) {
      if (from !== null) {
        const heads = cell.parts.map((part) => createHead(part, centre, sign, from === undefined ? null : (from as number)));
        yield* runs(heads, cell, wanted, compare);
      }
      const missing = cell.parts.map((part) =>
        listPart(
          part.match,
          documentsOf(part).filter((doc) => rowOf(part, doc) < 0),
        ),
      );
      yield { cell: cellOf(missing, cell.levels), mixed: false, against: (other) => compare(null, other) };
    },
  };
}

function distanceOf(entry: Entry, centre: { lat: number; lng: number }): number | null {
  const { geo, f64 } = entry.match.segment;
  const row = rowOf(entry, entry.doc);
  if (row < 0) return null;
  entry.distance = metresBetween(f64[(geo!.lat >>> 3) + row]!, f64[(geo!.lng >>> 3) + row]!, centre.lat, centre.lng);
  return entry.distance;
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

/** A heap gives the nearest documents one by one: a page needs a few of very many. */
function createHead(part: CellPart, centre: { lat: number; lng: number }, sign: number, from: number | null): KeyHead {
  const { segment } = part.match;
  const bitmap = asBitmap(part);
  const { geo, u32, f64 } = segment;
  const keys: number[] = [];
  const documents: number[] = [];
  for (let row = 0; row < geo!.count; row++) {
    const doc = u32[(geo!.documents >>> 2) + row]!;
    if (!hasBit(part.match, bitmap, doc)) continue;
    const key = sign * metresBetween(f64[(geo!.lat >>> 3) + row]!, f64[(geo!.lng >>> 3) + row]!, centre.lat, centre.lng);
    if (from !== null && key < sign * from) continue;
    keys.push(key);
    documents.push(doc);
  }
  const heap = createHeap(keys, documents);
  const distances: number[] = [];
  const head: KeyHead = {
    part,
    ordinal: 0,
    doc: 0,
    next() {
      const popped = heap();
      if (popped === null) {
        head.ordinal = 0;
        return;
      }
      const distance = sign * popped.key;
      if (distances.length === 0 || distances.at(-1) !== distance) distances.push(distance);
      head.doc = popped.doc;
      head.ordinal = distances.length;
    },
    value: () => distances[head.ordinal - 1]!,
    valueAt: (ordinal) => distances[ordinal - 1]!,
  };
  head.next();
  return head;
}

/** A binary heap over two parallel lists; each call takes out the smallest key. */
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
