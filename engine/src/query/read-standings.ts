import type { SegmentMatch } from './candidates.ts';
import { type AttributeGroup, attributeGroups } from './attribute-groups.ts';
import { type Cell, type CellPart, cellOf, documentsOf, listPart, type Split, uniform } from './cells.ts';
import type { Deadline } from './deadline.ts';
import type { TextPlan } from './plan.ts';
import { rankScan, standing } from './rank.ts';
import { kernelRanks, standingOfKey, stretch, unknown } from './rank-kernel.ts';
import { smallCell } from './walk.ts';

const mostGroupedWords = 4;

/**
 * Several words: documents are read and grouped by their standing. Large cells are read in the order of what they can reach at best, and
 * what lies past the page is not read at all.
 */
export function* splitByReading(cell: Cell, plan: TextPlan, deadline: Deadline): Iterable<Split> {
  const read = new Map<number, CellPart[]>();
  for (const { cell: own, next } of readingGroups(cell, plan)) {
    for (const part of own.parts) readPart(part, plan, own, deadline, read);
    for (const value of [...read.keys()].sort((a, b) => a - b)) {
      if (next !== null && value >= bestStanding(plan, cell, next)) break;
      const parts = read.get(value)!;
      read.delete(value);
      yield uniform(cellOf(parts, cell.levels), value);
    }
  }
}

function readingGroups(cell: Cell, plan: TextPlan): Iterable<AttributeGroup> {
  const counted = countedAtLevel0(plan, cell);
  const words = plan.words.flatMap((_, word) => (((counted >>> word) & 1) === 1 ? [word] : []));
  if (words.length < 2 || words.length > mostGroupedWords || cell.count <= smallCell * 20) return [{ cell, next: null }];
  return attributeGroups(cell, words, plan.fieldCount);
}

/** No document with this sum of fields stands before that. */
function bestStanding(plan: TextPlan, cell: Cell, attribute: number): number {
  const words = cell.words ?? plan.plain.length;
  const counted = plan.words.length - plan.plain.length + words;
  return standing({ proximity: counted - 1, attribute, whole: true, exact: counted });
}

/** Adds the documents of a part to those that have the same standing. */
function readPart(part: CellPart, plan: TextPlan, cell: Cell, deadline: Deadline, read: Map<number, CellPart[]>): void {
  const documents = documentsOf(part);
  const values = standings(part.match, plan, cell, documents, deadline);
  const own = new Map<number, number[]>();
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
  for (const [value, group] of own) {
    const parts = read.get(value) ?? [];
    parts.push(listPart(part.match, Uint32Array.from(group)));
    read.set(value, parts);
  }
}

/** Out of time, documents that were not read stand at the end of the cell. */
function standings(match: SegmentMatch, plan: TextPlan, cell: Cell, documents: Uint32Array, deadline: Deadline): Float64Array {
  const values = new Float64Array(documents.length).fill(Number.MAX_SAFE_INTEGER);
  const scanner = match.scanner();
  const ranks = kernelRanks(match, plan);
  const counted = countedAtLevel0(plan, cell);
  for (let from = 0; from < documents.length && !deadline.passed(); from += stretch) {
    const to = Math.min(from + stretch, documents.length);
    const own = documents.subarray(from, to);
    const keys = counted === 0 ? ranks?.whole(own) : ranks?.near(own, counted);
    for (let at = from; at < to; at++) {
      const key = keys?.[at - from] ?? unknown;
      if (key === unknown) {
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
