import { byCodeUnits } from '../../segment/string-order.ts';
import { type Cell, type CellPart, cellOf, documentsOf, type Entry, listPart, type Split, type Stage } from '../cells/types.ts';
import { lowerString } from '../filters/values.ts';
import { smallCell } from '../plan.ts';

export function idOf(entry: Entry): string {
  entry.id ??= entry.match.segment.ids.get(entry.doc);
  return entry.id;
}

/** Rule 7: documents are numbered in the order of their ids, so within a segment this order is there already. */
export const idStage: Stage = {
  marks: 'ids',
  order: (a, b) => (a.match === b.match ? a.doc - b.doc : byCodeUnits(idOf(a), idOf(b))),
  mark: idOf,
  against: (entry, mark) => byCodeUnits(idOf(entry), mark as string),
  *inOrder(_match, documents) {
    const most = Math.max(1, smallCell * 5);
    for (let from = 0; from < documents.length; from += most) yield documents.subarray(from, from + most);
  },
  *split(cell: Cell, wanted, from): Iterable<Split> {
    let heads = cell.parts.map((part) => new Head(part, typeof from === 'string' ? from : null, wanted)).filter((head) => head.open());
    while (heads.length > 0) {
      const batch = new Map<Head, number[]>();
      let size = 0;
      while (heads.length > 0 && size < Math.min(Math.max(wanted, 16), 256)) {
        const least = heads.length === 1 ? heads[0]! : heads.reduce((best, head) => (head.id() < best.id() ? head : best));
        const list = batch.get(least) ?? [];
        list.push(least.doc());
        batch.set(least, list);
        size++;
        least.next();
        if (!least.open()) heads = heads.filter((head) => head !== least);
      }
      const parts = [...batch].map(([head, list]) => listPart(head.part.match, Uint32Array.from(list)));
      yield { cell: cellOf(parts, cell.levels), mixed: true, against: () => 0 };
    }
  },
};

/** Steps through the documents of a part, a stretch at a time. */
class Head {
  readonly part: CellPart;
  private at = 0;
  private documents: Uint32Array;
  private taken: number;
  /** Ids around the document at hand: where most documents are in the part, they are read many at a time. */
  private ids: string[] = [];
  private window = 16;
  private idsFrom = 0;

  constructor(part: CellPart, from: string | null, wanted: number) {
    this.part = part;
    const { segment } = part.match;
    if (from !== null) {
      const start = lowerString(segment.ids, from);
      this.documents = documentsOf(part).filter((doc) => doc >= start);
      this.taken = part.count;
    } else if (part.list) {
      this.documents = part.list;
      this.taken = part.count;
    } else {
      this.documents = take(part, 0, wanted);
      this.taken = this.documents.length;
    }
  }

  open(): boolean {
    if (this.at === this.documents.length && this.taken < this.part.count) {
      this.documents = take(this.part, this.taken, 4096);
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

function take(part: CellPart, skip: number, most: number): Uint32Array {
  const { segment } = part.match;
  const count = Math.min(most, part.count - skip);
  const out = segment.scratch.bytes(count * 4);
  const got = segment.kernels.takeBits(part.bitmap!, segment.blocks, skip, count, out);
  return segment.u32.slice(out >>> 2, (out >>> 2) + got);
}
