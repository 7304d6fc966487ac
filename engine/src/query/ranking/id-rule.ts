// biome-ignore-all lint/style/noNonNullAssertion: documents, ordinals and rules are indexed within lengths known from the segment and the query
import { byCodeUnits } from '../../segment/string-order.ts';
import {
  type Candidate,
  type Cell,
  type CellPart,
  createCell,
  listDocuments,
  partFromList,
  type RankingRule,
  type Split,
} from '../cells/types.ts';
import { stringLowerBound } from '../filters/values.ts';
import { smallCell } from '../plan.ts';

export function idOf(candidate: Candidate): string {
  candidate.id ??= candidate.match.segment.ids.get(candidate.doc);
  return candidate.id;
}

/** Rule 7. Documents are numbered in order of their ids, so a segment is already in this order. */
export const idRule: RankingRule = {
  valueOrder: 'id',
  compare: (a, b) => (a.match === b.match ? a.doc - b.doc : byCodeUnits(idOf(a), idOf(b))),
  sortValue: idOf,
  compareToCursor: (candidate, cursorValue) => byCodeUnits(idOf(candidate), cursorValue as string),
  *batchesInOrder(_match, documents) {
    const most = Math.max(1, smallCell * 5);
    for (let from = 0; from < documents.length; from += most) yield documents.subarray(from, from + most);
  },
  *split(cell: Cell, wanted, from): Iterable<Split> {
    let iterators = cell.parts
      .map((part) => new IdIterator(part, typeof from === 'string' ? from : null, wanted))
      .filter((iterator) => iterator.open());
    while (iterators.length > 0) {
      const batch = new Map<IdIterator, number[]>();
      let size = 0;
      while (iterators.length > 0 && size < Math.min(Math.max(wanted, 16), 256)) {
        const least =
          iterators.length === 1 ? iterators[0]! : iterators.reduce((best, iterator) => (iterator.id() < best.id() ? iterator : best));
        const list = batch.get(least) ?? [];
        list.push(least.doc());
        batch.set(least, list);
        size++;
        least.next();
        if (!least.open()) iterators = iterators.filter((iterator) => iterator !== least);
      }
      const parts = [...batch].map(([iterator, list]) => partFromList(iterator.part.match, Uint32Array.from(list)));
      yield { cell: createCell(parts, cell.levelSum), needsSorting: true, compareToCursor: () => 0 };
    }
  },
};

/** Iterates over the documents of a part in batches. */
class IdIterator {
  readonly part: CellPart;
  private at = 0;
  private documents: Uint32Array;
  private taken: number;
  /** Ids near the current document. They are read in blocks when the part holds most documents of the segment. */
  private ids: string[] = [];
  private window = 16;
  private idsFrom = 0;

  constructor(part: CellPart, from: string | null, wanted: number) {
    this.part = part;
    const { segment } = part.match;
    if (from !== null) {
      const start = stringLowerBound(segment.ids, from);
      this.documents = listDocuments(part).filter((doc) => doc >= start);
      this.taken = part.count;
    } else if (part.list) {
      this.documents = part.list;
      this.taken = part.count;
    } else {
      this.documents = takeDocuments(part, 0, wanted);
      this.taken = this.documents.length;
    }
  }

  open(): boolean {
    if (this.at === this.documents.length && this.taken < this.part.count) {
      this.documents = takeDocuments(this.part, this.taken, 4096);
      this.taken += this.documents.length;
      this.at = 0;
    }
    return this.at < this.documents.length;
  }

  doc(): number {
    return this.documents[this.at]!;
  }

  id(): string {
    const doc = this.doc();
    if (doc < this.idsFrom || doc >= this.idsFrom + this.ids.length) {
      const { segment } = this.part.match;
      const window = this.part.count * 4 > segment.documents ? this.window : 1;
      this.window = Math.min(this.window * 2, 256);
      this.idsFrom = doc;
      this.ids = window === 1 ? [segment.ids.get(doc)] : segment.ids.slice(doc, Math.min(doc + window, segment.documents));
    }
    return this.ids[doc - this.idsFrom]!;
  }

  next(): void {
    this.at++;
  }
}

function takeDocuments(part: CellPart, skip: number, most: number): Uint32Array {
  const { segment } = part.match;
  const count = Math.min(most, part.count - skip);
  const out = segment.scratch.bytes(count * 4);
  const got = segment.kernels.takeBits(part.bitmap!, segment.blocks, skip, count, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + got);
}
