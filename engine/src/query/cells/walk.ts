import { smallCell } from '../plan.ts';
import { type Cell, documentsOf, type Entry, listPart, type Stage } from './types.ts';
import type { Mark } from '../ranking/sort-values.ts';

/** What is collected: the first `skip` hits are stepped over, then `need` are kept. */
export interface Collector {
  skip: number;
  need: number;
  hits: Entry[];
}

/** Walks the order through the stages until the collector has what it needs. `cursor` holds a mark per stage; hits up to it are left out. */
export function walkCell(cell: Cell, stages: readonly Stage[], at: number, cursor: readonly Mark[] | null, collector: Collector): void {
  if (collector.need === 0 || cell.count === 0) return;
  if (cursor === null && cell.count <= collector.skip) {
    collector.skip -= cell.count;
    return;
  }
  const stage = stages[at]!;
  const wanted = collector.skip + collector.need;
  const isSmall = cell.count <= smallCell;
  if (isSmall && !(stage.beforeReading && cell.count > wanted)) {
    compareAll(cell, stages, at, cursor, collector);
    return;
  }
  const mark = cursor === null ? undefined : cursor[at];
  for (const split of stage.split(isSmall ? asLists(cell) : cell, wanted, mark, stages[at + 1])) {
    const side = split.mixed || mark === undefined ? 1 : split.against(mark);
    if (split.mixed) {
      if (cursor === null && split.cell.count <= collector.skip) collector.skip -= split.cell.count;
      else compareAll(split.cell, stages, at, cursor, collector);
    } else if (side > 0) walkCell(split.cell, stages, at + 1, null, collector);
    else if (side === 0) walkCell(split.cell, stages, at + 1, cursor, collector);
    // Asking for the next part of the order may cost much.
    if (collector.need === 0) return;
  }
}

function asLists(cell: Cell): Cell {
  return { ...cell, parts: cell.parts.map((part) => listPart(part.match, documentsOf(part))) };
}

/**
 * Orders the documents of each segment, then merges as many as are needed: whether two documents of different segments come in order of
 * their ids only the disk tells.
 */
function compareAll(cell: Cell, stages: readonly Stage[], at: number, cursor: readonly Mark[] | null, collector: Collector): void {
  let lists = cell.parts.map((part) =>
    Array.from(documentsOf(part), (doc): Entry => ({ match: part.match, doc, rank: null, id: null, distance: null })),
  );
  const all = lists.flat();
  for (const stage of stages.slice(at)) stage.prepare?.(all);
  if (cursor !== null) lists = lists.map((own) => own.filter((entry) => isAfter(entry, stages, at, cursor)));
  const compare = (a: Entry, b: Entry): number => {
    for (let stage = at; stage < stages.length; stage++) {
      const order = stages[stage]!.order(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
  for (const own of lists) own.sort(compare);
  const next = lists.map(() => 0);
  while (collector.need > 0) {
    let least = -1;
    for (let list = 0; list < lists.length; list++) {
      const entry = lists[list]![next[list]!];
      if (entry && (least < 0 || compare(entry, lists[least]![next[least]!]!) < 0)) least = list;
    }
    if (least < 0) return;
    const entry = lists[least]![next[least]!++]!;
    if (collector.skip > 0) collector.skip--;
    else {
      collector.need--;
      collector.hits.push(entry);
    }
  }
}

function isAfter(entry: Entry, stages: readonly Stage[], at: number, cursor: readonly Mark[]): boolean {
  for (let stage = at; stage < stages.length; stage++) {
    const side = stages[stage]!.against(entry, cursor[stage]!);
    if (side !== 0) return side > 0;
  }
  return false;
}
