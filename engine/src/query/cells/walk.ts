// biome-ignore-all lint/style/noNonNullAssertion: words, fields and documents are indexed within lengths known from the plan and the segment
import { smallCell } from '../plan.ts';
import type { SortValue } from '../ranking/sort-values.ts';
import { type Candidate, type Cell, listDocuments, partFromList, type RankingRule } from './types.ts';

/** Collects one page: skips the first `skip` hits, then keeps the next `remaining`. */
export interface PageCollector {
  skip: number;
  remaining: number;
  hits: Candidate[];
}

/** Splits the cell rule by rule until the page is complete. `cursor` has one sort value per rule; hits up to it are left out. */
export function collectPage(
  cell: Cell,
  rules: readonly RankingRule[],
  at: number,
  cursor: readonly SortValue[] | null,
  collector: PageCollector,
): void {
  if (collector.remaining === 0 || cell.count === 0) return;
  if (cursor === null && cell.count <= collector.skip) {
    collector.skip -= cell.count;
    return;
  }
  const rule = rules[at]!;
  const wanted = collector.skip + collector.remaining;
  const isSmall = cell.count <= smallCell;
  if (isSmall && !(rule.splitsWithoutReading && cell.count > wanted)) {
    sortAndCollect(cell, rules, at, cursor, collector);
    return;
  }
  const cursorValue = cursor === null ? undefined : cursor[at];
  for (const split of rule.split(isSmall ? toLists(cell) : cell, wanted, cursorValue, rules[at + 1])) {
    const side = split.needsSorting || cursorValue === undefined ? 1 : split.compareToCursor(cursorValue);
    if (split.needsSorting) {
      if (cursor === null && split.cell.count <= collector.skip) collector.skip -= split.cell.count;
      else sortAndCollect(split.cell, rules, at, cursor, collector);
    } else if (side > 0) collectPage(split.cell, rules, at + 1, null, collector);
    else if (side === 0) collectPage(split.cell, rules, at + 1, cursor, collector);
    // Stop before advancing the iterator, because computing the next split can be expensive.
    if (collector.remaining === 0) return;
  }
}

function toLists(cell: Cell): Cell {
  return { ...cell, parts: cell.parts.map((part) => partFromList(part.match, listDocuments(part))) };
}

/** Sorts per segment, then merges only as many as needed, because comparing documents of different segments may read ids from disk. */
function sortAndCollect(
  cell: Cell,
  rules: readonly RankingRule[],
  at: number,
  cursor: readonly SortValue[] | null,
  collector: PageCollector,
): void {
  let lists = cell.parts.map((part) =>
    Array.from(listDocuments(part), (doc): Candidate => ({ match: part.match, doc, rank: null, id: null })),
  );
  const all = lists.flat();
  for (const rule of rules.slice(at)) rule.prepare?.(all);
  if (cursor !== null) lists = lists.map((own) => own.filter((candidate) => isAfterCursor(candidate, rules, at, cursor)));
  const compare = (a: Candidate, b: Candidate): number => {
    for (let rule = at; rule < rules.length; rule++) {
      const order = rules[rule]!.compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
  for (const own of lists) own.sort(compare);
  const next = lists.map(() => 0);
  while (collector.remaining > 0) {
    let least = -1;
    for (let list = 0; list < lists.length; list++) {
      const candidate = lists[list]![next[list]!];
      if (candidate && (least < 0 || compare(candidate, lists[least]![next[least]!]!) < 0)) least = list;
    }
    if (least < 0) return;
    const candidate = lists[least]![next[least]!++]!;
    if (collector.skip > 0) collector.skip--;
    else {
      collector.remaining--;
      collector.hits.push(candidate);
    }
  }
}

function isAfterCursor(candidate: Candidate, rules: readonly RankingRule[], at: number, cursor: readonly SortValue[]): boolean {
  for (let rule = at; rule < rules.length; rule++) {
    const side = rules[rule]!.compareToCursor(candidate, cursor[rule]!);
    if (side !== 0) return side > 0;
  }
  return false;
}
