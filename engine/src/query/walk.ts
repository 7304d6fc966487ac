import type { Cell, Entry, Mark, Stage } from './cells.ts';
import { documentsOf } from './cells.ts';

/** Cells up to this size are ordered by comparing documents. */
export let smallCell = 200;

export function setSmallCell(size: number): void {
  smallCell = size;
}

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
  if (cell.count <= smallCell) {
    compareAll(cell, stages, at, cursor, collector);
    return;
  }
  const stage = stages[at]!;
  const mark = cursor === null ? undefined : cursor[at];
  for (const split of stage.split(cell, collector.skip + collector.need, mark, stages[at + 1])) {
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

function compareAll(cell: Cell, stages: readonly Stage[], at: number, cursor: readonly Mark[] | null, collector: Collector): void {
  let entries: Entry[] = [];
  for (const part of cell.parts) {
    for (const doc of documentsOf(part)) entries.push({ match: part.match, doc, rank: null, id: null, distance: null });
  }
  for (const stage of stages.slice(at)) stage.prepare?.(entries);
  if (cursor !== null) entries = entries.filter((entry) => isAfter(entry, stages, at, cursor));
  entries.sort((a, b) => {
    for (let stage = at; stage < stages.length; stage++) {
      const order = stages[stage]!.order(a, b);
      if (order !== 0) return order;
    }
    return 0;
  });
  for (const entry of entries) {
    if (collector.skip > 0) collector.skip--;
    else if (collector.need > 0) {
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
