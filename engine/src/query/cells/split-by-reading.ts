import type { SegmentMatch } from '../match.ts';
import { type Deadline, type TextPlan, smallCell } from '../plan.ts';
import { rankScan, standing } from '../ranking/rank.ts';
import { kernelRanks, standingOfKey, stretch, unknown } from '../ranking/rank-kernel.ts';
import { type Cell, type CellPart, cellOf, documentsOf, listPart, type Split, type Stage, uniform } from './types.ts';
import { readingGroups } from './reading-groups.ts';

/**
 * Several words: documents are read and grouped by their standing. Large cells are read in the order of what they can reach at best, and
 * what lies past the page is not read at all: when no more than `wanted` are asked for and the next rule can say in which order it wants
 * them (`inOrder`), a group is read in that order until enough of its documents stand as well as any of them can.
 */
export function* splitByReading(
  cell: Cell,
  plan: TextPlan,
  deadline: Deadline,
  wanted: number,
  inOrder: Stage['inOrder'] | undefined,
): Iterable<Split> {
  const read = new Map<number, CellPart[]>();
  let open = wanted;
  const standingBefore = function* (best: number): Iterable<Split> {
    for (const value of [...read.keys()].sort((a, b) => a - b)) {
      if (value >= best) return;
      const own = cellOf(read.get(value)!, cell.levels);
      read.delete(value);
      open -= own.count;
      yield uniform(own, value);
    }
  };
  for (const { best, cell: make, known } of readingGroups(cell, plan, countedAtLevel0(plan, cell))) {
    if (known) {
      read.set(best, [...(read.get(best) ?? []), ...make().parts]);
      continue;
    }
    yield* standingBefore(best);
    const own = make();
    const enough = inOrder && best > 0 && own.count > smallCell * 5 ? { inOrder, standing: best, documents: open } : null;
    let isEnough = false;
    for (const part of own.parts) if (readPart(part, plan, own, deadline, read, enough)) isEnough = true;
    if (!isEnough) continue;
    // The first of these are the first of all that are left; nothing behind them is asked for.
    yield { cell: cellOf(read.get(best)!, cell.levels), mixed: true, against: () => 0 };
    return;
  }
  yield* standingBefore(Number.POSITIVE_INFINITY);
}

interface Enough {
  inOrder: NonNullable<Stage['inOrder']>;
  standing: number;
  documents: number;
}

/** Adds the documents of a part to those that have the same standing. True when enough of them were found before the end. */
function readPart(
  part: CellPart,
  plan: TextPlan,
  cell: Cell,
  deadline: Deadline,
  read: Map<number, CellPart[]>,
  enough: Enough | null,
): boolean {
  const own = new Map<number, number[]>();
  let isEnough = false;
  for (const documents of enough ? enough.inOrder(part.match, documentsOf(part)) : [documentsOf(part)]) {
    group(documents, standings(part.match, plan, cell, documents, deadline), own);
    isEnough = enough !== null && (own.get(enough.standing)?.length ?? 0) >= enough.documents;
    if (isEnough) break;
  }
  for (const [value, list] of own) {
    const parts = read.get(value) ?? [];
    const documents = Uint32Array.from(list);
    parts.push(listPart(part.match, enough ? documents.sort() : documents));
    read.set(value, parts);
  }
  return isEnough;
}

function group(documents: Uint32Array, values: Float64Array, own: Map<number, number[]>): void {
  let before = -1;
  let list: number[] = [];
  for (let at = 0; at < documents.length; at++) {
    const value = values[at]!;
    if (value !== before) {
      before = value;
      list = own.get(value) ?? [];
      own.set(value, list);
    }
    list.push(documents[at]!);
  }
}

/** Out of time, documents that were not read stand at the end of the cell. */
function standings(match: SegmentMatch, plan: TextPlan, cell: Cell, documents: Uint32Array, deadline: Deadline): Float64Array {
  const values = new Float64Array(documents.length).fill(Number.MAX_SAFE_INTEGER);
  const counted = countedAtLevel0(plan, cell);
  const deep = counted === 0;
  const ranks = kernelRanks(match, plan, deep);
  for (let from = 0; from < documents.length && !deadline.passed(); from += stretch) {
    const to = Math.min(from + stretch, documents.length);
    const own = documents.subarray(from, to);
    const keys = counted === 0 ? ranks?.whole(own) : ranks?.near(own, counted);
    for (let at = from; at < to; at++) {
      const key = keys?.[at - from] ?? unknown;
      if (key === unknown) {
        const scanner = match.scanner(deep);
        scanner.scan(documents[at]!);
        values[at] = standing(rankScan(scanner, plan));
      } else values[at] = standingOfKey(key);
    }
  }
  return values;
}

/** The words that count in the cell (bit by word) when all of them stand at level 0 in all its documents; else none. */
function countedAtLevel0(plan: TextPlan, cell: Cell): number {
  if (cell.levels !== 0) return 0;
  const mayMiss = plan.lastMayDrop && plan.plain.length > 1;
  if (mayMiss && (cell.words ?? null) === null) return 0;
  const plain = new Set(mayMiss ? plan.plain.slice(0, cell.words!) : plan.plain);
  return plan.words.reduce((mask, word, index) => (word.inPhrase || plain.has(index) ? mask | (1 << index) : mask), 0);
}
